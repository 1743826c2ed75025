# SPDX-License-Identifier: GPL-2.0
"""Freescale e300, a 603 core."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

E300 = Processor(
    name="e300",
    targets=("powerpc-book3s32",),
    mca="",
    rate=Cost(1.2),
    open=Cost(2, "estimated; mtsr, without its isync"),
    close=Cost(2, "estimated; mtsr, without its isync"),
    fence=Cost(5),
    call=Cost(2),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(4),
    mainstream=False,
)
