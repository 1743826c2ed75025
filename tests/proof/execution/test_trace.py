# SPDX-License-Identifier: GPL-2.0
"""Which results of runs are error numbers."""

from __future__ import annotations

import pytest

from hotcocci.proof.execution.trace import is_error


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        ("0xfffffff2", True),
        ("0xfffffffffffff001", True),
        ("0xfffffffffffff000", False),
        ("0x0", False),
        ("0x1", False),
        # void, and pointers that have names or contents in place of numbers
        ("", False),
        ("ops+0x8", False),
        ("stack 01020304", False),
    ],
)
def test_error_numbers(result: str, wanted: bool) -> None:
    assert is_error(result) is wanted
