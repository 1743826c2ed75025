# SPDX-License-Identifier: GPL-2.0
"""Intel Granite Rapids."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

GRANITERAPIDS = Processor(
    name="Granite Rapids",
    targets=("x86-64", "i386"),
    mca="graniterapids",
    rate=Cost(3.6),
    open=Cost(9, "estimated; user mode has no stac"),
    close=Cost(9, "estimated; user mode has no stac"),
    fence=Cost(10),
    call=Cost(1),
    thunk=Cost(0, "no return thunks by default (arch/x86/kernel/cpu/bugs.c)"),
    copies=Copies(
        ((64, 10), (128, 14)), "estimated; FSRM: Intel optimization manual, 3.7.6.1"
    ),
    mispredicted=Cost(17),
)
