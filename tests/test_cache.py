# SPDX-License-Identifier: GPL-2.0
"""The cache keeps entries, is shared between processes, and survives corruption."""

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from hotcocci.cache import FILE_NAME, KEEP_DAYS, Cache, default_folder
from hotcocci.errors import is_unanswered


def test_answers_persist_after_closing_until_they_are_old(tmp_path):
    with Cache(tmp_path) as cache:
        cache.remember({"a": {"x": [1, 2]}, "b": "text"})
    with Cache(tmp_path) as cache:
        assert cache.answers(["a", "b", "c"]) == {"a": {"x": [1, 2]}, "b": "text"}
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database, database:
        database.execute(f"UPDATE answers SET day = day - {KEEP_DAYS + 1}")
    with Cache(tmp_path) as cache:
        cache.remember({"new": 2})
        assert cache.answers(["a", "b", "new"]) == {"new": 2}


def test_flipped_bits(tmp_path, monkeypatch):
    monkeypatch.setattr("hotcocci.cache._instead", {})
    known = {f"{n:064}": "x" * 50 for n in range(200)}
    with Cache(tmp_path / "sound") as cache:
        cache.remember(known)
    sound = (tmp_path / "sound" / FILE_NAME).read_bytes()
    for seed in range(150):
        chance = random.Random(seed)
        data = bytearray(sound)
        # Half of them in the first pages, which have the names of the tables.
        end = len(data) if seed % 2 else 8192
        for _ in range(chance.choice((1, 8, 300))):
            data[chance.randrange(end)] ^= 1 << chance.randrange(8)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / FILE_NAME).write_bytes(data)
        with Cache(folder) as cache:
            assert cache.answers([*known]).items() <= known.items(), seed
            cache.remember({"a": 1})
            assert cache.answers(["a"]) == {"a": 1}, seed


def test_a_full_disk_leaves_a_cache_in_memory(tmp_path):
    warnings = []
    many = {str(n): str(n) * 50 for n in range(5000)}
    with Cache(tmp_path, warnings.append) as cache:
        cache.remember({"a": 1})
        cache._database.execute("PRAGMA max_page_count = 8")
        cache.remember(many)
        assert cache.answers([*many]) == many
    # The rest of the run does not try again, nor say it again.
    with Cache(tmp_path, warnings.append) as cache:
        assert cache.answers([*many]) == many
    (warning,) = warnings
    assert "\n" not in warning and "free some space" in warning
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        assert [*database.execute("SELECT key FROM answers")] == [("a",)]


def test_a_lock_of_another_program(tmp_path, monkeypatch):
    monkeypatch.setattr("hotcocci.cache.BUSY_SECONDS", 0.1)
    warnings = []
    Cache(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        with Cache(tmp_path, warnings.append) as cache:
            cache.remember({"a": 1})
            assert cache.answers(["a"]) == {"a": 1}
    (warning,) = warnings
    assert "end the program that holds its lock" in warning


@pytest.mark.parametrize(
    "shape",
    [
        "DROP TABLE answers; CREATE TABLE answers (key TEXT, other TEXT)",
        "DROP TABLE answers; CREATE VIEW answers AS SELECT 1 AS key",
        "CREATE TABLE looks (path)",
        "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END",
    ],
)
def test_tables_of_another_shape_are_set_aside(tmp_path, shape):
    warnings = []
    Cache(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.executescript(shape)
    for _ in range(2):
        with Cache(tmp_path, warnings.append) as cache:
            cache.remember({"a": 1})
            assert cache.answers(["a"]) == {"a": 1}
    (warning,) = warnings
    assert "corrupted" in warning


def test_an_answer_that_says_to_try_again_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr("hotcocci.errors._unanswered", False)
    with Cache(tmp_path) as cache:
        cache.remember(
            {"a": {"text": 'printk("try again");\n'}, "b": ["x: try again."]}
        )
        assert not is_unanswered()
        cache.remember({"c": [{"skipped": "gcc was killed: try again"}], "d": 1})
        assert sorted(cache.answers([*"abcd"])) == ["a", "b", "d"]
    assert is_unanswered()


WRITER = """
import sys, time
from pathlib import Path
from hotcocci.cache import Cache
time.sleep(max(float(sys.argv[3]) - time.time(), 0))
with Cache(Path(sys.argv[1]), print) as cache:
    for n in range(20):
        cache.remember({f"{sys.argv[2]}-{n}": n})
"""


@pytest.mark.whole
@pytest.mark.parametrize("turn", range(2))
def test_several_processes_begin_one_cache(tmp_path, turn):
    names = [f"{turn}{letter}" for letter in "abcdef"]
    at = str(time.time() + 0.5)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, tmp_path / "new", name, at],
            stdout=subprocess.PIPE,
        )
        for name in names
    ]
    assert [writer.communicate()[0] for writer in writers] == [b""] * len(names)
    keys = [f"{name}-{n}" for name in names for n in range(20)]
    with Cache(tmp_path / "new") as cache:
        assert len(cache.answers(keys)) == len(keys)


def test_default_folder(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/somewhere")
    assert default_folder() == Path("/var/somewhere/hotcocci")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_folder() == Path.home() / ".cache/hotcocci"
