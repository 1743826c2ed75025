# SPDX-License-Identifier: GPL-2.0
"""Parsing suppression comments."""

from __future__ import annotations

import pytest

from hotcocci.pipeline.filtering import allowances


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x; /* hotcocci: allow UW05 - checked by the caller */\n", [("UW05", 1, "")]),
        ("x; // hotcocci: allow UW05: checked\n", [("UW05", 1, "")]),
        ("/* hotcocci: allow UW05 \u2014 checked */\nx;\n", [("UW05", 2, "")]),
        ("\t/*\n\t * hotcocci: allow UW05 - checked\n\t */\n\tx;\n", [("UW05", 4, "")]),
        (
            "x; /* hotcocci: allow UW05, UW22 - both */\n",
            [("UW05", 1, ""), ("UW22", 1, "")],
        ),
        ("x; /* hotcocci: allow UA101 - once */\n", [("UA101", 1, "")]),
        ('char *s = "hotcocci: allow UW05 - no comment";\n', []),
        ("/* allow UW05 - not to us */\n", []),
    ],
)
def test_parsed_comments(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert [(a.rule, a.target, a.complaint) for a in allowances(text)] == expected
