# SPDX-License-Identifier: GPL-2.0
"""Intel Sapphire Rapids."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

SAPPHIRERAPIDS = Processor(
    name="Sapphire Rapids",
    targets=("x86-64", "i386"),
    mca="sapphirerapids",
    rate=Cost(3.5),
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
