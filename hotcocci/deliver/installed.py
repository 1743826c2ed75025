# SPDX-License-Identifier: GPL-2.0
"""Install files of ours in another project's tree, and remove them: scripts in a kernel's, checkers in smatch's.

A record in the tree has the names and hashes of what was installed, so that nothing else is replaced or
removed. Removing restores the tree byte for byte. A run that was killed can be repeated, as the record is
written before the files, then with their hashes before and after.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.layout import DATA
from hotcocci.tree.source import put

SCRIPTS = Path("scripts/coccinelle")
# "make coccicheck" finds every .cocci below SCRIPTS, and these import the folder as a Python package.
FOLDER = SCRIPTS / "hotcocci"
IGNORED = ".gitignore"
CHECKERS = DATA / "checkers/smatch"
RECORD = ".hotcocci.json"
# How the name of a file that is being written begins.
_UNFINISHED = ".hotcocci-"
# smatch's list of checkers includes that of local ones, which git ignores and make creates empty.
LIST = "check_list.h"
LOCAL = "check_list_local.h"
ENTRY = re.compile(r"^void ((?:check|register)_\w+)\(int id\)$", re.MULTILINE)
_CACHE = "__pycache__"


@dataclass(frozen=True)
class Change:
    """The number of files installed or removed, their folder, and whether it changed."""

    files: int
    folder: Path
    changed: bool


def put_scripts(tree: Path, files: Mapping[str, bytes]) -> Change:
    """Install these files, by name, in a kernel tree's scripts/coccinelle; with none, remove those that are there.

    Git ignores them. Safe to repeat. Raises UserError, without changing the tree, if it has no such folder, an
    installed file was edited, or another file is with them.
    """
    folder = _folder(tree)
    known = _installed(folder)
    wanted = {**files, IGNORED: b"*\n"} if files else {}
    _refuse_foreign(folder, wanted, known, _names(folder))
    changed = _write(folder, wanted, known)
    if not files and folder.exists():
        shutil.rmtree(folder)
    return Change(len((wanted or known).keys() - {IGNORED}), folder, changed)


def put_checkers(tree: Path, checkers: Path | None = CHECKERS) -> Change:
    """Copy the checkers from a folder into a smatch tree and register them; without one, remove those that are there.

    Safe to repeat. Raises UserError, without changing the tree, if it is not a smatch tree, an installed file was
    edited, or a file would be overwritten.
    """
    list_ = tree / LIST
    if not list_.is_file() or LOCAL not in list_.read_text("utf-8", "replace"):
        raise UserError(
            f"{tree} is not a smatch source tree: {LIST} includes no {LOCAL}"
        )
    known = _installed(tree)
    paths = sorted(checkers.glob("*.[ch]")) if checkers else []
    wanted = {path.name: path.read_bytes() for path in paths}
    if wanted:
        wanted[LOCAL] = lines = _registered(wanted)
        # As hotcocci did before it knew of local ones
        if not {*lines.split()}.isdisjoint(list_.read_bytes().split()):
            raise UserError(f"{list_} registers the checkers, too: restore that file")
    _refuse_foreign(tree, wanted, known)
    changed = _write(tree, wanted, known)
    return Change(len((wanted or known).keys() - {LOCAL}), tree, changed)


def _folder(tree: Path) -> Path:
    if not (tree / SCRIPTS).is_dir():
        raise UserError(
            f"{tree} has no directory {SCRIPTS}: name the root of a kernel tree"
        )
    folder = tree / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder} was not installed by hotcocci: move it away")
    return folder


def _names(folder: Path) -> list[str]:
    """The files below a folder, without what Python has compiled, and what a killed run has not finished."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if (path.is_symlink() or not path.is_dir())
        and path.parent.name != _CACHE
        and not path.name.startswith(_UNFINISHED)
    ]


def _installed(folder: Path) -> dict[str, str]:
    """The files that an earlier run installed, with their hashes, two if it was killed."""
    data = _content(folder / RECORD)
    try:
        record = {} if data is None else json.loads(data)
        known = {str(name): str(digest) for name, digest in record.items()}
        if any(Path(name).is_absolute() or ".." in Path(name).parts for name in known):
            raise ValueError(known)
    except (ValueError, AttributeError) as error:
        raise UserError(
            f"{folder / RECORD} was edited: remove it and what was installed by hand"
        ) from error
    return known


def _refuse_foreign(
    folder: Path,
    wanted: Mapping[str, bytes],
    known: Mapping[str, str],
    there: Collection[str] = (),
) -> None:
    """Raise UserError about a file, wanted, known or there, that was edited or not installed by hotcocci."""
    for name in sorted({*wanted, *known, *there} - {RECORD}):
        path = folder / name
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UserError(f"{path} is not a regular file: move it away")
        data = _content(path)
        if not data or data == wanted.get(name):
            continue
        if name not in known:
            raise UserError(f"{path} was not installed by hotcocci: move it away")
        if _digest(data) not in known[name].split():
            raise UserError(f"{path} was edited: move it away or remove it")


def _registered(sources: Mapping[str, bytes]) -> bytes:
    """The lines that register the checkers, shared code first."""
    names = [
        entry
        for name, data in sorted(sources.items())
        if name.endswith(".c")
        for entry in ENTRY.findall(data.decode())
    ]
    names.sort(key=lambda name: (not name.startswith("register_"), name))
    return "".join(f"CK({name})\n" for name in names).encode()


def _write(folder: Path, wanted: Mapping[str, bytes], known: Mapping[str, str]) -> bool:
    """Replace the known files by those wanted, all or none; False if all is as it was."""
    record = {name: _digest(data) for name, data in sorted(wanted.items())}
    files = {**dict.fromkeys(known), **wanted}
    steps = [*files.items(), (RECORD, _recorded(record) if wanted else None)]
    before = {name: _content(folder / name) for name, _ in steps}
    unfinished = list(folder.glob(f"{_UNFINISHED}*"))
    if before == dict(steps) and not unfinished:
        return False
    both = {
        name: f"{known.get(name, '')} {record.get(name, '')}".strip() for name in files
    }
    done: list[str] = []
    try:
        for path in unfinished:
            path.unlink()
        # All of them: make does not track which of them include the headers.
        for name, data in ((RECORD, _recorded(both)), *steps):
            done.append(name)
            _put(folder / name, data)
    except BaseException as error:
        for name in done:
            _put(folder / name, before[name])
        if isinstance(error, OSError):
            raise UserError(
                f"cannot write to {folder} ({error.strerror}): nothing was changed"
            ) from error
        raise
    return before != dict(steps)


def _recorded(digests: Mapping[str, str]) -> bytes:
    return (json.dumps(digests, indent=1) + "\n").encode()


def _put(path: Path, data: bytes | None) -> None:
    """Replace a file atomically; remove it if there is no content."""
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, data, _UNFINISHED)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
