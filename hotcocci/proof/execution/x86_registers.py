# SPDX-License-Identifier: GPL-2.0
"""The emulator's names of x86 registers, by width."""

from __future__ import annotations

from dataclasses import dataclass

from unicorn import x86_const as uc

# In the order of pt_regs_nr() (struct pt_regs, arch/x86/include/asm/insn-eval.h).
GENERAL = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15"
ARGUMENTS = "rdi rsi rdx rcx r8 r9"


@dataclass(frozen=True)
class Registers:
    """Registers by use.

    ``size`` is their size in bytes. ``numbered`` are in the order of GENERAL, ``arguments`` in that of
    the calling convention. ``spoiled`` are those that a call may change.
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
        """A mask of all bits of a register."""
        return (1 << 8 * self.size) - 1


def _named(names: str) -> tuple[int, ...]:
    return tuple(int(getattr(uc, f"UC_X86_REG_{n.upper()}")) for n in names.split())


def _registers(size: int, general: str, arguments: str) -> Registers:
    numbered, passed = _named(general), _named(arguments)
    return Registers(
        size,
        ax=numbered[0],
        cx=numbered[1],
        dx=numbered[2],
        di=numbered[7],
        si=numbered[6],
        sp=numbered[4],
        ip=_named("rip" if size == 8 else "eip")[0],
        numbered=numbered,
        arguments=passed,
        spoiled=tuple(dict.fromkeys((*passed, *numbered[8:12]))),
    )


WIDE = _registers(8, GENERAL, ARGUMENTS)
# -mregparm=3
NARROW = _registers(4, "eax ecx edx ebx esp ebp esi edi", "eax edx ecx")
