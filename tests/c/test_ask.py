# SPDX-License-Identifier: GPL-2.0
"""Layouts from libclang, for types in an unconfigured tree."""

import json
import shutil
from pathlib import Path

import pytest

from hotcocci.c import ask
from hotcocci.c.ask import layouts, remembering
from hotcocci.c.model import RECORD, Layout
from hotcocci.errors import TryAgain, UserError
from hotcocci.tree import process


@pytest.fixture
def root(tmp_path):
    """A tree with a uapi header, an architecture's header, and a file that includes them."""
    return shutil.copytree(Path(__file__).parent / "layouts", tmp_path / "tree")


def layout(root, type_):
    """The layout of a type, which must be known."""
    found = layouts(root, "fs/case.c", [type_])[type_]
    assert isinstance(found, Layout), found
    return found


def paths(found):
    """The members that can be accessed one by one."""
    return [member.path for member in found.members or ()]


def test_layouts(root):
    event, nested = layout(root, "struct event"), layout(root, "struct nested")
    # The padding is that of any machine; members are named to the last scalar.
    assert (event.sizes, event.padding, nested.padding) == ((16, 12, 12), True, False)
    assert nested.kind == RECORD
    assert paths(nested) == [".inner.a", ".inner.b[0]", ".inner.b[1]", ".c"]
    for type_ in "struct flexible", "struct rows":
        flexible = layout(root, type_)
        assert (flexible.size, paths(flexible)) == (4, [".length"])
    for type_, size in ("struct packed", 12), ("struct either", 4), ("struct bits", 4):
        found = layout(root, type_)
        assert (found.size, found.members) == (size, None), type_


@pytest.mark.build
def test_members_that_differ_on_an_architecture_are_unknown(root):
    assert layout(root, "word_t").members is None
    (root / "arch/mips/include/uapi/asm/word.h").unlink()
    assert paths(layout(root, "word_t")) == [".w[0]"]


@pytest.mark.parametrize("name", ["configured", "broken", "nowhere"])
def test_unknown_types(root, name):
    assert layouts(root, "fs/case.c", [f"struct {name}"]) == {f"struct {name}": None}


@pytest.mark.build
def test_no_more_is_parsed_than_needed(root, monkeypatch):
    runs, known = [], {}

    def run(*args, stdin, **kwargs):
        runs.extend(json.loads(stdin)["runs"])
        return process.run(*args, stdin=stdin, **kwargs)

    monkeypatch.setattr(ask, "run", run)
    with remembering(root, "fs/case.c", known):
        layouts(root, "fs/case.c", ["void __user", "struct own", "struct own __user"])
        first = len(runs)
        assert first > 1
        layouts(root, "fs/case.c", ["struct own"])
        assert len(runs) == first
        layouts(root, "fs/case.c", ["struct broken"])
    # The header and the file, on one machine.
    assert len(runs) == first + 2
    assert known.keys() == {"struct own", "struct broken"}


def test_what_a_uapi_header_leaves_open_is_in_the_header_around_it(root, monkeypatch):
    # Then the file, which takes a hundred times as long, is not compiled.
    monkeypatch.setattr(ask, "without_functions", None)
    assert layout(root, "struct frame").sizes == (8, 8, 8)


def test_without_libclang(root, monkeypatch):
    monkeypatch.setattr(ask, "find_spec", lambda name: None)
    ask.library.cache_clear()
    try:
        with pytest.raises(UserError, match="pip install libclang"):
            layouts(root, "fs/case.c", ["struct pair"])
    finally:
        ask.library.cache_clear()


@pytest.mark.parametrize(
    ("said", "kept"), [("terminate after 'St9bad_alloc'", False), ("a crash", True)]
)
def test_a_crash_is_no_fact_if_memory_lacks(root, monkeypatch, program, said, kept):
    crashing = program("crashing", f'cat > /dev/null; echo "{said}" >&2; exit 3')
    monkeypatch.setattr(ask.sys, "executable", str(crashing))
    if kept:
        assert layouts(root, "fs/case.c", ["struct own"]) == {"struct own": None}
        return
    with pytest.raises(TryAgain, match="bad_alloc"):
        layouts(root, "fs/case.c", ["struct own"])
