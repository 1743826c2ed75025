# SPDX-License-Identifier: GPL-2.0
"""ARM64 code: instructions that access memory, and relocations."""

from __future__ import annotations

import pytest

from hotcocci.proof.execution.arm64 import decode, relocated
from hotcocci.proof.execution.processor import PLAIN, SYSTEM, TRAP


@pytest.mark.parametrize(
    ("word", "kind", "size", "stores", "offset"),
    [
        (0xB85FC803, PLAIN, 4, False, -4),  # ldtr w3, [x0, #-4]
        (0x78000803, PLAIN, 2, True, 0),  # sttrh w3, [x0]
        (0xF9400841, PLAIN, 8, False, 16),  # ldr x1, [x2, #16]
        (0x38636841, PLAIN, 1, False, 0),  # ldrb w1, [x2, x3]
        (0xF8237841, PLAIN, 8, True, 0),  # str x1, [x2, x3, lsl #3]
        (0xB8004441, PLAIN, 4, True, 0),  # str w1, [x2], #4
        (0xC800FC41, PLAIN, 8, True, 0),  # stlxr w0, x1, [x2]
        (0x885F7C20, PLAIN, 4, False, 0),  # ldxr w0, [x1]
    ],
)
def test_accesses(word: int, kind: str, size: int, stores: bool, offset: int) -> None:
    step = decode(word)

    assert (step.kind, step.size, step.stores) == (kind, size, stores)
    assert step.access is not None
    assert step.access.offset == offset


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        (0xF9800000, PLAIN),  # prfm pldl1keep, [x0]
        (0xD65F03C0, PLAIN),  # ret
        (0xD4210000, TRAP),  # brk #0x800
        (0xD63F0060, SYSTEM),  # blr x3
        (0xD61F0200, SYSTEM),  # br x16
        (0xD53BE040, SYSTEM),  # mrs x0, cntvct_el0
    ],
)
def test_instructions_that_access_nothing(word: int, kind: str) -> None:
    step = decode(word)

    assert step.kind == kind
    assert step.access is None


def test_relocations() -> None:
    # bl to a target 8 bytes back, and to one out of range
    assert relocated(0x94000000, 283, 0x1008, 0x1000) == 0x97FFFFFE
    assert relocated(0x94000000, 283, 0x1000, 0x1000 + (1 << 27)) is None
    # adrp x0 to three pages on, ldr x1, [x0, #0x128], add x0, x0, #0x128
    assert relocated(0x90000000, 275, 0x1FFC, 0x4128) == 0xF0000000
    assert relocated(0xF9400001, 286, 0x2000, 0x4128) == 0xF9409401
    assert relocated(0x91000000, 277, 0x2000, 0x4128) == 0x9104A000
    assert relocated(0, 999, 0, 0) is None
