# SPDX-License-Identifier: GPL-2.0
"""32-bit PowerPC code: instructions that access memory, and unlock it."""

from __future__ import annotations

import pytest

from hotcocci.proof.execution.powerpc import decode, fields
from hotcocci.proof.execution.processor import PLAIN, SYSTEM, TRAP


@pytest.mark.parametrize(
    ("word", "kind", "size", "stores"),
    [
        (0x90690004, PLAIN, 4, True),  # stw r3,4(r9)
        (0x88A30001, PLAIN, 1, False),  # lbz r5,1(r3)
        (0x7C64292E, PLAIN, 4, True),  # stwx r3,r4,r5
        (0x7C0B37EC, SYSTEM, 16, True),  # dcbz r11,r6
        (0x4E800020, PLAIN, 0, False),  # blr
        (0x0FE00000, TRAP, 0, False),  # twui r0,0
    ],
)
def test_instructions(word: int, kind: str, size: int, stores: bool) -> None:
    step = decode(word, 16)

    assert (step.kind, step.size, step.stores) == (kind, size, stores)


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
