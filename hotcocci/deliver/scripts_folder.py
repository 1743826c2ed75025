# SPDX-License-Identifier: GPL-2.0
"""Putting the semantic patches into a kernel tree's scripts/coccinelle, and taking them out again.

They get a folder of their own, with all they need: "make coccicheck" finds every .cocci below
scripts/coccinelle, and each takes its Python modules from the package that its folder then is. The
folder appears and goes as a whole, and tells git to leave it out of commits.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError

SCRIPTS = Path("scripts/coccinelle")
FOLDER = SCRIPTS / "hotcocci"
# What was put there: names and hashes.
RECORD = ".installed.json"
IGNORED = ".gitignore"
# Beside the folder that coccicheck looks through, so that it never meets a half of it.
_ASIDE = ".hotcocci-"


@dataclass(frozen=True)
class Change:
    """How many files were put in or taken out, 0 if there was nothing to do."""

    files: int
    folder: Path


def install(tree: Path, files: Mapping[str, bytes]) -> Change:
    """Make the folder of a tree hold these files, by their names in it; again does no harm.

    Raises UserError, with the tree as it was, if it has no scripts/coccinelle, or something there
    would be lost.
    """
    folder = _folder(tree)
    wanted = {**files, IGNORED: b"*\n"}
    record = {name: _digest(data) for name, data in sorted(wanted.items())}
    if folder.exists():
        if _untouched(folder) == record:
            return Change(0, folder)
    _exchange(
        folder, {**wanted, RECORD: (json.dumps(record, indent=1) + "\n").encode()}
    )
    return Change(len(files), folder)


def remove(tree: Path) -> Change:
    """Take the folder out of a tree; one without it is left alone.

    Raises UserError, with the tree as it was, if something in it was edited since or is not from here.
    """
    folder = _folder(tree)
    if not folder.exists():
        return Change(0, folder)
    record = _untouched(folder)
    _exchange(folder, {})
    return Change(len(record) - 1, folder)


def _folder(tree: Path) -> Path:
    scripts = tree / SCRIPTS
    if not scripts.is_dir():
        raise UserError(
            f"{tree} has no folder {SCRIPTS}: name the root of a kernel tree"
        )
    folder = tree / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder} is not from here: move it away")
    return folder


def _untouched(folder: Path) -> dict[str, str]:
    """The hashes of what was put there; raises UserError if that is not exactly what is there."""
    record = _record(folder)
    found = {
        str(path.relative_to(folder)): path
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or not path.is_dir()
    }
    for name, path in found.items():
        if name == RECORD or _compiled_from(name) in record:
            continue
        if name not in record:
            raise UserError(
                f"{path} is not from here: move it away; nothing was changed"
            )
        if path.is_symlink() or _digest(path.read_bytes()) != record[name]:
            raise UserError(
                f"{path} was edited since: keep it elsewhere or remove it; nothing was changed"
            )
    # What is missing is no loss, but it is not what was put there.
    return {name: digest for name, digest in record.items() if name in found}


def _record(folder: Path) -> dict[str, str]:
    try:
        record = json.loads((folder / RECORD).read_bytes())
        return {str(name): str(digest) for name, digest in record.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(f"{folder} is not from here: move it away") from error


def _compiled_from(name: str) -> str:
    """The module whose bytecode Python keeps under that name, nothing if it is none."""
    path = Path(name)
    if path.parent.name != "__pycache__" or path.suffix != ".pyc":
        return ""
    return str(path.parent.parent / f"{path.name.split('.')[0]}.py")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _exchange(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a folder with these files in the place of what is there; with none only take that away."""
    aside = folder.parents[1]
    try:
        for old in aside.glob(f"{_ASIDE}*"):
            # Of a run that was killed.
            shutil.rmtree(old)
        place = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=aside))
    except OSError as error:
        raise UserError(
            f"{aside} cannot be written ({error.strerror}): nothing was changed there"
        ) from error
    new, old = place / "new", place / "old"
    try:
        for name, data in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            (new / name).write_bytes(data)
        if folder.exists():
            os.rename(folder, old)
        if files:
            os.rename(new, folder)
    except BaseException as error:
        if old.exists() and not folder.exists():
            os.rename(old, folder)
        if isinstance(error, OSError):
            raise UserError(
                f"{folder} cannot be written ({error.strerror}): nothing was changed there"
            ) from error
        raise
    finally:
        shutil.rmtree(place)
