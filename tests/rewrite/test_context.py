# SPDX-License-Identifier: GPL-2.0
"""Properties of a function: what is local, and which cleanups are in scope."""

import shutil
from pathlib import Path

import pytest

from hotcocci.c.parsing import parse_text

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")


LOCALS, SCOPES = (
    (Path(__file__).parent / f"context/{name}.c").read_text()
    for name in ("locals", "scopes")
)


def test_is_local(contexts):
    """An object that outlives the function shows whether a fault stored 0."""
    local = "plain pair.x array[1] parameter".split()
    others = "kept *pointer pointer[1] k->field global".split()
    is_local = contexts(LOCALS)["f"].is_local
    found = [text for text in (*local, *others) if is_local(parse_text(text))]
    assert found == local


def test_cleanups(contexts):
    at = contexts(SCOPES)["f"].cleanups_at
    words = "one two three four".split()
    assert [len(at(SCOPES.index(f"/* {w} */"))) for w in words] == [1, 3, 3, 2]
