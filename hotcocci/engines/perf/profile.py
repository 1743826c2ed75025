# SPDX-License-Identifier: GPL-2.0
"""A profile: the share of samples of each kernel function."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

# Prefixes of system calls, which are not in the source (linux/syscalls.h, asm/syscall_wrapper.h).
_CALL = re.compile(
    r"(?:__(?:do|se|x64|x32|ia32|arm64|riscv|s390x?|powerpc|ppc|loongarch|mips)_)?"
    r"(?:compat_)?sys_(?=[a-z])"
)
# Out-of-line parts of get_user() and copies: x86, lib/usercopy.c, arm64 and arm, powerpc, riscv,
# s390.
_ROUTINE = re.compile(
    r"__(?:get|put)_user_(?:nocheck_)?\d+"
    r"|_{0,2}(?:inline_)?copy_(?:from|to)_user\w*"
    r"|raw_copy_(?:from|to)_user\w*"
    r"|copy_user_(?:generic|enhanced|short)\w*|rep_movs_alternative|__copy_user_\w+"
    r"|__arch_copy_(?:from|to)_user|arm_copy_(?:from|to)_user"
    r"|__copy_tofrom_user\w*|__asm_copy_(?:from|to)_user\w*|fallback_scalar_usercopy\w*"
)
# Objects that are the kernel or a module: [kernel.kallsyms], [guest.kernel.kallsyms.0],
# [kernel.kallsyms]_stext, [snd_pcm], /lib/modules/…/snd-pcm.ko.xz, /usr/lib/debug/boot/vmlinux-6.12.
_KERNEL = re.compile(
    r"\[(?:guest\.)?kernel|.*(?:^|/)(?:vmlinux|vmlinuz|kcore|kallsyms)|.*\.ko(?:\.\w+)?$"
    r"|\[(?!vdso|vsyscall|vectors|unknown|heap|stack|uprobes|anon|sigpage|bpf)\w+\]$"
)
_TIME = re.compile(
    r"cpu-?cycles|cycles|cpu-clock|task-clock|.*/(?:cpu-)?cycles|instructions"
)


@dataclass(frozen=True)
class Profile:
    """The share of each kernel function, in percent of all samples.

    This is self time, including inlined callees. Inlined functions also have shares of their own
    if the profile names them. Time in out-of-line user access helpers (__get_user_4,
    _copy_from_user) also counts for their callers if the profile has call chains. A function
    that is not in ``shares`` was not sampled, or was inlined without the profile naming it.
    """

    shares: Mapping[str, float] = field(default_factory=dict)

    def share(self, function: str | None) -> float | None:
        """The percentage of a function by its source name; None if it was not seen."""
        return None if function is None else self.shares.get(canonical(function))

    def above(self, percent: float) -> frozenset[str]:
        """The functions with at least this share."""
        return frozenset(f for f, share in self.shares.items() if share >= percent)


@cache
def canonical(name: str) -> str:
    """The name of a function in the source.

    Removes clone suffixes (``.isra.0``, ``.constprop.0``, ``.part.0``, ``.cold``), powerpc's entry
    dot, offsets and the prefixes of system calls.
    """
    name = name.partition("+0x")[0].lstrip(".").partition(".")[0]
    return _CALL.sub("", name, count=1) if _CALL.match(name) else name


@cache
def is_routine(name: str) -> bool:
    """Whether a function is an out-of-line part of get_user() or a copy."""
    return _ROUTINE.fullmatch(canonical(name)) is not None


@cache
def is_kernel(object_name: str) -> bool:
    """Whether perf's name of a shared object is the kernel or a module."""
    return _KERNEL.match(object_name) is not None


def main_event(amounts: Mapping[str, float]) -> str | None:
    """The event to use: one that measures time if there is any, then the largest."""
    return max(
        amounts, key=lambda e: (_TIME.match(e) is not None, amounts[e]), default=None
    )


def charged(chain: Iterable[tuple[str, bool]]) -> list[str]:
    """The functions that a sample counts for, given its chain, innermost first.

    Each has its name as perf has it, and whether it is inlined into the next. The first function counts, and each caller up to the first that is neither inlined nor a
    user access helper.
    """
    names: list[str] = []
    for function, inlined in chain:
        name = canonical(function)
        if name not in names:
            names.append(name)
        if not inlined and not is_routine(name):
            break
    return names


def profile(
    weights: Iterable[tuple[Sequence[str], float]], total: float = 100.0
) -> Profile:
    """Build a profile from weights out of ``total``, each counted for all of its functions."""
    shares: dict[str, float] = defaultdict(float)
    for names, weight in weights:
        for name in names:
            shares[name] += 100.0 * weight / total
    # Drop rounding errors below the digits that perf prints.
    return Profile({name: round(share, 4) for name, share in shares.items()})
