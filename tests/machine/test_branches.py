# SPDX-License-Identifier: GPL-2.0
"""Branches and special registers as decoded by all machine code readers."""

import pytest

from hotcocci.machine import arm64, powerpc

ARM64 = {
    0x14000001: 4,  # b
    0x97FFFFFF: -4,  # bl
    0x54000040: 8,  # b.eq
    0xB4FFFFE0: -4,  # cbz x0
    0x3607FFE0: -4,  # tbz w0, #0
    0xD65F03C0: None,  # ret
    0xF9400000: None,  # ldr x0, [x0]
}
POWERPC = {
    0x48000004: 4,  # b
    0x4BFFFFFD: -4,  # bl
    0x4182FFF8: -8,  # beq
}
CONDITIONAL = {
    0x4182FFF8: True,  # beq
    0x4D820020: True,  # beqlr
    0x4E800020: False,  # blr
    0x4E800420: False,  # bctr
    0x429F0005: False,  # bcl 20,31,.+4
    0x60000000: False,  # nop
}


@pytest.mark.parametrize(
    ("reader", "known"),
    [
        (arm64.distance, ARM64),
        (powerpc.distance, POWERPC),
        (powerpc.is_conditional, CONDITIONAL),
    ],
    ids=["arm64", "powerpc", "conditions"],
)
def test_branches(reader, known):
    assert {hex(word): reader(word) for word in known} == {
        hex(word): wanted for word, wanted in known.items()
    }


def test_special_registers():
    # mtspr SPRN_MD_AP, r9, and msr ttbr0_el1, x3
    assert powerpc.spr(0x7D3AC3A6) == powerpc.MD_AP
    assert 0xD5182003 in arm64.MSR_TTBR0
