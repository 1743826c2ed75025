# SPDX-License-Identifier: GPL-2.0
"""Select the processor for a build."""

from __future__ import annotations

from hotcocci.proof.execution import arm64, powerpc
from hotcocci.proof.execution.numbers import numbers
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.execution.x86 import X86Processor
from hotcocci.tree.build import Build

POWERPC = ("TASK_SIZE", "PAGE_OFFSET", "L1_CACHE_BYTES")
KUAP = "offsetof(struct task_struct, thread.kuap)"

ARM64 = ("TASK_SIZE_MAX", "offsetof(struct thread_info, ttbr0)")


def processor_for(build: Build) -> Processor | None:
    """Return the processor for a build's target, None if there is none.

    clang builds have none: the compiler flags for the emulator are gcc's. Raises ExecutionError if
    constants of the tree cannot be read, and BuildError if there is no compiler.
    """
    name = build.target.name
    if name == "x86-64":
        return X86Processor(build.tree)
    if name == "powerpc-8xx":
        return powerpc.PowerPC32(powerpc.Numbers(*numbers(build, POWERPC)))
    if name == "powerpc-book3s32":
        return powerpc.PowerPC32(powerpc.Numbers(*numbers(build, (*POWERPC, KUAP))))
    if name == "arm64":
        return arm64.Arm64(arm64.Numbers(*numbers(build, ARM64)))
    return None
