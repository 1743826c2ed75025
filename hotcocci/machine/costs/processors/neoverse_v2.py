# SPDX-License-Identifier: GPL-2.0
"""Arm Neoverse V2."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

NEOVERSE_V2 = Processor(
    name="Neoverse V2",
    targets=("arm64",),
    mca="neoverse-v2",
    rate=Cost(3.5),
    open=Cost(
        -2,
        "estimated; PAN needs no switch for ldtr and sttr: its counted code is skipped",
    ),
    close=Cost(
        -2,
        "estimated; PAN needs no switch for ldtr and sttr: its counted code is skipped",
    ),
    fence=Cost(0, "the isb of the switch is skipped, too"),
    call=Cost(1),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(11),
)
