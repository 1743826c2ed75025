# SPDX-License-Identifier: GPL-2.0
"""The machines to get type layouts for, and the layout of a type on one of them."""

from dataclasses import dataclass
from typing import Any

from hotcocci.c.headers import arch_of
from hotcocci.c.model import RECORD


@dataclass(frozen=True)
class Machine:
    """A clang target: triple, directory in arch/, size of a long in bytes, Kconfig symbols."""

    triple: str
    arch: str
    word: int
    settings: tuple[str, ...]


X86_64 = Machine("x86_64-linux-gnu", "x86", 8, ("64BIT", "X86", "X86_64"))
I386 = Machine("i386-linux-gnu", "x86", 4, ("32BIT", "X86", "X86_32"))
ARM = Machine("arm-linux-gnueabi", "arm", 4, ("32BIT", "ARM"))
ARM64 = Machine("aarch64-linux-gnu", "arm64", 8, ("64BIT", "ARM64"))
PPC32 = Machine("powerpc-linux-gnu", "powerpc", 4, ("32BIT", "PPC", "PPC32"))
PPC64 = Machine("powerpc64-linux-gnu", "powerpc", 8, ("64BIT", "PPC", "PPC64"))
MIPS = Machine("mips-linux-gnu", "mips", 4, ("32BIT", "MIPS"))
MIPS64 = Machine("mips64-linux-gnuabi64", "mips", 8, ("64BIT", "MIPS"))
S390 = Machine("s390x-linux-gnu", "s390", 8, ("64BIT", "S390"))
SPARC64 = Machine("sparc64-linux-gnu", "sparc", 8, ("64BIT", "SPARC", "SPARC64"))
RISCV64 = Machine("riscv64-linux-gnu", "riscv", 8, ("64BIT", "RISCV"))

# 32 bit, 32 bit with eight-byte types aligned to four, and 64 bit.
GENERIC = (ARM, I386, X86_64)
# Other machines that compile generic code; first the one that differs most often, after which none is asked.
ELSEWHERE = (MIPS, ARM64, PPC32, PPC64, MIPS64, S390, SPARC64, RISCV64)
# The same three for files of one architecture, as far as it has them.
OWN = {
    "x86": (I386, I386, X86_64),
    "arm": (ARM, ARM, ARM),
    "arm64": (ARM64, ARM64, ARM64),
    "powerpc": (PPC32, PPC32, PPC64),
    "mips": (MIPS, MIPS, MIPS64),
    "s390": (S390, S390, S390),
    "sparc": (SPARC64, SPARC64, SPARC64),
    "riscv": (RISCV64, RISCV64, RISCV64),
}


def machines_for(
    file: str,
) -> tuple[tuple[Machine, Machine, Machine], tuple[Machine, ...]]:
    """The three machines whose sizes are used for a file, and others that must agree."""
    own = OWN.get(arch_of(file))
    return (own, ()) if own is not None else (GENERIC, ELSEWHERE)


@dataclass(frozen=True)
class Placed:
    """A scalar in a record: its path ``.a.b[1]``, its offset and its size in bytes."""

    path: str
    kind: str
    offset: int
    size: int


@dataclass(frozen=True)
class LaidOut:
    """A type on one machine; ``scalars`` is None if they cannot all be named, or share bytes."""

    kind: str
    size: int
    align: int
    word: int
    on_x86: bool
    scalars: tuple[Placed, ...] | None

    @property
    def parts(self) -> tuple[Placed, ...]:
        """Its scalars, or itself if it is one; empty if they cannot all be named."""
        if self.kind != RECORD:
            return (Placed("", self.kind, 0, self.size),)
        return self.scalars or ()

    @property
    def padding(self) -> bool:
        """Whether some bytes belong to no scalar; False if the scalars are unknown."""
        end = 0
        for one in self.scalars or ():
            if one.offset != end:
                return True
            end = one.offset + one.size
        return bool(self.scalars) and end != self.size

    @property
    def aligned(self) -> bool:
        """Whether all scalars and the whole type are naturally aligned."""
        scalars = self.scalars or ()
        widest = max((one.size for one in scalars), default=1)
        return self.align >= widest and not any(s.offset % s.size for s in scalars)


def laid_out(said: dict[str, Any], machine: Machine) -> LaidOut:
    """The layout of a type as `hotcocci.c.libclang` prints it."""
    scalars = said["scalars"] and tuple(Placed(*each) for each in said["scalars"])
    x86 = machine.arch == "x86"
    return LaidOut(
        said["kind"], said["size"], said["align"], machine.word, x86, scalars
    )
