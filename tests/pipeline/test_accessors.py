# SPDX-License-Identifier: GPL-2.0
"""The small functions of a tree: read again where a file changed, and otherwise the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.pipeline import accessors
from hotcocci.rewrite.loads.accessor_tree import accessors_of
from hotcocci.tree.kernel import find_tree

Make = Callable[..., Path]
SMALL = "int {name}(struct a *p)\n{{\n\treturn p->{member};\n}}\n"


def test_only_changed_files_are_read(
    small_tree: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_tree(
        {
            "fs/a.c": SMALL.format(name="a", member="x"),
            "fs/b.c": SMALL.format(name="b", member="x"),
        }
    )
    read: list[str] = []

    def note(tree: Path, file: str) -> object:
        read.append(file)
        return accessors_of(tree, file)

    monkeypatch.setattr(accessors, "accessors_of", note)

    def look() -> tuple[str, list[str]]:
        """The state, and the names of the functions, as a run of its own sees them."""
        with Cache(root.parent / "cache") as cache:
            asked = (find_tree(root), ["fs/a.c"], cache, 1)
            state = accessors.state(*asked)
            return state, [each.name for each in accessors.accessors(*asked)]

    before, names = look()
    assert (names, read) == (["a", "b"], ["fs/a.c", "fs/b.c"])
    assert look() == (before, names)
    assert len(read) == 2
    with (root / "fs/b.c").open("a") as stream:
        stream.write("/* another line */\n")
    assert look() == (before, names), "no small function has changed"
    assert read[2:] == ["fs/b.c"]
    (root / "fs/b.c").write_text(SMALL.format(name="b", member="y"))
    after, names = look()
    assert after != before and names == ["a", "b"]
    (root / "fs/b.c").unlink()
    assert look()[1] == ["a"]
