# SPDX-License-Identifier: GPL-2.0
"""Putting the project's checkers into the source of a smatch, and taking them out again.

What was put there is written down in a file of the tree, so that nothing else is ever replaced
or removed, and a tree that was cleaned is byte for byte what it was before.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError

CHECKERS = Path(__file__).resolve().parents[2] / "checkers/smatch"
# What was installed: names and hashes.
RECORD = ".hotcocci-checkers.json"
LIST = "check_list.h"
# A smatch tree has these; sparse, which it contains, has not all of them.
LANDMARKS = ("smatch.c", "smatch.h", "smatch_flow.c", LIST, "Makefile")
# Local checkers belong before this line; trees from before it have the second one.
ANCHORS = ('#include "check_list_local.h"\n', "CK(register_scope)\n")
ENTRY = re.compile(r"^void ((?:check|register)_\w+)\(int id\)$", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """What was done to a tree: the files, and whether anything had to be done at all."""

    files: tuple[str, ...]
    changed: bool


def install(tree: Path) -> Change:
    """Copy the checkers into a smatch tree and register them; again does no harm.

    Raises UserError, with the tree as it was, if it is no smatch tree or holds something
    that would be overwritten.
    """
    _recognise(tree)
    sources = {path.name: path.read_bytes() for path in sorted(CHECKERS.glob("*.[ch]"))}
    installed = _installed(tree)
    _refuse_foreign(tree, sources, installed)
    listed = (tree / LIST).read_bytes()
    wanted = _registered(tree, _without(tree, listed, installed), _lines(sources))
    record = _record(sources)
    files = {
        **sources,
        LIST: wanted,
        RECORD: (json.dumps(record, indent=1) + "\n").encode(),
    }
    stale = sorted(set(installed) - set(sources))
    if not stale and all(_content(tree / name) == data for name, data in files.items()):
        return Change(tuple(sources), changed=False)
    # All of them, as make does not know which of them need the headers.
    _write(tree, {**{name: None for name in stale}, **files})
    return Change(tuple(sources), changed=True)


def remove(tree: Path) -> Change:
    """Take the checkers out of a smatch tree; one without them is left alone.

    Raises UserError, with the tree as it was, if something of it was changed by hand.
    """
    _recognise(tree)
    installed = _installed(tree)
    if not installed:
        return Change((), changed=False)
    _refuse_foreign(tree, {}, installed)
    listed = _without(tree, (tree / LIST).read_bytes(), installed)
    gone: dict[str, bytes | None] = {name: None for name in installed}
    _write(tree, {**gone, LIST: listed, RECORD: None})
    return Change(tuple(sorted(installed)), changed=True)


def _recognise(tree: Path) -> None:
    if not tree.exists():
        raise UserError(f"{tree} does not exist: name the folder of smatch's source")
    if not tree.is_dir():
        raise UserError(f"{tree} is no folder: name the folder of smatch's source")
    missing = [name for name in LANDMARKS if not (tree / name).is_file()]
    if missing:
        raise UserError(
            f"{tree} is no source of smatch, as it has no {missing[0]}: name its folder"
        )
    if not os.access(tree, os.W_OK) or not os.access(tree / LIST, os.W_OK):
        raise UserError(f"{tree} cannot be written: check its permissions")


def _installed(tree: Path) -> dict[str, str]:
    """The files that an earlier run put there, with the hashes of what they were."""
    data = _content(tree / RECORD)
    if data is None:
        return {}
    try:
        files = json.loads(data)["files"]
        record = {str(name): str(digest) for name, digest in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{tree / RECORD} was changed: take the checkers out by hand and remove it"
        ) from error
    if any(Path(name).name != name for name in record):
        raise UserError(
            f"{tree / RECORD} was changed: take the checkers out by hand and remove it"
        )
    return record


def _record(sources: Mapping[str, bytes]) -> dict[str, object]:
    return {"files": {name: _digest(data) for name, data in sources.items()}}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _refuse_foreign(
    tree: Path, sources: Mapping[str, bytes], installed: Mapping[str, str]
) -> None:
    """Raise UserError about a file that is not, or no longer, what was installed."""
    for name in sorted({*sources, *installed}):
        path = tree / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UserError(f"{path} is no plain file: move it away")
        data = _content(path)
        if data is None or data == sources.get(name):
            continue
        if name not in installed:
            raise UserError(f"{path} is not from here: move it away")
        if _digest(data) != installed[name]:
            raise UserError(
                f"{path} was changed since: keep it elsewhere, or remove it"
            )


def _lines(sources: Mapping[str, bytes]) -> bytes:
    """The lines that register the checkers; what they share comes first."""
    names = [
        entry
        for name, data in sorted(sources.items())
        if name.endswith(".c")
        for entry in ENTRY.findall(data.decode())
    ]
    names.sort(key=lambda name: (not name.startswith("register_"), name))
    return "".join(f"CK({name})\n" for name in names).encode()


def _without(tree: Path, listed: bytes, installed: Mapping[str, str]) -> bytes:
    """The list without what is registered there; raises UserError if that is not all there."""
    if not installed:
        return listed
    sources = {name: _content(tree / name) or b"" for name in installed}
    lines = _lines(sources)
    if not lines or listed.count(lines) != 1:
        raise UserError(
            f"{tree / LIST} was changed where the checkers are registered: "
            "put those lines back, or restore the file"
        )
    return listed.replace(lines, b"")


def _registered(tree: Path, listed: bytes, lines: bytes) -> bytes:
    for name in lines.split():
        if name in listed.split():
            raise UserError(
                f"{tree / LIST} registers {name.decode()} already: take that line out"
            )
    for anchor in ANCHORS:
        if listed.count(anchor.encode()) == 1:
            return listed.replace(anchor.encode(), lines + anchor.encode())
    raise UserError(
        f"{tree / LIST} has no place for checkers: restore it, or take a newer smatch"
    )


def _write(tree: Path, files: Mapping[str, bytes | None]) -> None:
    """Write all files, or remove those without content; all of it or nothing."""
    before = {name: _content(tree / name) for name in files}
    done: list[str] = []
    try:
        for name, data in files.items():
            done.append(name)
            _put(tree / name, data)
    except OSError as error:
        for name in done:
            _put(tree / name, before[name])
        raise UserError(
            f"{tree} cannot be written ({error.strerror}): nothing was changed there"
        ) from error


def _put(path: Path, data: bytes | None) -> None:
    """Replace a file in one step, with the permissions it had."""
    if data is None:
        path.unlink(missing_ok=True)
        return
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, name = tempfile.mkstemp(prefix=".hotcocci.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
