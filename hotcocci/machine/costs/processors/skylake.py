# SPDX-License-Identifier: GPL-2.0
"""Intel Skylake server."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

SKYLAKE = Processor(
    name="Skylake",
    targets=("x86-64", "i386"),
    mca="skylake-avx512",
    rate=Cost(2.5),
    open=Cost(9, "estimated; user mode has no stac"),
    close=Cost(9, "estimated; user mode has no stac"),
    fence=Cost(8, "estimated; 4 and what is in flight"),
    call=Cost(1),
    thunk=Cost(0, "IBRS instead of thunks (arch/x86/kernel/cpu/bugs.c)"),
    copies=Copies(
        ((4, 1), (8, 0), (16, 1), (64, 7)), "rep_movs_alternative, no FSRM; estimated"
    ),
    mispredicted=Cost(
        17, "Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs"
    ),
)
