# SPDX-License-Identifier: GPL-2.0
"""Read one object: its lines, its windows, and the control flow of its functions."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.machine.arm64 import Arm64
from hotcocci.machine.calls import noreturn
from hotcocci.machine.code import Architecture, Marks
from hotcocci.machine.elf import (
    ARM64,
    I386,
    POWERPC,
    POWERPC64,
    X86_64,
    ElfError,
    ObjectFile,
)
from hotcocci.machine.flow import Flow
from hotcocci.machine.lines import Lines
from hotcocci.machine.powerpc import PowerPC
from hotcocci.machine.source_lines import SourceLines
from hotcocci.machine.x86 import X86
from hotcocci.tree.unit import Unit

# Written by arch/arm64/tools/gen-cpucaps.awk
CAPABILITIES = "arch/arm64/include/generated/asm/cpucap-defs.h"


class Reading:
    """The object of a unit. Raises ElfError if it cannot be read."""

    def __init__(self, unit: Unit, path: Path) -> None:
        self.object = ObjectFile(path)
        kind = architecture(self.object, unit.build.out)
        self.lines = Lines(self.object)
        self.source_lines = SourceLines(unit, self.lines)
        self.marks: Marks = kind.marks(self.object, self.lines.names)
        self.flow = Flow(
            self.object,
            kind,
            self.marks,
            noreturn(unit.build.tree),
            self.source_lines.watch,
        )


def architecture(obj: ObjectFile, out: Path) -> Architecture:
    """The decoder for an object of the build in ``out``.

    Raises ElfError for an unknown architecture.
    """
    if obj.machine in (X86_64, I386):
        return X86(obj.bits)
    if obj.machine in (POWERPC, POWERPC64):
        return PowerPC()
    if obj.machine == ARM64:
        return Arm64(_pan(out))
    raise ElfError(f"user access on {obj.machine} is not known")


@lru_cache(maxsize=4)
def _pan(out: Path) -> int:
    """The number of the capability ARM64_HAS_PAN in a build. Raises ElfError."""
    found = re.search(
        r"^#define ARM64_HAS_PAN\s+(\d+)",
        (out / CAPABILITIES).read_text(),
        re.MULTILINE,
    )
    if found is None:
        raise ElfError(f"{CAPABILITIES} does not number ARM64_HAS_PAN")
    return int(found[1])
