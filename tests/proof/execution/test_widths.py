# SPDX-License-Identifier: GPL-2.0
"""A counter that a change makes narrower is named, whatever it is called now."""

from __future__ import annotations

import pytest

from hotcocci.proof.execution.differing import Text
from hotcocci.proof.execution.widths import narrower

LOOPS = """\
static unsigned long sum(const char *s, unsigned long n)
{
	unsigned long i, found = 0;

	for (i = 0; i < n; i++)
		found += s[i];
	return found;
}
"""
STRAIGHT = "int sum(int a)\n{\n\tint b = a;\n\n\treturn b;\n}\n"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("unsigned long i,", "u16 i,", "i has 2 bytes instead of 8"),
        ("unsigned long n", "int n", "n has 4 bytes instead of 8"),
        (
            "unsigned long i, found = 0",
            "u32 found = 0, i",
            "found has 4 bytes instead of 8",
        ),
        ("found += s[i]", "found += s[(u16)i]", "(u16) may cut a number"),
        ("i++", "i = (i + 1) & 0xffff", "0xffff may cut a number"),
        ("unsigned long i, found", "size_t i, found", ""),
        ("i++", "++i", ""),
        ("\treturn", "\tint last = 0;\n\n\treturn", ""),
    ],
)
def test_narrower_counters(old: str, new: str, says: str) -> None:
    texts = [Text("a.c", text) for text in (LOOPS, LOOPS.replace(old, new))]
    assert narrower(texts[0], texts[1], 8) == says


def test_a_renamed_counter() -> None:
    new = "\n".join(
        line.replace(" i,", " short k;\n\tunsigned long")
        if "i, found" in line
        else line
        for line in LOOPS.split("\n")
    ).replace("unsigned long short k", "short k")
    new = new.replace("i = 0; i < n; i++", "k = 0; k < n; k++").replace("[i]", "[k]")
    found = narrower(Text("a.c", LOOPS), Text("a.c", new), 8)
    assert found == "k has 2 bytes, and i had 8"


def test_without_a_loop_every_bit_is_run() -> None:
    new = STRAIGHT.replace("int b", "short b")
    assert narrower(Text("a.c", STRAIGHT), Text("a.c", new), 8) == ""
    member = "struct s {\n\tint a;\n};\n"
    new = member.replace("int", "short")
    said = narrower(Text("a.c", member), Text("a.c", new), 8)
    assert said == "a has 2 bytes instead of 4"
