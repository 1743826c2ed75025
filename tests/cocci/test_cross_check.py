# SPDX-License-Identifier: GPL-2.0
"""What SmPL pastes is, byte for byte, what the package writes.

Two ways from one decision to a text: offsets and edits here, statements and positions
there. On real files they must not differ. HOTCOCCI_CROSS_CHECK=all takes every file of
the trees, which takes some minutes; HOTCOCCI_TREE7 names a second tree, with scoped windows.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from smpl_runs import COPY, LOOP, RUN, Way, copiers, pasted, rewrites, users, written

from hotcocci.findings import PREPARED, Rewrite
from hotcocci.c.seen import source_of
from hotcocci.tree.kernel import is_root, probe

WHOLE = os.environ.get("HOTCOCCI_CROSS_CHECK") == "all"
TREE7 = os.environ.get("HOTCOCCI_TREE7")
# What the notes say where a declaration comes or goes.
DECLARES = ("is removed", "before the window", "gets a variable")
# Programs, not kernel code.
OUTSIDE = {"tools", "scripts", "Documentation", "samples", "usr"}


def folders(tree: Path, usual: tuple[str, ...]) -> tuple[str, ...]:
    if not WHOLE:
        return usual
    found = (p.name for p in tree.iterdir() if p.is_dir())
    return tuple(sorted(name for name in found if name not in OUTSIDE))


def check(way: Way, usual: tuple[str, ...], least: int, where: Path) -> None:
    """Both ways for every file with a rewrite, and once more over what was made."""
    find = copiers if way.script == COPY else users
    files = find(way.tree, folders(way.tree, usual))
    decided = rewrites(way, files, where / "facts")
    rewritten = [f for f in files if decided.get(f)]
    assert len(rewritten) >= least, "there is something to compare"
    wanted = files if WHOLE else rewritten
    copies = pasted(way, wanted, where)
    differing = [f for f in wanted if not _same(way, copies, f, decided.get(f, []))]
    assert differing == []
    _check_again(way, copies, rewritten, where)


def _same(way: Way, copies: Path, file: str, made: list[Rewrite]) -> bool:
    before = source_of(str(way.tree / file)).text
    return written(before, _pastable(made)) == source_of(str(copies / file)).text


def _pastable(made: list[Rewrite]) -> list[Rewrite]:
    """Without what SmPL does not paste: a declaration, a helper before the function."""
    helped = {r.finding.function for r in made if r.finding.rule == "UA203"}
    stay = {
        r.finding.function
        for r in made
        if any(w in n for n in r.notes for w in DECLARES)
    }
    return [r for r in made if r.finding.function not in stay | helped]


def _check_again(way: Way, copies: Path, files: list[str], where: Path) -> None:
    """Nothing more is found in what was rewritten."""
    for entry in way.tree.iterdir():
        # The headers that types and features are read from.
        if not (copies / entry.name).exists():
            (copies / entry.name).symlink_to(entry)
    again = rewrites(replace(way, tree=copies), files, where / "again")
    found = [r.finding.message for made in again.values() for r in _pastable(made)]
    assert found == []


def test_runs(linux_tree: Path, tmp_path: Path) -> None:
    way = Way(RUN, linux_tree, "classic")
    check(way, ("sound", "fs", "kernel", "net"), 35, tmp_path)


def test_loops(linux_tree: Path, tmp_path: Path) -> None:
    """Loops are never safe: what is pasted is what was prepared."""
    way = Way(LOOP, linux_tree, "classic", PREPARED)
    check(way, ("drivers/watchdog",), 30, tmp_path)


def test_copies(linux_tree: Path, tmp_path: Path) -> None:
    """Of scalars a call, of structures a window: here in masked form, as 6.12 has it."""
    way = Way(COPY, linux_tree, "", PREPARED)
    check(way, ("drivers/watchdog", "kernel", "net/core", "sound/core"), 20, tmp_path)


@pytest.mark.skipif(not TREE7, reason="HOTCOCCI_TREE7 names no kernel tree")
def test_scoped_runs(tmp_path: Path) -> None:
    tree = Path(str(TREE7)).resolve()
    assert is_root(tree) and probe(tree).scoped
    check(Way(RUN, tree, "scoped"), ("sound", "fs", "kernel", "net"), 35, tmp_path)
