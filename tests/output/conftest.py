# SPDX-License-Identifier: GPL-2.0
"""What the formats are tested on: a tree with two files, and findings in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from hotcocci.findings import Edit, Finding, Rewrite, Skip
from hotcocci.tree.kernel import Features, Tree
from hotcocci.tree.source import decode

# The comment has characters of two, three and, in UTF-16, two units.
TEXT = """int first(int __user *p)
{
	/* é € 😀 */ get_user(a, p); get_user(b, p);
	return 0;
}

int second(int __user *p)
{
	if (get_user(a, p) < 1 && b > 0)
		return 1; /* </script><b>bold</b> & more */
	get_user(b, p);
	get_user(b, p);
	return 0;
}
"""


@dataclass(frozen=True)
class Found:
    """What a command hands to a format."""

    tree: Tree
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    skipped: tuple[Skip, ...]
    texts: dict[str, str]


def _finding(
    file: str, line: int, end: int, function: str, tier: str | None
) -> Finding:
    verdict, reason = ("rewrite", None) if tier else ("report", "call-between")
    share = 2.5 if function == "first" else None
    at_most = None if function == "first" else 7.25
    return Finding(
        "UA101" if tier else "UA102",
        file,
        line,
        end,
        function,
        f"accesses of <p> & 100% in {function}()",
        2 if tier else None,
        "p",
        "read",
        verdict,
        tier,
        reason,
        share,
        at_most,
    )


@pytest.fixture
def found() -> Found:
    text = decode(TEXT.encode())
    a, b = "fs/a b.c", "drivers/char/b.c"
    first = _finding(a, 3, 3, "first", "safe")
    second = _finding(a, 9, 11, "second", "prepared")
    report = _finding(b, 11, 11, "second", None)
    again = _finding(b, 12, 12, "second", None)
    start = text.index("get_user(a, p); get")
    end = text.index("\n\treturn 0;")
    condition = text.index("\tif (get_user")
    statement = text.index("\tget_user(b, p);\n\tget")
    edits = (
        Edit(condition, condition, decode("\t/* für */\n".encode())),
        Edit(statement, statement + len("\tget_user(b, p);\n"), ""),
    )
    return Found(
        Tree(Path("/k/linux"), Features(False, False, False, False, frozenset())),
        (first, second, report, again),
        (
            Rewrite(first, (Edit(start, end, "window(p);"),), "A", "classic"),
            Rewrite(second, edits, "A", "classic", ("A note.",)),
        ),
        (Skip("fs/c d.c", "took too long"), Skip(".", "objtool: not there")),
        {a: text, b: text},
    )
