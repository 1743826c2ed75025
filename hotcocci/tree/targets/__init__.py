# SPDX-License-Identifier: GPL-2.0
"""The targets that files can be compiled for, one data file each."""

from __future__ import annotations

from hotcocci.tree.target import Target
from hotcocci.tree.targets.powerpc_8xx import POWERPC_8XX
from hotcocci.tree.targets.x86_64 import X86_64

TARGETS: dict[str, Target] = {target.name: target for target in (X86_64, POWERPC_8XX)}
