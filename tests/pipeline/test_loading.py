# SPDX-License-Identifier: GPL-2.0
"""Loads of hot functions in files of a tree that is compiled for it."""

import json
from pathlib import Path

import pytest

from hotcocci.cli.loads import ANOTHER, LINES, document
from hotcocci.cli.loads import text_of as text
from hotcocci.engines.perf_annotate import Annotated, Row
from hotcocci.errors import UserError
from hotcocci.pipeline import ranking
from hotcocci.pipeline.loading import loads
from hotcocci.pipeline.settings import Settings
from tests.shared import NEEDS_X86_64

pytestmark = NEEDS_X86_64

# Assembly leads to generic_permission() of fs/namei.c.
PLACE = Path(__file__).with_name("loading")
FILES = {str(p.relative_to(PLACE)): p.read_text() for p in PLACE.rglob("*.c")}


@pytest.fixture
def found(small_kernel, tmp_path):
    tree = small_kernel(FILES)

    def read(file, *functions, least=3):
        settings = Settings(cache_dir=tmp_path / "cache")
        return list(loads(tree, [tree.root / file], functions, least, settings))

    return read


def test_hot_functions_are_read(found):
    (only,) = found("fs/namei.c")
    assert text(only, str) == [
        "fs/namei.c: generic_permission(): 3 loads, 3 of known members",
        "  3 loads, each waits for the one before:",
        "    inode->sb             inode +8, line 0    fs/namei.c:7",
        "    inode->sb->owner      super +128, line 2  fs/namei.c:7",
        "    inode->sb->owner->id  user +0, line 0     fs/namei.c:7",
        "  cache lines:",
        "    inode  0: sb",
        "    super  2: owner",
        "    user  0: id",
    ]
    (function,) = json.loads(document([only]))["functions"]
    assert function["chains"][0]["loads"][1] == {
        "name": "inode->sb->owner",
        "record": "super",
        "member": "owner",
        "offset": 128,
        "size": 8,
        "file": "fs/namei.c",
        "line": 7,
        "share": None,
    }
    assert function["shares"] is None


def test_what_cannot_be_read_has_the_reason(found):
    (only,) = found("fs/broken.c", "generic_permission")
    assert only.found is None and only.why.startswith("it does not compile: ")
    (only,) = found("fs/namei.c", "nowhere")
    assert only.why == "nowhere() has no code there"


def test_a_folder_is_searched_for_a_function(found):
    (only,) = found("fs", "seldom", least=2)
    assert only.file == "fs/namei.c"


def test_annotated_functions_are_read(small_kernel, tmp_path):
    tree = small_kernel(FILES)
    rows = {
        0: Row(10.0, "mov 0x8(%rdi),%rax", ("namei.c", 12)),
        4: Row(90.0, "movsbq (%rax),%rax", None),
        8: Row(0.0, "ret", None),
    }
    settings = Settings(cache_dir=tmp_path / "cache")

    def read(rows):
        annotated = [Annotated("seldom", 0, rows)]
        (only,) = loads(tree, [tree.root / "fs/namei.c"], (), 2, settings, annotated)
        return only

    assert text(read(rows), str)[2:4] == [
        "     10.0 %  inode->sb           inode +8, line 0  fs/namei.c:12",
        "     90.0 %  inode->sb->name[0]  super +0, line 0  fs/namei.c:12",
    ]
    (function,) = json.loads(document([read(rows)]))["functions"]
    assert function["shares"] == "instruction"
    assert [load["share"] for load in function["chains"][0]["loads"]] == [10.0, 90.0]
    other = read({0: rows[0], 5: rows[4]})
    assert text(other, str)[1:4] == [
        f"  {LINES}",
        "  2 loads, each waits for the one before:",
        "     10.0 %  inode->sb           inode +8, line 0  fs/namei.c:12",
    ]
    (function,) = json.loads(document([other]))["functions"]
    assert function["shares"] == "line"
    unknown = read({0: rows[4]})
    assert text(unknown, str)[1] == f"  {ANOTHER}"
    assert text(unknown, str)[3].lstrip().startswith("inode->sb ")
    (function,) = json.loads(document([unknown]))["functions"]
    assert function["shares"] is None


def test_what_is_hot_may_not_be_known(found, monkeypatch):
    monkeypatch.setattr(ranking, "is_small", lambda _: False)
    with pytest.raises(UserError, match="is not known yet: run `lint /"):
        found("fs/namei.c")


def test_calls_that_may_be_spared(found):
    (only,) = found("fs/namei.c", "needless")
    said = text(only, str)
    at = said.index("  calls:")
    assert said[at + 1 : at + 3] == [
        "    is_plain() at fs/namei.c:25: kernel/map.c:9 is a few lines that store nothing",
        "    mapped() at fs/namei.c:27: kernel/map.c:1 returns first if map == 0; "
        "the caller loads inode->sb->owner for owner in any case",
    ]
    (function,) = json.loads(document([only]))["functions"]
    assert [call["small"] for call in function["calls"]] == [True, False]
    assert function["calls"][1]["wasted"] == [
        {"parameter": "owner", "value": "inode->sb->owner"}
    ]
    assert "  calls:" not in text(*found("fs/namei.c", "seldom"), str)
