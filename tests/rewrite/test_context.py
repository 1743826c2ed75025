# SPDX-License-Identifier: GPL-2.0
"""Properties of a function: what is local, and which cleanups are in scope."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.context import Context

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

Contexts = Callable[..., dict[str, Context]]

LOCALS, SCOPES = (
    (Path(__file__).parent / f"context/{name}.c").read_text()
    for name in ("locals", "scopes")
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain", True),
        ("pair.x", True),
        ("array[1]", True),
        ("parameter", True),
        ("kept", False),
        ("*pointer", False),
        ("pointer[1]", False),
        ("k->field", False),
        ("global", False),
    ],
)
def test_is_local(contexts: Contexts, text: str, wanted: bool) -> None:
    """An object that outlives the function shows whether a fault stored 0."""
    assert contexts(LOCALS)["f"].is_local(parse_text(text)) == wanted


@pytest.mark.parametrize(
    ("word", "wanted"), [("one", 1), ("two", 3), ("three", 3), ("four", 2)]
)
def test_cleanups(contexts: Contexts, word: str, wanted: int) -> None:
    context = contexts(SCOPES)["f"]
    place = SCOPES.index(f"/* {word} */")
    assert len(context.cleanups_at(place)) == wanted
