# SPDX-License-Identifier: GPL-2.0
"""AMD Zen 3 (EPYC 7003, Ryzen 5000)."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

ZEN3 = Processor(
    name="Zen 3",
    targets=("x86-64", "i386"),
    mca="znver3",
    rate=Cost(3),
    open=Cost(8, "estimated; user mode has no stac"),
    close=Cost(8, "estimated; user mode has no stac"),
    fence=Cost(17, "benchmarks/results/by-hand.md, Zen 3: window less masked window"),
    call=Cost(1),
    thunk=Cost(
        20, "benchmarks/results/by-hand.md, Zen 3: get_user() with two SRSO thunks"
    ),
    copies=Copies(
        ((64, 7), (128, 37)),
        "benchmarks/results/by-hand.md, Zen 3: copy_from_user() less get_user() and 14 instructions",
    ),
    mispredicted=Cost(
        13, "Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs"
    ),
)
