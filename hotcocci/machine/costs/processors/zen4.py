# SPDX-License-Identifier: GPL-2.0
"""AMD Zen 4 (EPYC 9004, Ryzen 7000)."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

ZEN4 = Processor(
    name="Zen 4",
    targets=("x86-64", "i386"),
    mca="znver4",
    rate=Cost(3.2),
    open=Cost(8, "estimated; user mode has no stac"),
    close=Cost(8, "estimated; user mode has no stac"),
    fence=Cost(16, "estimated; between Zen 3 and Zen 5"),
    call=Cost(1),
    thunk=Cost(20, "estimated; as on Zen 3"),
    copies=Copies(
        ((64, 9), (128, 37)),
        "9.4 core cycles for rep movsb of 16 and of 28 bytes, native on family 25, model 17",
    ),
    mispredicted=Cost(
        13, "Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs"
    ),
)
