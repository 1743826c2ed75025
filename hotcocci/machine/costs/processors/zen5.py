# SPDX-License-Identifier: GPL-2.0
"""AMD Zen 5 (EPYC 9005, Ryzen 9000)."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

ZEN5 = Processor(
    name="Zen 5",
    targets=("x86-64", "i386"),
    mca="znver5",
    rate=Cost(3.5, "benchmarks/results/by-hand.md, Zen 5: 2 to 4 in simple code"),
    open=Cost(8, "estimated; user mode has no stac"),
    close=Cost(8, "estimated; user mode has no stac"),
    fence=Cost(
        8,
        "benchmarks/results/by-hand.md, Zen 5: 16 between independent instructions, about 0 in whole functions",
    ),
    call=Cost(1, "benchmarks/results/by-hand.md, Zen 5: 0 to 3"),
    thunk=Cost(0, "SRSO_USER_KERNEL_NO; an SRSO thunk would be 60"),
    copies=Copies(
        ((64, 1), (128, 42)),
        "benchmarks/results/by-hand.md, Zen 5: rep movsb, less what whole functions showed too dear",
    ),
    mispredicted=Cost(15),
)
