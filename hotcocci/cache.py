# SPDX-License-Identifier: GPL-2.0
"""The cache of results: one sqlite file outside every kernel tree.

Its one table has answers. Most keys are hashes of everything that an answer depends on: such an entry is
never stale, only unused. Others name what was looked at last, and the answer says when it still holds.

Several processes may use one cache at once. What is damaged, or was not written by us, is unknown and
is made again; a cache that cannot be used at all is replaced by one in memory, for this run.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any, TypeVar

from hotcocci.errors import AGAIN, leave_unanswered

Used = TypeVar("Used")

FILE_NAME = "cache.sqlite"
KEEP_DAYS = 90
# Our own writes take far less.
BUSY_SECONDS = 5.0
# Below the limit on variables per statement in every sqlite since 3.8.
BATCH = 500
# Seconds. Answers that come sooner after others than that are written together.
SOON = 0.5

TABLE = "CREATE TABLE answers (key TEXT PRIMARY KEY, day INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID"
# Bytes of an answer's checksum, which covers its key.
CHECKED = 8
# What sqlite says of a file that is damaged, or has tables of another shape.
_DAMAGED = frozenset(
    {
        *(sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB),
        *(sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_FORMAT),
        sqlite3.SQLITE_SCHEMA,
    }
)
_REMEDIES = {
    sqlite3.SQLITE_BUSY: "end the program that holds its lock",
    sqlite3.SQLITE_LOCKED: "end the program that holds its lock",
    sqlite3.SQLITE_FULL: "free some space there",
    sqlite3.SQLITE_IOERR: "look for a full disk, a limit on file sizes (ulimit -f) or a broken disk",
}
# A string in JSON that ends so; a quotation mark inside of a string has a backslash.
_UNANSWERED = f'{AGAIN}"'.encode()
# The databases in memory, by the file that could not be used.
_instead: dict[Path, sqlite3.Connection] = {}


def default_folder() -> Path:
    """Return ``$XDG_CACHE_HOME/hotcocci``, by default ``~/.cache/hotcocci``."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification requires that relative values are ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "hotcocci"


def no_warning(_: str) -> None:
    """Ignore a warning."""


class Cache:
    """An open cache; ``warn`` is called if it is corrupted or cannot be used."""

    def __init__(self, folder: Path, warn: Callable[[str], None] = no_warning) -> None:
        self._file = folder / FILE_NAME
        self._warn = warn
        self._pruned = False
        self._waiting: list[tuple[str, int, bytes]] = []
        self._written = 0.0
        self._database: sqlite3.Connection | None = _instead.get(self._file)
        self._with_database(lambda _: None)

    def close(self) -> None:
        """Write what is left to write, and close the file."""
        self._write()
        if self._database is not None and self._file not in _instead:
            self._database.close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answers(self, keys: Sequence[str]) -> dict[str, object]:
        """Return the stored answers for these keys; unknown keys are absent."""
        found: dict[str, object] = {}
        self._write()
        for start in range(0, len(keys), BATCH):
            part = tuple(keys[start : start + BATCH])
            query = "SELECT key, value FROM answers WHERE key IN (%s)"
            marked = query % ",".join("?" * len(part))
            rows = self._with_database(lambda d: d.execute(marked, part).fetchall())
            for key, value in rows:
                try:
                    text = zlib.decompress(value[CHECKED:])
                    if value[:CHECKED] == _checksum(key, text):
                        found[key] = json.loads(text)
                except (AttributeError, TypeError, ValueError, zlib.error):
                    # Treat a damaged entry as unknown: it will be computed and stored again.
                    continue
        return found

    def remember(self, answers: Mapping[str, object]) -> None:
        """Store answers, all or none, at the latest when the cache is closed, and delete those that are too old.

        One that says to try again is no answer: it is not stored, and the run is not complete.
        """
        for key, answer in answers.items():
            text = json.dumps(answer).encode()
            if _UNANSWERED in text:
                leave_unanswered()
            else:
                checked = _checksum(key, text) + zlib.compress(text, 1)
                self._waiting.append((key, _today(), checked))
        if time.monotonic() > self._written + SOON:
            self._write()

    def _write(self) -> None:
        """Write the answers that wait for it."""
        rows, self._waiting = self._waiting, []
        if not rows:
            return
        old = [] if self._pruned else [(_today() - KEEP_DAYS,)]
        self._pruned = True

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.executemany("DELETE FROM answers WHERE day < ?", old)
                database.executemany(
                    "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows
                )

        self._with_database(write)
        self._written = time.monotonic()

    def _with_database(self, use: Callable[[sqlite3.Connection], Used]) -> Used:
        """Use the database: the file, a new one if it is damaged, or one in memory if it cannot be used."""
        try:
            try:
                self._database = self._database or _open(self._file)
                return use(self._database)
            except (sqlite3.DatabaseError, UnicodeError) as error:
                # What sqlite says of a damaged name is no UTF-8.
                if isinstance(error, sqlite3.Error) and _code(error) not in _DAMAGED:
                    raise
                self._set_aside()
                self._database = _open(self._file)
                return use(self._database)
        except (OSError, sqlite3.Error) as error:
            if self._file in _instead:
                raise
            if self._database is not None:
                self._database.close()
            self._warn(_without(self._file, error))
            self._database = _instead[self._file] = _create(":memory:")
            return use(self._database)

    def _set_aside(self) -> None:
        """Rename a damaged file."""
        if self._database is not None:
            self._database.close()
            self._database = None
        aside = self._file.with_name(f"{FILE_NAME}.corrupt-{int(time.time())}")
        self._warn(
            f"the cache {self._file} is corrupted, or of another version: starting a new one, the old one is now {aside.name}"
        )
        os.replace(self._file, aside)
        for suffix in ("-wal", "-shm"):
            # These belong to the renamed file and would corrupt the new one.
            self._file.with_name(FILE_NAME + suffix).unlink(missing_ok=True)


def _without(file: Path, error: Exception) -> str:
    """Say that a cache cannot be used, and what to do."""
    full = getattr(error, "errno", None) in (ENOSPC, EDQUOT)
    code = sqlite3.SQLITE_FULL if full else _code(error)
    remedy = _REMEDIES.get(code, "make it writable")
    return (
        f"working without the cache {file}, so the next run starts again: {error}: {remedy}, "
        "or name another directory with --cache-dir"
    )


def _code(error: Exception) -> int:
    """The primary result code of sqlite; 0 for another error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _open(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    return _create(str(file))


def _create(name: str) -> sqlite3.Connection:
    # One in memory outlives the thread that made it.
    shared = name == ":memory:"
    database = sqlite3.connect(name, BUSY_SECONDS, check_same_thread=not shared)
    try:
        _use_log(database)
        database.execute("PRAGMA synchronous = NORMAL")
        if not _tables(database):
            with database:
                # Or two processes create the tables at once.
                database.execute("BEGIN IMMEDIATE")
                if not _tables(database):
                    database.execute(TABLE)
        if _tables(database) != {TABLE}:
            error = sqlite3.DatabaseError("it has other tables")
            error.sqlite_errorcode = sqlite3.SQLITE_SCHEMA
            raise error
    except (sqlite3.Error, UnicodeError):
        database.close()
        raise
    return database


def _use_log(database: sqlite3.Connection) -> None:
    """Let readers and a writer work at once. sqlite does not wait for others that do this to a new file."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(0.01)


def _tables(database: sqlite3.Connection) -> set[str]:
    return {sql for (sql,) in database.execute("SELECT sql FROM sqlite_master")}


def _checksum(key: str, text: bytes) -> bytes:
    return hashlib.blake2b(key.encode() + b"\0" + text, digest_size=CHECKED).digest()


def _today() -> int:
    """Days since 1970."""
    return int(time.time() // 86400)


Item = TypeVar("Item", bound=Hashable)
Answer = TypeVar("Answer")


def remembered(
    cache: Cache,
    keys: Mapping[Item, str],
    read: Callable[[Item, Any], Answer],
    make: Callable[[list[Item]], Iterable[tuple[Item, Answer]]],
    write: Callable[[Answer], object],
) -> dict[Item, Answer]:
    """The answer for each item that ``make`` has one for, by item; ``keys`` are those in the cache.

    ``read`` makes an answer of what ``write`` made of it. ``make`` yields the answers that are not
    known, in any order.
    """
    found = recalled(cache, keys, read)
    for item, answer in make([item for item in keys if item not in found]):
        found[item] = answer
        cache.remember({keys[item]: write(answer)})
    return found


def known_answer(
    cache: Cache, key: str, read: Callable[[Any], Answer]
) -> Answer | None:
    """The one answer with a key; None if it is not known."""
    return recalled(cache, {key: key}, lambda _, data: read(data)).get(key)


def recalled(
    cache: Cache, keys: Mapping[Item, str], read: Callable[[Item, Any], Answer]
) -> dict[Item, Answer]:
    """The answers in the cache, by item; one that ``read`` cannot take is unknown."""
    rows = cache.answers(list(dict.fromkeys(keys.values())))
    found = {}
    for item, key in keys.items():
        if key in rows:
            try:
                found[item] = read(item, rows[key])
            except (LookupError, TypeError, ValueError, AttributeError):
                # It has another shape: another program wrote it.
                continue
    return found
