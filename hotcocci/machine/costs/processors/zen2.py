# SPDX-License-Identifier: GPL-2.0
"""AMD Zen 2 (EPYC 7002, Ryzen 3000)."""

from hotcocci.machine.costs.processor import Copies, Cost, Processor

ZEN2 = Processor(
    name="Zen 2",
    targets=("x86-64", "i386"),
    mca="znver2",
    rate=Cost(2.5),
    open=Cost(8, "estimated; user mode has no stac"),
    close=Cost(8, "estimated; user mode has no stac"),
    fence=Cost(12),
    call=Cost(1),
    thunk=Cost(
        19,
        "srso_return_thunk (arch/x86/lib/retpoline.S): srso_select_mitigation() runs after retbleed's; as on Zen 3",
    ),
    copies=Copies(
        ((4, 1), (8, 0), (16, 1), (64, 7)),
        "rep_movs_alternative, as measured on Zen 3 without FSRM, less 14 instructions",
    ),
    mispredicted=Cost(
        18, "Agner Fog, The microarchitecture of Intel, AMD and VIA CPUs"
    ),
)
