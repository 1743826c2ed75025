# SPDX-License-Identifier: GPL-2.0
"""A profile: which part of the samples belongs to which function of the kernel."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

# System calls are defined without these (include/linux/syscalls.h, asm/syscall_wrapper.h).
_CALL = re.compile(
    r"(?:__(?:do|se|x64|x32|ia32|arm64|riscv|s390x?|powerpc|ppc|loongarch|mips)_)?"
    r"(?:compat_)?sys_(?=[a-z])"
)
# Routines that a get_user() or a copy is made of where it is no inline code: the x86 kind,
# lib/usercopy.c, arm64 and arm, powerpc, riscv, s390.
_ROUTINE = re.compile(
    r"__(?:get|put)_user_(?:nocheck_)?\d+"
    r"|_{0,2}(?:inline_)?copy_(?:from|to)_user\w*"
    r"|raw_copy_(?:from|to)_user\w*"
    r"|copy_user_(?:generic|enhanced|short)\w*|rep_movs_alternative|__copy_user_\w+"
    r"|__arch_copy_(?:from|to)_user|arm_copy_(?:from|to)_user"
    r"|__copy_tofrom_user\w*|__asm_copy_(?:from|to)_user\w*|fallback_scalar_usercopy\w*"
)
# The object is the kernel or one of its modules: [kernel.kallsyms], [guest.kernel.kallsyms.0],
# [kernel.kallsyms]_stext, [snd_pcm], /lib/modules/…/snd-pcm.ko.xz, /usr/lib/debug/boot/vmlinux-6.12.
_KERNEL = re.compile(
    r"\[(?:guest\.)?kernel|.*(?:^|/)(?:vmlinux|vmlinuz|kcore|kallsyms)|.*\.ko(?:\.\w+)?$"
    r"|\[(?!vdso|vsyscall|vectors|unknown|heap|stack|uprobes|anon|sigpage|bpf)\w+\]$"
)
_TIME = re.compile(
    r"cpu-?cycles|cycles|cpu-clock|task-clock|.*/(?:cpu-)?cycles|instructions"
)


@dataclass(frozen=True)
class Frame:
    """A function of a call chain, as perf names it.

    ``inlined`` is true where its code is a part of the next one's.
    """

    name: str
    inlined: bool = False


@dataclass(frozen=True)
class Profile:
    """The share of samples of each function of the kernel, in percent of all samples.

    A function's share is of the samples in its own code, what the compiler has inlined into
    it included, not of those in what it calls. Where the profile tells what was inlined,
    these functions have shares of their own besides. What the routines of user access
    (__get_user_4, _copy_from_user) take is their caller's as well, where the profile has
    call chains. A function that is not in ``shares`` was not seen: it was not sampled, or
    it was inlined and the profile does not tell.
    """

    shares: Mapping[str, float] = field(default_factory=dict)

    def share(self, function: str | None) -> float | None:
        """The percentage of a function as the source names it, None if it was not seen."""
        return None if function is None else self.shares.get(canonical(function))

    def above(self, percent: float) -> frozenset[str]:
        """The functions that have at least this share."""
        return frozenset(f for f, share in self.shares.items() if share >= percent)


@cache
def canonical(name: str) -> str:
    """The name that a function has in the source.

    The compiler's clones (``.isra.0``, ``.constprop.0``, ``.part.0``, ``.cold``), powerpc's entry dot, an
    offset and the prefixes of system calls are taken away.
    """
    name = name.partition("+0x")[0].lstrip(".").partition(".")[0]
    return _CALL.sub("", name, count=1) if _CALL.match(name) else name


@cache
def is_routine(name: str) -> bool:
    """Whether a function is one that a get_user() or a copy is made of."""
    return _ROUTINE.fullmatch(canonical(name)) is not None


@cache
def is_kernel(object_name: str) -> bool:
    """Whether what perf calls a shared object is the kernel or a module."""
    return _KERNEL.match(object_name) is not None


def counts_time(event: str) -> bool:
    """Whether an event tells where the processor spends its time."""
    return _TIME.match(event) is not None


def main_event(amounts: Mapping[str, float]) -> str | None:
    """Which of several events is used: one that counts time, and of those the largest."""
    return max(amounts, key=lambda e: (counts_time(e), amounts[e]), default=None)


def charged(chain: Sequence[Frame]) -> list[str]:
    """The functions that a sample belongs to, ``chain`` beginning with the innermost.

    That is the first one, and each next one as long as what came before is a part of it.
    """
    names: list[str] = []
    for frame in chain:
        name = canonical(frame.name)
        if name not in names:
            names.append(name)
        if not frame.inlined and not is_routine(name):
            break
    return names


def profile(
    weights: Iterable[tuple[Sequence[str], float]], total: float = 100.0
) -> Profile:
    """A profile of pieces: to whom they belong, and how much of ``total`` they are."""
    shares: dict[str, float] = defaultdict(float)
    for names, weight in weights:
        for name in names:
            shares[name] += 100.0 * weight / total
    # More digits than perf prints would be those of the sum.
    return Profile({name: round(share, 4) for name, share in shares.items()})
