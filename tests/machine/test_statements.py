# SPDX-License-Identifier: GPL-2.0
"""Which return statement follows a line, if the machine code does not tell."""

from pathlib import Path

import pytest

from hotcocci.c.source import Source
from hotcocci.machine.statements import exits

TEXTS = Path(__file__).with_name("statements")

TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "fault", "shown", "wanted"),
    [
        (12, False, 0, 12),
        # The window is open, so begin succeeded.
        (5, False, 0, 12),
        (7, False, 0, 12),
        (9, True, 0, 22),
        # Two returns share code: the other is not reachable from here.
        (9, True, 6, 22),
        (14, False, 0, 22),
        # An end is on every path: the return is inside the macro.
        (16, False, 0, 16),
        (20, False, 22, 22),
    ],
)
def test_exits(line, fault, shown, wanted):
    assert exits(Source("f.c", TEXT), line, fault, shown) == wanted
