# SPDX-License-Identifier: GPL-2.0
"""Comments that suppress a finding or violation: their form, what they suppress, and unused ones."""

import pytest

from hotcocci.findings import ENGINES
from hotcocci.pipeline.filtering import UNUSED, allowances
from hotcocci.pipeline.violations import suppress
from hotcocci.windows.merge import Violation


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x; /* hotcocci: allow UW05 - checked by the caller */\n", {"UW05": 1}),
        ("x; // hotcocci: allow UW05: checked\n", {"UW05": 1}),
        ("/* hotcocci: allow UW05 \u2014 checked */\nx;\n", {"UW05": 2}),
        ("\t/*\n\t * hotcocci: allow UW05 - checked\n\t */\n\tx;\n", {"UW05": 4}),
        ("x; /* hotcocci: allow UW05, UW22 - both */\n", {"UW05": 1, "UW22": 1}),
        ("x; /* hotcocci: allow UA101 - once */\n", {"UA101": 1}),
        ('char *s = "hotcocci: allow UW05 - no comment";\n', {}),
        ("/* allow UW05 - not to us */\n", {}),
    ],
)
def test_parsed_comments(text, expected):
    found = allowances(text)
    assert {a.rule: a.target for a in found} == expected
    assert len(found) == len(expected) and not any(a.complaint for a in found)


FILE = "fs/file.c"


def broken(line: int, rule: str = "UW05") -> Violation:
    return Violation(rule, FILE, line, "f", "message", ("spatch",))


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("/* hotcocci: allow UW05 */", "without saying why"),
        ("/* hotcocci: allow UW99 - why */", "is no rule"),
        ("/* hotcocci: allow everything */", "names no rule"),
    ],
)
def test_an_invalid_comment_is_reported_and_ignored(comment, complaint):
    left, wrong = suppress([broken(1)], {FILE: f"x; {comment}\n"}, ENGINES, {})
    assert left == [broken(1)]
    assert [(w.rule, w.line) for w in wrong] == [(UNUSED, 1)]
    assert complaint in wrong[0].message


def test_an_unused_comment_is_reported_only_if_its_engines_ran():
    text = "x; /* hotcocci: allow UW05 - why */\n"
    _, wrong = suppress([], {FILE: text}, ENGINES, {})
    assert [(w.rule, w.line) for w in wrong] == [(UNUSED, 1)]
    assert suppress([], {FILE: text}, ["spatch"], {}) == ([], [])
    failed = {FILE: {"clang-tidy"}}
    assert suppress([], {FILE: text}, ENGINES, failed) == ([], [])
