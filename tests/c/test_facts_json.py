# SPDX-License-Identifier: GPL-2.0
"""Facts are unchanged after conversion to JSON and back."""

from __future__ import annotations

import json

import pytest

from hotcocci.c.matches import check, dump, load
from hotcocci.findings import Access, Facts, Span, TypedExpression

FACTS = Facts(
    "a.c",
    (Access("get_user", "f", 1, 9, Span(2, 3, 2, 9), "v", "p"),),
    (TypedExpression(2, 3, "p", "int"),),
    (TypedExpression(2, 1, "v", "long"),),
    (Span(2, 3, 2, 9),),
)


def test_round_trip() -> None:
    assert load(json.loads(json.dumps(dump(FACTS))), "a.c") == FACTS


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
