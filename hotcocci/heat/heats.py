# SPDX-License-Identifier: GPL-2.0
"""The heat of a tree's functions, remembered by the contents of its files."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from hotcocci.cache import Cache
from hotcocci.findings import Finding
from hotcocci.heat import blocks, entries, graph, index
from hotcocci.heat.entries import COMMANDS, DEFINED, DISPATCHED, IOCTL, REGISTERED
from hotcocci.heat.graph import Heat, derive
from hotcocci.heat.index import Function, Index
from hotcocci.memo import known_answer, recalled, remembered
from hotcocci.pool import Failure, spread
from hotcocci.tree.select import hashes
from hotcocci.tree.source import read

HOT = 0.2
"""The least heat of code that runs often enough for its readers to accept longer code."""

UNKNOWN = IOCTL / 2
"""What most functions have that nothing is known to call."""

WORTH_A_PROCESS = 20

Progress = Callable[[str], AbstractContextManager[Callable[[int, int], None] | None]]


@dataclass(frozen=True)
class Heats:
    """The heat of functions, by file and name; a function that nothing is known to lead to has none."""

    known: Mapping[str, Mapping[str, Heat]] = field(default_factory=dict)

    def of(self, file: str, function: str | None) -> Heat | None:
        """The heat of a function, None if nothing is known to call it."""
        return self.known.get(file, {}).get(function or "")

    def on(self, finding: Finding) -> Finding:
        """A finding with the heat of its function."""
        heat = self.of(finding.file, finding.function)
        if heat is None:
            return finding
        return replace(finding, heat=heat.value, per=heat.per)

    def hot(self) -> dict[str, frozenset[str]]:
        """The hot functions of each file that has some."""
        found = {
            file: frozenset(n for n, heat in names.items() if heat.value >= HOT)
            for file, names in self.known.items()
        }
        return {file: names for file, names in found.items() if names}


def heats(
    root: Path, files: Sequence[str], cache: Cache, jobs: int, progress: Progress
) -> Heats:
    """The heat of the functions of these files, from the whole tree as it is now."""
    contents = hashes(root, cache)
    by_folder: dict[str, list[tuple[str, str]]] = {}
    for file, content in sorted(contents.items()):
        by_folder.setdefault(os.path.dirname(file), []).append((file, content))
    keys = {
        folder: _key(
            "index", _INDEX, *(f"{file} {content}" for file, content in inside)
        )
        for folder, inside in by_folder.items()
    }
    state = _key("heat", _HEAT, *keys.values())
    rows = known_answer(cache, state, dict)
    if rows is None:
        rows, whole = _derive(root, by_folder, keys, cache, jobs, progress)
        if not whole:
            return _read(rows, files, cache)
        cache.remember({state: rows})
    cache.remember({_latest(root): rows})
    return _read(rows, files, cache)


def latest(root: Path, files: Sequence[str], cache: Cache) -> Heats | None:
    """What `heats` last found for this version of a tree; None if it never did.

    Changes of other files since then are not seen.
    """
    rows = known_answer(cache, _latest(root), dict)
    return None if rows is None else _read(rows, files, cache)


def _latest(root: Path) -> str:
    try:
        version = (root / "Makefile").read_bytes()
    except OSError:
        version = b""
    return _key("latest heat", _HEAT, str(root), hashlib.sha256(version).hexdigest())


def _derive(
    root: Path,
    by_folder: Mapping[str, Sequence[tuple[str, str]]],
    keys: Mapping[str, str],
    cache: Cache,
    jobs: int,
    progress: Progress,
) -> tuple[dict[str, str], bool]:
    """Derive the heat of all functions, and store it.

    Returns the key of what is stored by folder, and whether all folders could be read.
    """
    with progress("reading who calls whom") as show:

        def make(folders: list[str]) -> Iterator[tuple[str, list[Any]]]:
            todo = [(f, tuple(file for file, _ in by_folder[f])) for f in folders]
            for (folder, _), found in spread(
                partial(_index, root), todo, jobs, WORTH_A_PROCESS, show
            ):
                if not isinstance(found, Failure):
                    yield folder, found

        rows = remembered(cache, keys, lambda _, row: list(row), make, list)
        indexes = {
            file: _from_row(row) for found in rows.values() for file, row in found
        }
    with progress("deriving how often each function runs"):
        folders: dict[str, dict[str, dict[str, list[Any]]]] = {}
        for file, name, heat in derive(indexes):
            names = folders.setdefault(os.path.dirname(file), {}).setdefault(file, {})
            old = names.get(name)
            if old is None or old[0] < heat.value:
                names[name] = [float(f"{heat.value:.2g}"), heat.per]
    stored = {folder: _key("heat of", repr(row)) for folder, row in folders.items()}
    cache.remember({stored[folder]: row for folder, row in folders.items()})
    return stored, rows.keys() == keys.keys()


def _read(rows: Mapping[str, str], files: Iterable[str], cache: Cache) -> Heats:
    """The heat of the functions of these files, given the keys of what is stored by folder."""
    folders = {os.path.dirname(file) for file in files}
    keys = {folder: rows[folder] for folder in folders if folder in rows}
    found = recalled(cache, keys, lambda _, row: dict(row))
    return Heats(
        {
            file: {name: Heat(*heat) for name, heat in names.items()}
            for row in found.values()
            for file, names in row.items()
        }
    )


def _index(root: Path, one: tuple[str, tuple[str, ...]]) -> list[Any]:
    """File and row of each file of a folder that says anything."""
    found = []
    for file in one[1]:
        try:
            # Only names count: in any encoding they are ASCII.
            text = read(root / file).decode("latin-1")
        except OSError:
            continue
        made = index.index(text)
        if made.functions or made.slots:
            found.append((file, _row(made)))
    return found


def _row(made: Index) -> list[Any]:
    functions = [
        [f.name, f.static, f.calls, f.commands, f.fatal, f.entry]
        for f in made.functions
    ]
    return [functions, made.slots, made.rows, made.registered, made.includes]


def _from_row(row: list[Any]) -> Index:
    functions, slots, rows, registered, includes = row
    return Index([Function(*f) for f in functions], slots, rows, registered, includes)


def _key(*parts: str) -> str:
    return hashlib.sha256(
        "\0".join(parts).encode("utf-8", "surrogateescape")
    ).hexdigest()


def _code(*modules: ModuleType) -> str:
    """The text of our own modules, which what is remembered depends on."""
    return "".join(
        Path(str(module.__file__)).read_text(encoding="utf-8") for module in modules
    )


_INDEX = _key(
    _code(blocks, index),
    repr([[*table] for table in (COMMANDS, REGISTERED, DISPATCHED, DEFINED)]),
)
_HEAT = _key(_INDEX, _code(entries, graph))
