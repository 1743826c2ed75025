# SPDX-License-Identifier: GPL-2.0
"""Colour on a terminal, and only there."""

from __future__ import annotations

import io
import re

import pytest

from hotcocci.cli import colour

DIFF = "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-\x0cold\n+new\n same\n"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("TERM", "xterm", True),
        ("TERM", "dumb", False),
        ("NO_COLOR", "1", False),
        ("NO_COLOR", "", True),
    ],
)
def test_no_colour_if_not_wanted(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, wanted: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    assert colour.wanted(_Terminal()) == wanted
    assert not colour.wanted(io.StringIO())


def test_only_colour_is_added_to_a_diff() -> None:
    coloured = colour.diff(DIFF)
    assert "\x1b[31m-\x0cold\x1b[0m\n\x1b[32m+new\x1b[0m\n same\n" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == DIFF
