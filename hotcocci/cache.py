# SPDX-License-Identifier: GPL-2.0
"""The cache of results: one sqlite file outside every kernel tree.

It has two tables. ``answers`` is content-addressed: the key is a hash of everything an answer depends
on, so an entry is never stale, only unused. ``looks`` has for each path, modification time and size
what the file mentions.

Several processes may use one cache at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from typing import Any

from hotcocci.errors import UserError

FILE_NAME = "cache.sqlite"
KEEP_DAYS = 90
BUSY_SECONDS = 30.0
# Below the limit on variables per statement in every sqlite since 3.8.
BATCH = 500

SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, day INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS looks (path TEXT PRIMARY KEY, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL,
                                  kinds INTEGER NOT NULL, asked TEXT NOT NULL) WITHOUT ROWID;
DROP TABLE IF EXISTS listing;
DROP TABLE IF EXISTS mentions;
"""


@dataclass(frozen=True)
class Listed:
    """A scanned file; ``kinds`` has a bit for each kind of call it mentions (tree/select.py)."""

    path: str
    mtime_ns: int
    size: int
    kinds: int


def default_folder() -> Path:
    """Return ``$XDG_CACHE_HOME/hotcocci``, by default ``~/.cache/hotcocci``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification requires that relative values are ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "hotcocci"


def no_warning(_: str) -> None:
    """Ignore a warning."""


class Cache:
    """An open cache; ``warn`` is called if it is corrupted.

    Every method raises UserError on I/O errors.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None] = no_warning) -> None:
        self._file = folder / FILE_NAME
        self._warn = warn
        with self._explained():
            folder.mkdir(parents=True, exist_ok=True)
            try:
                self._database = _open(self._file)
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._set_aside()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answers(self, keys: Sequence[str]) -> dict[str, object]:
        """Return the stored answers for these keys; unknown keys are absent."""
        found: dict[str, object] = {}
        for start in range(0, len(keys), BATCH):
            part = keys[start : start + BATCH]
            marks = ",".join("?" * len(part))
            rows = self._rows(
                f"SELECT key, value FROM answers WHERE key IN ({marks})", part
            )
            for key, value in rows:
                try:
                    found[str(key)] = json.loads(zlib.decompress(value))
                except (TypeError, ValueError, zlib.error):
                    # Treat a damaged entry as unknown: it will be computed and stored again.
                    continue
        return found

    def remember(self, answers: dict[str, object]) -> None:
        """Store answers, all or none, and delete those that are too old."""
        day = _today()
        rows = [
            (k, day, zlib.compress(json.dumps(v).encode(), 1))
            for k, v in answers.items()
        ]
        self._write(
            [
                ("DELETE FROM answers WHERE day < ?", [(day - KEEP_DAYS,)]),
                ("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows),
            ]
        )

    def listing(self, folder: str, asked: str) -> dict[str, Listed]:
        """Return the stored scan of the files below an absolute path, by path.

        ``asked`` identifies what the scan searched for; entries of other scans are ignored.
        """
        # "0" is the character after "/": the range is everything below the directory.
        rows = self._rows(
            "SELECT path, mtime_ns, size, kinds FROM looks "
            "WHERE path > ? AND path < ? AND asked = ?",
            (folder + "/", folder + "0", asked),
        )
        return {
            str(path): Listed(str(path), mtime, size, kinds)
            for path, mtime, size, kinds in rows
        }

    def remember_listing(
        self, seen: Iterable[Listed], gone: Iterable[str], asked: str
    ) -> None:
        """Store a scan, and delete the entries of files that are gone."""
        self._write(
            [
                ("DELETE FROM looks WHERE path = ?", [(path,) for path in gone]),
                (
                    "INSERT OR REPLACE INTO looks VALUES (?, ?, ?, ?, ?)",
                    [(f.path, f.mtime_ns, f.size, f.kinds, asked) for f in seen],
                ),
            ]
        )

    def _rows(self, query: str, values: Sequence[str]) -> list[tuple[Any, ...]]:
        def read() -> list[tuple[Any, ...]]:
            return self._database.execute(query, tuple(values)).fetchall()

        with self._explained():
            try:
                return read()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._set_aside()
                return read()

    def _write(
        self, statements: Sequence[tuple[str, Sequence[tuple[object, ...]]]]
    ) -> None:
        def write() -> None:
            with self._database:
                for statement, rows in statements:
                    self._database.executemany(statement, rows)

        with self._explained():
            try:
                write()
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):
                    raise
                self._set_aside()
                write()

    def _set_aside(self) -> None:
        """Rename a corrupted file and start with an empty one."""
        if hasattr(self, "_database"):
            self._database.close()
        aside = self._file.with_name(f"{FILE_NAME}.corrupt-{int(time.time())}")
        self._warn(
            f"the cache {self._file} is corrupted: starting a new one, the old one is now {aside.name}"
        )
        os.replace(self._file, aside)
        for suffix in ("-wal", "-shm"):
            # These belong to the renamed file and would corrupt the new one.
            self._file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)
        self._database = _open(self._file)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            full = "full" in str(error) or getattr(error, "errno", None) == ENOSPC
            remedy = "free some space there" if full else "make it writable"
            raise UserError(
                f"cannot use the cache {self._file}: {error}: {remedy} or name another directory with --cache-dir"
            ) from error


def _open(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=BUSY_SECONDS)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.executescript(SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // 86400)
