# SPDX-License-Identifier: GPL-2.0
"""Replace stac and clac, which user mode does not have, by something that costs as much.

The file and the tree's access routines are compiled with our own asm/smap.h found first, which
makes them macros of the assembler. So one compilation is assembled with several stand-ins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER = "asm/smap.h"
MACROS = "hotcocci-switch.inc"

SHADOW = f"""
#include_next <asm/smap.h>

#ifndef HOTCOCCI_SWITCHES
#define HOTCOCCI_SWITCHES

#undef ASM_STAC
#undef ASM_CLAC
#ifdef __ASSEMBLER__
.include "{MACROS}"
#define ASM_STAC	hotcocci_switch
#define ASM_CLAC	hotcocci_switch
#else
asm(".include \\"{MACROS}\\"");
#define ASM_STAC	"hotcocci_switch"
#define ASM_CLAC	"hotcocci_switch"
#define stac()		asm volatile("hotcocci_switch" : : : "memory", "cc")
#define clac()		asm volatile("hotcocci_switch" : : : "memory", "cc")
#endif
#undef ASM_STAC_UNSAFE
#undef ASM_CLAC_UNSAFE
#define ASM_STAC_UNSAFE	ASM_STAC
#define ASM_CLAC_UNSAFE	ASM_CLAC

#endif
"""
# Cycles of one multiplication, which changes no register but the flags.
STEP = 3


@dataclass(frozen=True)
class StandIn:
    """The replacement of stac and clac: a chain of ``cycles`` cycles, or an LFENCE.

    The chain is of multiplications of the stack pointer by 1, on which all of the stack depends; 0
    are three one-byte nops, as long as the instruction.
    """

    cycles: int = 0
    fence: bool = False

    @property
    def name(self) -> str:
        """The stand-in as it is printed: "12 cycles" or "lfence"."""
        return "lfence" if self.fence else f"{self.cycles} cycles"

    @property
    def code(self) -> str:
        """Its assembly."""
        if self.fence:
            return "lfence"
        steps = self.cycles // STEP
        return "\n".join(["imul $1, %rsp, %rsp"] * steps or ["nop"] * 3)


# A cheap, a likely and a dear stac or clac, and one that waits for all earlier instructions.
STAND_INS = (StandIn(0), StandIn(6), StandIn(12), StandIn(24), StandIn(fence=True))


def flags(scratch: Path) -> tuple[str, ...]:
    """Compiler flags that use the header, which is written below ``scratch``."""
    header = scratch / "switches" / HEADER
    if not header.exists():
        header.parent.mkdir(parents=True)
        header.write_text(SHADOW)
    return (f"-I{scratch / 'switches'}",)


def assembler_flags(scratch: Path, stand_in: StandIn) -> Sequence[str]:
    """Flags of the assembler that select a stand-in; its macro is written below ``scratch``."""
    folder = scratch / stand_in.name.replace(" ", "-")
    folder.mkdir(exist_ok=True)
    (folder / MACROS).write_text(f".macro hotcocci_switch\n{stand_in.code}\n.endm\n")
    return (f"-Wa,-I{folder}",)
