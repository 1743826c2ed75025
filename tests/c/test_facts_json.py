# SPDX-License-Identifier: GPL-2.0
"""Facts are unchanged after conversion to JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.matches import check, dump, load, renumbered
from hotcocci.findings import Access, Facts, Span, TypedExpression

_NUMBER = st.integers(0, 100_000)
_SPAN = st.builds(Span, _NUMBER, _NUMBER, _NUMBER, _NUMBER)
_TYPED = st.builds(TypedExpression, _NUMBER, _NUMBER, st.text(), st.text())
_ACCESS = st.builds(
    Access, st.text(), st.text(), _NUMBER, _NUMBER, _SPAN, st.text(), st.text()
)
_FACTS = st.builds(
    Facts,
    st.just("a/b.c"),
    st.lists(_ACCESS, max_size=3).map(tuple),
    st.lists(_TYPED, max_size=3).map(tuple),
    st.lists(_TYPED, max_size=3).map(tuple),
    st.lists(_SPAN, max_size=3).map(tuple),
)


@given(_FACTS)
def test_round_trip(facts: Facts) -> None:
    assert load(json.loads(json.dumps(dump(facts))), "a/b.c") == facts


@given(_FACTS)
def test_other_line_numbers(facts: Facts) -> None:
    there = renumbered(dump(facts), lambda line: 2 * line + 1)
    assert renumbered(there, lambda line: (line - 1) // 2) == dump(facts)
    for was, now in zip(facts.accesses, load(there, "a/b.c").accesses, strict=True):
        assert now.function_end_line == 2 * was.function_end_line + 1
        assert now.call.column == was.call.column
    assert renumbered({}, lambda line: line + 1) == {}


@pytest.mark.parametrize("missing", ["accesses", "types", "locals", "statements"])
def test_cut_off(missing: str) -> None:
    data = dump(Facts("a.c"))
    del data[missing]
    with pytest.raises(KeyError):
        load(data, "a.c")


def test_another_shape() -> None:
    data = json.loads(json.dumps(dump(FACTS)))
    check(data)
    for name, other in (
        ("accesses", None),
        ("accesses", [["get_user"]]),
        ("types", [[1, 2, "p", None]]),
        ("statements", [["1", 2, 3, 4]]),
    ):
        with pytest.raises((TypeError, ValueError)):
            check({**data, name: other})


FACTS = Facts(
    "a.c",
    (Access("get_user", "f", 1, 9, Span(2, 3, 2, 9), "v", "p"),),
    (TypedExpression(2, 3, "p", "int"),),
    (),
    (Span(2, 3, 2, 9),),
)
