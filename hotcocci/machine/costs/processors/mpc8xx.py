# SPDX-License-Identifier: GPL-2.0
"""Freescale MPC8xx."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

MPC8XX = Processor(
    name="MPC8xx",
    targets=("powerpc-8xx",),
    mca="",
    rate=Cost(0.9, "single issue (MPC801 manual)"),
    open=Cost(3, "estimated; mtspr serializes execution (MPC801 manual, 6.2.6)"),
    close=Cost(3, "estimated; as opening"),
    fence=Cost(5),
    call=Cost(2),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(3),
    mainstream=False,
)
