# SPDX-License-Identifier: GPL-2.0
"""The targets that files can be compiled for, one data file each."""

from __future__ import annotations

from pathlib import Path

from hotcocci.tree.target import Target
from hotcocci.tree.targets.host import HOST
from hotcocci.tree.targets.powerpc_8xx import POWERPC_8XX
from hotcocci.tree.targets.x86_64 import X86_64

TARGETS: dict[str, Target] = {
    target.name: target for target in (X86_64, POWERPC_8XX, HOST)
}


def usual(tree: Path) -> Target:
    """What the files of a tree are compiled for if nobody says: a kernel for x86-64."""
    return X86_64 if (tree / "scripts/kconfig").is_dir() else HOST
