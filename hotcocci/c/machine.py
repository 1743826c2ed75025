# SPDX-License-Identifier: GPL-2.0
"""The machines to get type layouts for."""

from __future__ import annotations

from dataclasses import dataclass


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
# Other machines that compile generic code.
ELSEWHERE = (ARM64, PPC32, PPC64, MIPS, MIPS64, S390, SPARC64, RISCV64)
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
    parts = file.split("/")
    if parts[0] == "arch" and len(parts) > 2:
        own = OWN.get(parts[1])
        return (own, ()) if own is not None else (GENERIC, ELSEWHERE)
    return GENERIC, ELSEWHERE
