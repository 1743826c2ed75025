# SPDX-License-Identifier: GPL-2.0
"""Install the project's checkers in a smatch source tree, and remove them.

A file in the tree records what was installed, so that nothing else is replaced or removed. Removing
the checkers restores the tree byte for byte.
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
from hotcocci.layout import DATA

CHECKERS = DATA / "checkers/smatch"
# Names and hashes of the installed files.
RECORD = ".hotcocci-checkers.json"
LIST = "check_list.h"
# Files of a smatch tree; a sparse tree does not have all of them.
LANDMARKS = ("smatch.c", "smatch.h", "smatch_flow.c", LIST, "Makefile")
# Local checkers go before the first of these lines, in older trees before the second.
ANCHORS = ('#include "check_list_local.h"\n', "CK(register_scope)\n")
ENTRY = re.compile(r"^void ((?:check|register)_\w+)\(int id\)$", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """The files installed in or removed from a tree, and whether the tree changed."""

    files: tuple[str, ...]
    changed: bool


def install(tree: Path, checkers: Path = CHECKERS) -> Change:
    """Copy the checkers from a folder into a smatch tree and register them; safe to repeat.

    Raises UserError, without changing the tree, if it is not a smatch tree or a file would be
    overwritten.
    """
    _recognise(tree)
    sources = {path.name: path.read_bytes() for path in sorted(checkers.glob("*.[ch]"))}
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
    # Write all of them: make does not track which of them include the headers.
    _write(tree, {**{name: None for name in stale}, **files})
    return Change(tuple(sources), changed=True)


def remove(tree: Path) -> Change:
    """Remove the checkers from a smatch tree, if they are there.

    Raises UserError, without changing the tree, if an installed file was edited.
    """
    _recognise(tree)
    installed = _installed(tree)
    if not installed:
        return Change((), changed=False)
    _refuse_foreign(tree, {}, installed)
    listed = _without(tree, (tree / LIST).read_bytes(), installed)
    removed: dict[str, bytes | None] = {name: None for name in installed}
    _write(tree, {**removed, LIST: listed, RECORD: None})
    return Change(tuple(sorted(installed)), changed=True)


def _recognise(tree: Path) -> None:
    if not tree.exists():
        raise UserError(f"{tree} does not exist: name a smatch source tree")
    if not tree.is_dir():
        raise UserError(f"{tree} is not a directory: name a smatch source tree")
    missing = [name for name in LANDMARKS if not (tree / name).is_file()]
    if missing:
        raise UserError(
            f"{tree} is not a smatch source tree, as it has no {missing[0]}: name one"
        )
    if not os.access(tree, os.W_OK) or not os.access(tree / LIST, os.W_OK):
        raise UserError(f"cannot write to {tree}: check its permissions")


def _installed(tree: Path) -> dict[str, str]:
    """Return the files that an earlier run installed, with their hashes."""
    data = _content(tree / RECORD)
    if data is None:
        return {}
    try:
        files = json.loads(data)["files"]
        record = {str(name): str(digest) for name, digest in files.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            f"{tree / RECORD} was edited: remove it and the checkers by hand"
        ) from error
    if any(Path(name).name != name for name in record):
        raise UserError(
            f"{tree / RECORD} was edited: remove it and the checkers by hand"
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
    """Raise UserError about a file that was edited, or not installed by hotcocci."""
    for name in sorted({*sources, *installed}):
        path = tree / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UserError(f"{path} is not a regular file: move it away")
        data = _content(path)
        if data is None or data == sources.get(name):
            continue
        if name not in installed:
            raise UserError(f"{path} was not installed by hotcocci: move it away")
        if _digest(data) != installed[name]:
            raise UserError(f"{path} was edited: move it away or remove it")


def _lines(sources: Mapping[str, bytes]) -> bytes:
    """Return the lines that register the checkers, shared code first."""
    names = [
        entry
        for name, data in sorted(sources.items())
        if name.endswith(".c")
        for entry in ENTRY.findall(data.decode())
    ]
    names.sort(key=lambda name: (not name.startswith("register_"), name))
    return "".join(f"CK({name})\n" for name in names).encode()


def _without(tree: Path, listed: bytes, installed: Mapping[str, str]) -> bytes:
    """Return check_list.h without our lines. Raises UserError if they are not all there."""
    if not installed:
        return listed
    sources = {name: _content(tree / name) or b"" for name in installed}
    lines = _lines(sources)
    if not lines or listed.count(lines) != 1:
        raise UserError(
            f"{tree / LIST} was edited where the checkers are registered: "
            "restore those lines or the file"
        )
    return listed.replace(lines, b"")


def _registered(tree: Path, listed: bytes, lines: bytes) -> bytes:
    for name in lines.split():
        if name in listed.split():
            raise UserError(
                f"{tree / LIST} already registers {name.decode()}: remove that line"
            )
    for anchor in ANCHORS:
        if listed.count(anchor.encode()) == 1:
            return listed.replace(anchor.encode(), lines + anchor.encode())
    raise UserError(
        f"{tree / LIST} has no line to insert checkers at: restore it, or use a newer smatch"
    )


def _write(tree: Path, files: Mapping[str, bytes | None]) -> None:
    """Write files, and remove those without content, all or none."""
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
            f"cannot write to {tree} ({error.strerror}): nothing was changed"
        ) from error


def _put(path: Path, data: bytes | None) -> None:
    """Replace a file atomically and keep its permissions; remove it if there is no content."""
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
