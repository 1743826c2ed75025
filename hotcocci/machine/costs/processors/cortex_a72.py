# SPDX-License-Identifier: GPL-2.0
"""Arm Cortex-A72, which has no PAN."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

CORTEX_A72 = Processor(
    name="Cortex-A72",
    targets=("arm64",),
    mca="cortex-a72",
    rate=Cost(1.8),
    open=Cost(10, "estimated; msr TTBR0_EL1, without its isb"),
    close=Cost(10, "estimated; as opening"),
    fence=Cost(12, "estimated; isb empties the pipeline"),
    call=Cost(1),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(15),
    mainstream=False,
)
