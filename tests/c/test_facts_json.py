# SPDX-License-Identifier: GPL-2.0
"""Facts are unchanged after conversion to JSON and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.matches import check, dump, load
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
