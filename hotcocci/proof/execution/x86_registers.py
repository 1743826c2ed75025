# SPDX-License-Identifier: GPL-2.0
"""The emulator's names for x86's registers, by their width."""

from __future__ import annotations

from dataclasses import dataclass

from unicorn import x86_const as uc


@dataclass(frozen=True)
class Registers:
    """Registers by what they are used for.

    ``size`` is their bytes. ``numbered`` are in the order of pt_regs_nr() (struct pt_regs,
    arch/x86/include/asm/insn-eval.h), ``arguments`` in that of the calling convention.
    ``spoiled`` are those that a call may change.
    """

    size: int
    ax: int
    cx: int
    dx: int
    di: int
    si: int
    sp: int
    ip: int
    numbered: tuple[int, ...]
    arguments: tuple[int, ...]
    spoiled: tuple[int, ...]

    @property
    def mask(self) -> int:
        """A number of all ones."""
        return (1 << 8 * self.size) - 1


def _named(*names: str) -> tuple[int, ...]:
    return tuple(int(getattr(uc, f"UC_X86_REG_{name.upper()}")) for name in names)


def _registers(size: int, letter: str, arguments: str, others: str) -> Registers:
    low = _named(*(letter + n for n in "ax cx dx bx sp bp si di".split()))
    passed = _named(*arguments.split())
    more = _named(*others.split())
    return Registers(
        size,
        ax=low[0],
        cx=low[1],
        dx=low[2],
        di=low[7],
        si=low[6],
        sp=low[4],
        ip=_named(letter + "ip")[0],
        numbered=(*low, *more),
        arguments=passed,
        spoiled=tuple(dict.fromkeys((*passed, *more[:4]))),
    )


WIDE = _registers(8, "r", "rdi rsi rdx rcx r8 r9", "r8 r9 r10 r11 r12 r13 r14 r15")
# -mregparm=3
NARROW = _registers(4, "e", "eax edx ecx", "")
