# SPDX-License-Identifier: GPL-2.0
"""Running 32-bit PowerPC code: good rewrites pass, broken ones are detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_texts import BROKEN, DETAILS, GOOD, executed

from hotcocci.findings import DIFFERENT, PERMITTED, PROVEN, SAME
from hotcocci.proof.execution.powerpc_code import decode, fields
from hotcocci.proof.execution.processor import (
    BRANCH,
    COMPARE,
    PLAIN,
    SYSTEM,
    TRAP,
)


@pytest.mark.parametrize("target", ["powerpc-8xx", "powerpc-book3s32"])
def test_broken_rewrites_are_detected(
    target: str, linux_tree: Path, tmp_path: Path
) -> None:
    results = executed(linux_tree, target, tmp_path, (*GOOD, *BROKEN))

    for name in (v.name for v in GOOD):
        assert results[name].verdict in (SAME, PERMITTED, PROVEN), results[name].detail
        assert results[name].runs > results[name].faults > 20, results[name]
    for name in (v.name for v in BROKEN):
        assert results[name].verdict == DIFFERENT, results[name]
        assert DETAILS.get(name, "") in results[name].detail, results[name]


@pytest.mark.parametrize(
    ("word", "kind", "size", "stores"),
    [
        (0x90690004, PLAIN, 4, True),  # stw r3,4(r9)
        (0x88A30001, PLAIN, 1, False),  # lbz r5,1(r3)
        (0x7C64292E, PLAIN, 4, True),  # stwx r3,r4,r5
        (0x7C0B37EC, SYSTEM, 16, True),  # dcbz r11,r6
        (0x4E800020, PLAIN, 0, False),  # blr
        (0x4082FFF8, BRANCH, 0, False),  # bne
        (0x42000008, BRANCH, 0, False),  # bdnz
        (0x0FE00000, TRAP, 0, False),  # twui r0,0
    ],
)
def test_instructions(word: int, kind: str, size: int, stores: bool) -> None:
    step = decode(word, 16)

    assert (step.kind, step.size, step.stores) == (kind, size, stores)


@pytest.mark.parametrize(
    ("word", "number", "mask"),
    [
        (0x2C03FFF2, 0xFFFFFFF2, False),  # cmpwi r3,-14
        (0x2803FFF2, 0xFFF2, False),  # cmplwi r3,65522
        (0x70690001, 1, True),  # andi. r9,r3,1
        (0x74698000, 0x80000000, True),  # andis. r9,r3,32768
        (0x546907FF, 1, True),  # clrlwi. r9,r3,31
        (0x546907BD, 2, True),  # rlwinm. r9,r3,0,30,30
        (0x5469463F, 0xFF000000, True),  # srwi. r9,r3,24
        (0x546907C1, 0x80000001, True),  # rlwinm. r9,r3,0,31,0
        (0x7C691B79, 0, False),  # mr. r9,r3
    ],
)
def test_comparisons(word: int, number: int, mask: bool) -> None:
    step = decode(word, 16)

    assert (step.kind, step.mask) == (COMPARE, mask)
    assert step.operands[1].number == number


def test_values_written_to_unlock() -> None:
    """mtspr 794,r9 and mfspr r9,794; mtsrin r9,r4 and mfsrin r9,r4."""
    assert fields(0x7D3AC3A6) == (9, False, 0, None)
    assert fields(0x7D3AC2A6) == (9, True, 0, None)
    assert fields(0x7D2021E4) == (9, False, None, 4)
    assert fields(0x7D202526) == (9, True, None, 4)
    assert all(
        decode(word, 32).kind == SYSTEM
        for word in (0x7D3AC3A6, 0x7D3AC2A6, 0x7D2021E4, 0x7D202526)
    )
