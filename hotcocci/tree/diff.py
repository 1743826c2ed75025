# SPDX-License-Identifier: GPL-2.0
"""What a diff makes of the files of a tree, without changing the tree."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import decode

NAME = re.compile(r"^(?:---|\+\+\+) (?P<name>[^\t\n]+)", re.MULTILINE)
TIMEOUT = 120.0
SOURCES = (".c", ".h")


@dataclass(frozen=True)
class Changed:
    """A file of the tree, before and after."""

    file: str
    old: str
    new: str


def apply(tree: Path, diff: str, name: str) -> list[Changed]:
    """The C files that a diff changes, by name; files that it makes or removes are no change.

    ``name`` is what the diff is called in errors. Raises UserError if it does not apply.
    """
    files = _files(diff)
    if not files:
        raise UserError(f"{name} is no diff: write one with 'git diff' or 'diff -u'")
    with tempfile.TemporaryDirectory(prefix="hotcocci-diff-") as folder:
        place = Path(folder)
        for file in files:
            if (tree / file).is_file():
                (place / file).parent.mkdir(parents=True, exist_ok=True)
                (place / file).write_bytes((tree / file).read_bytes())
        _git(place, diff, name, tree)
        changed = []
        for file in sorted(files):
            old, new = tree / file, place / file
            if not (file.endswith(SOURCES) and old.is_file() and new.is_file()):
                continue
            before, after = decode(old.read_bytes()), decode(new.read_bytes())
            if before != after:
                changed.append(Changed(file, before, after))
    return changed


def _files(diff: str) -> set[str]:
    """The names in a diff, without the folder that stands for one of the sides."""
    names = (match["name"].strip() for match in NAME.finditer(diff))
    return {
        os.path.normpath(name.split("/", 1)[1])
        for name in names
        if name != "/dev/null" and "/" in name and ".." not in name.split("/")
    }


def _git(place: Path, diff: str, name: str, tree: Path) -> None:
    argv = ["git", "apply", "-p1", "--whitespace=nowarn", "-"]
    # A repository above would make git apply look for the files in there.
    ceiling = {"GIT_CEILING_DIRECTORIES": str(place.parent)}
    try:
        outcome = run(argv, place, TIMEOUT, stdin=diff, extra=ceiling)
    except MissingProgram as error:
        raise UserError(
            "a diff is applied with git: install it (Debian: apt install git)"
        ) from error
    if outcome.status != 0:
        said = outcome.err.strip().splitlines() or ["git apply did not end"]
        raise UserError(f"{name} does not apply to {tree}: {said[0]}")
