# SPDX-License-Identifier: GPL-2.0
"""Intel Ice Lake server."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

ICELAKE = Processor(
    name="Ice Lake",
    targets=("x86-64", "i386"),
    mca="icelake-server",
    rate=Cost(3),
    open=Cost(9, "estimated; user mode has no stac"),
    close=Cost(9, "estimated; user mode has no stac"),
    fence=Cost(10),
    call=Cost(1),
    thunk=Cost(2, "its_return_thunk, a jump (arch/x86/lib/retpoline.S); estimated"),
    copies=Copies(
        ((64, 10), (128, 15)), "estimated; FSRM: Intel optimization manual, 3.7.6.1"
    ),
    mispredicted=Cost(
        17, "Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs"
    ),
)
