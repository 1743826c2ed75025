# SPDX-License-Identifier: GPL-2.0
"""The matches of a script, and facts in JSON."""

import json
from types import SimpleNamespace

import pytest

from hotcocci.c.matches import Matches, check, dump, load
from hotcocci.findings import Access, Facts

TEXT = """\
void f(void)
{
	get_user(a, p);
	get_user(b, p);
}

void g(void)
{
	put_user(a, p);
}
"""
ENDS = {"f": 5, "g": 10}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.c"
    path.write_text(TEXT)
    return str(path)


def place(file, function, line):
    """A position as spatch gives it: its numbers are strings."""
    return SimpleNamespace(
        file=file,
        current_element=function,
        current_element_line_end=str(ENDS[function]),
        line=str(line),
        column="1",
    )


def test_facts_in_order(file):
    matches = Matches()
    for line in (4, 3, 4):
        matches.note(place(file, "f", line))
    facts = matches.facts(file)
    assert [(a.line, a.column) for a in facts.accesses] == [(3, 1), (4, 1)]
    assert {a.name for a in facts.accesses} == {"get_user"}
    assert matches.facts("other.c") == Facts("other.c")


def test_functions_with_an_access(file):
    matches = Matches()
    matches.note(place(file, "f", 3))
    assert matches.is_kept([place(file, "f", 4)])
    assert not matches.is_kept([place(file, "g", 9)])


FACTS = Facts("a.c", (Access("get_user", "f", 9, 2, 3),))


def test_facts_in_json():
    data = json.loads(json.dumps(dump(FACTS)))
    assert load(data, "a.c") == FACTS
    check(data)
    for other in (None, [["get_user"]], [["get_user", "f", 9, 2, None]]):
        with pytest.raises((TypeError, ValueError)):
            check({"accesses": other})
