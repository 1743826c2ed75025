# SPDX-License-Identifier: GPL-2.0
"""The targets that files can be compiled for, one data file each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hotcocci.tree.target import Target
from hotcocci.tree.targets.arm64 import ARM64
from hotcocci.tree.targets.clang import CLANG_KERNELS, X86_64_CLANG
from hotcocci.tree.targets.host import HOST
from hotcocci.tree.targets.i386 import I386
from hotcocci.tree.targets.powerpc_8xx import POWERPC_8XX
from hotcocci.tree.targets.powerpc_book3s32 import POWERPC_BOOK3S32
from hotcocci.tree.targets.powerpc_book3s64 import POWERPC_BOOK3S64
from hotcocci.tree.targets.x86_64 import X86_64

# Kernels whose object code shows where user access is open.
KERNELS = (X86_64, I386, ARM64, POWERPC_8XX, POWERPC_BOOK3S32, POWERPC_BOOK3S64)

TARGETS: dict[str, Target] = {
    target.name: target for target in (*KERNELS, *CLANG_KERNELS, HOST)
}
# The name of a file that only 64-bit kernels have. Code for 32 bits may be theirs, too, for compat.
_FOR_64_BITS = re.compile(r"_64[._]")
# Their names on the command line, and the word for all of them
NAMES = tuple(target.name for target in KERNELS)
ALL = "all"


def usual(tree: Path) -> Target:
    """The default target of a tree: x86-64, or this machine if it is not a whole kernel."""
    return X86_64 if (tree / "scripts/kconfig").is_dir() else HOST


def compiled_for(file: str, everywhere: bool = False) -> tuple[Target, ...]:
    """The kernels to compile a file for, by its name alone.

    A file in arch/ is compiled for all targets of its architecture, which may open user access
    in different ways, unless its name says that it is for 64 bits; any other file for x86-64, or for
    all with ``everywhere``. Empty for an architecture without a target.
    """
    parts = file.split("/")
    if parts[0] == "arch" and len(parts) > 2:
        least = 64 if _FOR_64_BITS.search(parts[-1]) else 32
        return tuple(t for t in KERNELS if t.folder == parts[1] and t.bits >= least)
    return KERNELS if everywhere else (X86_64,)


def among(names: Sequence[str], file: str) -> tuple[Target, ...]:
    """The named kernels that a file of the tree can be compiled for."""
    wanted = {*NAMES} if ALL in names else {*names}
    return tuple(t for t in compiled_for(file, everywhere=True) if t.name in wanted)


def clang_for(file: str) -> tuple[Target, ...]:
    """The clang kernels to run clang-tidy on a file with, by its name alone.

    All of an architecture, as some files are only built for one of them. Empty for an
    architecture without a target.
    """
    parts = file.split("/")
    if parts[0] == "arch" and len(parts) > 2:
        return tuple(t for t in CLANG_KERNELS if t.folder == parts[1])
    return (X86_64_CLANG,)
