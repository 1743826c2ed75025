# SPDX-License-Identifier: GPL-2.0
"""Select the symbolic model of an architecture."""

from __future__ import annotations

from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.arm64 import Arm64
from hotcocci.proof.symbolic.powerpc import PowerPC32
from hotcocci.proof.symbolic.x86 import X86


def architecture(target: str, processor: Processor) -> Architecture:
    """Return the architecture of a target that has a processor (processors.py)."""
    if target == "arm64":
        return Arm64(processor)
    if target.startswith("powerpc-"):
        return PowerPC32(processor, target == "powerpc-book3s32")
    return X86()
