# SPDX-License-Identifier: GPL-2.0
"""Running ARM64 code: good rewrites pass, broken ones are detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_texts import BROKEN, DETAILS, GOOD, executed

from hotcocci.findings import DIFFERENT, PERMITTED, PROVEN, SAME
from hotcocci.proof.execution.arm64_code import decode, relocated
from hotcocci.proof.execution.processor import (
    BRANCH,
    COMPARE,
    PLAIN,
    SYSTEM,
    TRAP,
)


def test_broken_rewrites_are_detected(linux_tree: Path, tmp_path: Path) -> None:
    results = executed(linux_tree, "arm64", tmp_path, (*GOOD, *BROKEN))

    for name in (v.name for v in GOOD):
        assert results[name].verdict in (SAME, PERMITTED, PROVEN), results[name]
        assert results[name].runs > results[name].faults > 20, results[name]
    for name in (v.name for v in BROKEN):
        assert results[name].verdict == DIFFERENT, results[name]
        assert DETAILS.get(name, "") in results[name].detail, results[name]


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
        (0x54000001, BRANCH),  # b.ne
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


@pytest.mark.parametrize(
    ("word", "kind", "size", "number", "mask", "further"),
    [
        (0xB4000000, BRANCH, 8, 0, False, False),  # cbz x0
        (0x37E00003, BRANCH, 4, 1 << 28, True, False),  # tbnz w3, #28
        (0xB6400003, BRANCH, 8, 1 << 40, True, False),  # tbz x3, #40
        (0xF13FFC1F, COMPARE, 8, 4095, False, False),  # cmp x0, #4095
        (0xF140041F, COMPARE, 8, 4096, False, False),  # cmp x0, #1, lsl #12
        (0x3100381F, COMPARE, 4, -14, False, False),  # cmn w0, #14
        (0x721C0C1F, COMPARE, 4, 0xF0, True, False),  # tst w0, #0xf0
        (0xF200F01F, COMPARE, 8, 0x5555555555555555, True, False),
        (0x7A451800, COMPARE, 4, 5, False, True),  # ccmp w0, #5, #0, ne
    ],
)
def test_comparisons_with_numbers(
    word: int, kind: str, size: int, number: int, mask: bool, further: bool
) -> None:
    step = decode(word)

    assert (step.kind, step.mask, step.further) == (kind, mask, further)
    assert step.operands[0].size == size
    ones = (1 << 8 * size) - 1
    assert step.operands[1].number & ones == number & ones


@pytest.mark.parametrize(
    ("word", "size"),
    [
        (0x6B02003F, 4),  # cmp w1, w2
        (0xEB21401F, 4),  # cmp x0, w1, uxtw
        (0xEA04007F, 8),  # tst x3, x4
        (0xFA411000, 8),  # ccmp x0, x1, #0, ne
    ],
)
def test_comparisons_with_registers(word: int, size: int) -> None:
    step = decode(word)

    assert step.kind == COMPARE
    assert step.operands[1].register
    assert step.operands[1].size == size


def test_relocations() -> None:
    # bl to a target 8 bytes back, and to one out of range
    assert relocated(0x94000000, 283, 0x1008, 0x1000) == 0x97FFFFFE
    assert relocated(0x94000000, 283, 0x1000, 0x1000 + (1 << 27)) is None
    # adrp x0 to three pages on, ldr x1, [x0, #0x128], add x0, x0, #0x128
    assert relocated(0x90000000, 275, 0x1FFC, 0x4128) == 0xF0000000
    assert relocated(0xF9400001, 286, 0x2000, 0x4128) == 0xF9409401
    assert relocated(0x91000000, 277, 0x2000, 0x4128) == 0x9104A000
    assert relocated(0, 999, 0, 0) is None
