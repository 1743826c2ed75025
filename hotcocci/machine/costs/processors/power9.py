# SPDX-License-Identifier: GPL-2.0
"""IBM POWER9."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

POWER9 = Processor(
    name="POWER9",
    targets=("powerpc-book3s64",),
    mca="pwr9",
    rate=Cost(2.5),
    open=Cost(8, "estimated; mtspr AMR, without its isync"),
    close=Cost(8, "estimated; as opening"),
    fence=Cost(12),
    call=Cost(2),
    thunk=Cost(0, "no return thunks"),
    copies=Copies(((64, 0),), "counted as instructions"),
    mispredicted=Cost(16),
)
