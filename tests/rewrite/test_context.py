# SPDX-License-Identifier: GPL-2.0
"""Properties of a function: what is local."""

from pathlib import Path

from hotcocci.c.parsing import parse_text

LOCALS = (Path(__file__).parent / "context/locals.c").read_text()


def test_is_local(contexts):
    """An object that outlives the function shows whether a fault stored 0."""
    local = "plain pair.x array[1] parameter".split()
    others = "kept *pointer pointer[1] k->field global".split()
    is_local = contexts(LOCALS)["f"].is_local
    assert [text for text in (*local, *others) if is_local(parse_text(text))] == local
