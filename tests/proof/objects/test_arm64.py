# SPDX-License-Identifier: GPL-2.0
"""Relocations of ARM64 code."""

from hotcocci.proof.objects.arm64 import relocated


def test_relocations():
    # bl to a target 8 bytes back, and to one out of range
    assert relocated(0x94000000, 283, 0x1008, 0x1000) == 0x97FFFFFE
    assert relocated(0x94000000, 283, 0x1000, 0x1000 + (1 << 27)) is None
    # adrp x0 to three pages on, ldr x1, [x0, #0x128], add x0, x0, #0x128
    assert relocated(0x90000000, 275, 0x1FFC, 0x4128) == 0xF0000000
    assert relocated(0xF9400001, 286, 0x2000, 0x4128) == 0xF9409401
    assert relocated(0x91000000, 277, 0x2000, 0x4128) == 0x9104A000
    assert relocated(0, 999, 0, 0) is None
