# SPDX-License-Identifier: GPL-2.0
"""Hash what cached results depend on apart from the tree: our own code, and the programs."""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.flow import closure
from hotcocci.errors import UserError
from hotcocci.layout import DATA, IMPORTS
from hotcocci.tree.stamps import stamps

IMPORT = re.compile(
    r"^\s*from (hotcocci[\w.]*) import (?:\(([^)]*)\)|([\w, ]+))", re.MULTILINE
)


def fingerprint(asked: str, module: Path, *files: Path) -> bytes:
    """Hash a query, a module with all its imports, and other files."""
    return hashlib.sha256(
        asked.encode("utf-8", "surrogateescape") + code(module, *files)
    ).digest()


def code(module: Path, *files: Path) -> bytes:
    """Hash a module with all its imports, and other files."""
    digest = hashlib.sha256()
    for file in [module, *modules_of(module), *files]:
        digest.update(content(file))
    return digest.digest()


def key(common: bytes, *parts: str | bytes) -> str:
    """The key of an answer that depends on all of these."""
    digest = hashlib.sha256(common)
    for part in parts:
        if isinstance(part, str):
            part = part.encode("utf-8", "surrogateescape")
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def all_code() -> str:
    """A text that changes with any of our own modules and semantic patches.

    Unlike `code`, it reads none of them.
    """
    return state_of(DATA / "cocci", IMPORTS / "hotcocci")


def state_of(*folders: Path) -> str:
    """A text that changes with any module, semantic patch or data file below the folders."""
    return stamps(
        f"{folder}/{name}"
        for top in folders
        for folder, _, names in sorted(os.walk(top))
        for name in sorted(names)
        if name.endswith((".py", ".cocci", ".h", ".toml"))
    )


@lru_cache(maxsize=None)
def content(file: Path) -> bytes:
    """Hash the content of one of our files, which does not change while we run."""
    return hashlib.sha256(file.read_bytes()).digest()


@lru_cache
def modules_of(file: Path) -> tuple[Path, ...]:
    """Return our modules that a semantic patch or a module imports, directly or indirectly, and their data files."""
    return tuple(sorted(closure(_imports(file), _imports)))


@lru_cache(maxsize=None)
def _file(name: str) -> Path | None:
    """One of our files by its name, None if there is none; most are asked for often."""
    path = IMPORTS / name
    return path if path.is_file() else None


@lru_cache(maxsize=None)
def _imports(file: Path) -> tuple[Path, ...]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}: restore it") from error
    found: list[Path] = []
    for package, several, plain in IMPORT.findall(text):
        base = package.replace(".", "/")
        names = [name.strip() for name in (several or plain).split(",")]
        places = [f"{base}.py", f"{base}/__init__.py"]
        places += [f"{base}/{name}.py" for name in names if name]
        found += filter(None, map(_file, places))
    # A package's data files, and the C source and the data file of a module
    data = (
        sorted(file.parent.rglob("*.toml"))
        if file.name == "__init__.py"
        else [file.with_suffix(".h"), file.with_suffix(".toml")]
    )
    return (*found, *(each for each in data if each.is_file()))
