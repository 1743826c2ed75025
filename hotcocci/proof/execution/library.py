# SPDX-License-Identifier: GPL-2.0
"""Imitate the functions that compilers call implicitly, and list calls that have no effect here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

# Debugging and hardening checks, without effect on the caller.
IGNORED = frozenset(
    {
        "__might_fault",
        "__might_sleep",
        "__might_resched",
        "__cond_resched",
        "dynamic_might_resched",
        "__check_object_size",
        "should_fail_usercopy",
        "__virt_addr_valid",
        "__SCT__might_resched",
        "__SCT__cond_resched",
        "__tsan_func_entry",
        "__sanitizer_cov_trace_pc",
        "__rcu_read_lock",
        "lockdep_assert_in_softirq",
    }
)


# gcc knows that these read memory and write none (builtins.def).
PURE = frozenset(
    "strlen strnlen strcmp strncmp strcasecmp strncasecmp memcmp memchr bcmp "
    "strchr strrchr strstr strspn strcspn strpbrk".split()
)


# Functions that compilers call implicitly, with their number of arguments.
BUILTINS = {
    "strlen": 1,
    "strnlen": 2,
    "strcmp": 2,
    "strncmp": 3,
    "memcmp": 3,
    "bcmp": 3,
    "memchr": 3,
    "strchr": 2,
    "strrchr": 2,
    "strstr": 2,
    "strcpy": 2,
    "strncpy": 3,
    "strcat": 2,
    "__stack_chk_fail": 0,
    # Called from inline assembly (arch/x86/include/asm/preempt.h)
    "__SCT__preempt_schedule": 0,
    "__SCT__preempt_schedule_notrace": 0,
    "preempt_schedule_thunk": 0,
    "preempt_schedule_notrace_thunk": 0,
}


class Caller(Protocol):
    """The parts of a machine that this module uses."""

    def argument(self, number: int) -> int:
        """An integer argument of the current call."""

    def move(self, target: int, source: int, size: int, apart: bool) -> None:
        """memmove() between kernel addresses; memcpy() if they must be ``apart``."""

    def fill(self, target: int, byte: int, size: int) -> None:
        """memset() of a kernel address."""


def _copy(caller: Caller, apart: bool = True) -> int:
    target, source, size = (caller.argument(n) for n in range(3))
    caller.move(target, source, size, apart)
    return target


def _set(caller: Caller) -> int:
    target, byte, size = (caller.argument(n) for n in range(3))
    caller.fill(target, byte & 0xFF, size)
    return target


IMITATED: dict[str, Callable[[Caller], int]] = {
    "memcpy": _copy,
    "__memcpy": _copy,
    "memmove": partial(_copy, apart=False),
    "__memmove": partial(_copy, apart=False),
    "memset": _set,
    "__memset": _set,
}


def imitate(name: str, caller: Caller) -> int | None:
    """Imitate a function; return its result, or None if it is not imitated."""
    found = IMITATED.get(name)
    return found(caller) if found else None
