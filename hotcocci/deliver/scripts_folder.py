# SPDX-License-Identifier: GPL-2.0
"""Install the semantic patches in a kernel tree's scripts/coccinelle, and remove them.

They get a directory of their own with all they need: "make coccicheck" finds every .cocci below
scripts/coccinelle, and the scripts import the directory as a Python package. It is added and removed
as a whole, and has a .gitignore so that git does not see it.
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
# Names and hashes of the installed files.
RECORD = ".installed.json"
IGNORED = ".gitignore"
# Outside scripts/coccinelle, so that coccicheck never sees a partial directory.
_ASIDE = ".hotcocci-"


@dataclass(frozen=True)
class Change:
    """How many files were installed or removed, 0 if there was nothing to do."""

    files: int
    folder: Path


def install(tree: Path, files: Mapping[str, bytes]) -> Change:
    """Install these files, by name, in a tree; safe to repeat.

    Raises UserError, without changing the tree, if it has no scripts/coccinelle or an installed file
    was edited.
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
    """Remove the directory from a tree, if it is there.

    Raises UserError, without changing the tree, if a file in it was edited or not installed.
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
            f"{tree} has no directory {SCRIPTS}: name the root of a kernel tree"
        )
    folder = tree / FOLDER
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder} was not installed by hotcocci: move it away")
    return folder


def _untouched(folder: Path) -> dict[str, str]:
    """Return the hashes of the installed files. Raises UserError if any was edited or added."""
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
                f"{path} was not installed by hotcocci: move it away; nothing was changed"
            )
        if path.is_symlink() or _digest(path.read_bytes()) != record[name]:
            raise UserError(
                f"{path} was edited: move it away or remove it; nothing was changed"
            )
    # A missing file is no loss, but makes the record differ, so it is installed again.
    return {name: digest for name, digest in record.items() if name in found}


def _record(folder: Path) -> dict[str, str]:
    try:
        record = json.loads((folder / RECORD).read_bytes())
        return {str(name): str(digest) for name, digest in record.items()}
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(
            f"{folder} was not installed by hotcocci: move it away"
        ) from error


def _compiled_from(name: str) -> str:
    """Return the module that a file in __pycache__ was compiled from, else an empty string."""
    path = Path(name)
    if path.parent.name != "__pycache__" or path.suffix != ".pyc":
        return ""
    return str(path.parent.parent / f"{path.name.split('.')[0]}.py")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _exchange(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace the directory by one with these files; without files, remove it."""
    aside = folder.parents[1]
    try:
        for old in aside.glob(f"{_ASIDE}*"):
            # Left by a run that was killed.
            shutil.rmtree(old)
        place = Path(tempfile.mkdtemp(prefix=_ASIDE, dir=aside))
    except OSError as error:
        raise UserError(
            f"cannot write to {aside} ({error.strerror}): nothing was changed"
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
                f"cannot write to {folder} ({error.strerror}): nothing was changed"
            ) from error
        raise
    finally:
        shutil.rmtree(place)
