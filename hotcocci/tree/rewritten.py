# SPDX-License-Identifier: GPL-2.0
"""Patches that a tree already has, even if later patches changed the same lines again.

Within an applied series, a patch can often neither be applied nor reverted. But its "index" lines name
what it changed and what it made of it, and the repository has both.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from hotcocci.names import unquoted
from hotcocci.tree import git
from hotcocci.tree.source import decode, encode, read
from hotcocci.tree.touched import Touched, between

# Commits to search for a patch: far more than a series has
RECENT = 1000
_INDEX = re.compile(r"^index (?P<old>[0-9a-f]+)\.\.(?P<new>[0-9a-f]+)", re.MULTILINE)
_NAME = re.compile(r"^\+\+\+ (?P<name>[^\t\n]+)", re.MULTILINE)
_MOVED = re.compile(r"^(?:rename|copy) to (?P<name>[^\n]+)$", re.MULTILINE)
_SECTION = re.compile(r"^(?=diff --git )", re.MULTILINE)


def touched_in(tree: Path, diffs: Sequence[str]) -> dict[str, Touched] | None:
    """Return the lines of a tree's files that are still as these diffs left them.

    A line that was changed again belongs to the patch that did so. None if the diffs do not name
    what they change, or if no recent commit has made one of the files what the diffs make of it.
    """
    states = _states(tree, diffs)
    if states is None:
        return None
    found = {}
    with git.reading(tree) as ask:
        if ask is None:
            return None
        for file, (before, after) in states.items():
            made = _out(ask, "cat-file", "blob", after)
            if made is None or not _is_committed(ask, file, after):
                return None
            if (tree / file).is_file():
                change = _change(_out(ask, "cat-file", "blob", before) or "", made)
                found[file] = moved(change, made, decode(read(tree / file)))
    return found


def moved(change: Touched, made: str, now: str) -> Touched:
    """Return what is left of a change, by the lines of what became of the text that it made."""
    at = {0: 0}
    matcher = SequenceMatcher(None, made.split("\n"), now.split("\n"))
    for block in matcher.get_matching_blocks():
        at |= {block.a + n: block.b + n for n in range(1, block.size + 1)}
    written = tuple(at[line] for line in change.written if line in at)
    cuts = tuple(at[line] for line in change.cuts if line in at)
    return Touched(written, cuts)


def _states(tree: Path, diffs: Sequence[str]) -> dict[str, tuple[str, str]] | None:
    """The blobs of each file before and after all diffs; None if they do not name one.

    None also if a file that they only move is not where they move it: git says why.
    """
    states: dict[str, tuple[str, str]] = {}
    for section in (part for diff in diffs for part in _SECTION.split(diff)):
        index, found = _INDEX.search(section), _NAME.search(section)
        if found is None:
            moved = _MOVED.search(section)
            if moved and not (tree / unquoted(moved["name"])).is_file():
                return None
            continue
        name = unquoted(found["name"]).removeprefix("b/")
        if not index or ".." in name.split("/"):
            return None
        if name != "/dev/null":
            before, _ = states.get(name, (index["old"], ""))
            states[name] = (before, index["new"])
    return states or None


def _change(old: str, new: str) -> Touched:
    with tempfile.TemporaryDirectory(prefix="hotcocci-series-") as folder:
        sides = [Path(folder).resolve() / side for side in ("old", "new")]
        for side, text in zip(sides, (old, new), strict=True):
            side.mkdir()
            (side / "file").write_bytes(encode(text))
        return between(*sides).get("file", Touched(()))


def _is_committed(ask: git.Git, file: str, blob: str) -> bool:
    """Whether a recent commit gave a file this content, or replaced it."""
    recent = _out(ask, "rev-list", f"--max-count={RECENT}", "HEAD") or ""
    these = ("--no-walk", "--stdin", f"--find-object={blob}")
    log = ("log", "-1", "--format=%H", *these, "--", file)
    return bool(_out(ask, *log, stdin=recent))


def _out(ask: git.Git, *arguments: str, stdin: str | None = None) -> str | None:
    made = ask(*arguments, stdin=stdin)
    return made.out if made.status == 0 else None
