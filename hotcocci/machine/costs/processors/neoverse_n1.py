# SPDX-License-Identifier: GPL-2.0
"""Arm Neoverse N1."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

NEOVERSE_N1 = Processor(
    name="Neoverse N1",
    targets=("arm64",),
    mca="neoverse-n1",
    rate=Cost(2.5),
    open=Cost(
        -2.5,
        "estimated; PAN needs no switch for ldtr and sttr: its counted code is skipped",
    ),
    close=Cost(
        -2.5,
        "estimated; PAN needs no switch for ldtr and sttr: its counted code is skipped",
    ),
    fence=Cost(0, "the isb of the switch is skipped, too"),
    call=Cost(1),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(11, "Arm Neoverse N1 documentation: pipeline of 11 stages"),
)
