#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damages the cache in many ways: lint says the same as without one, and the next run finds a sound cache.

Each case starts with the cache of a finished run on a tree, damages its file, or has entries of another
shape with the right checksum, and lints twice. Prints the cases that fail, and how many do not.

    python3 benchmarks/cache_fuzz.py [--cases N] [--seed N] [--tree TREE]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.cache import FILE_NAME, Cache  # noqa: E402
from hotcocci.cli.main import main as hotcocci  # noqa: E402

Damage = Callable[[Path, random.Random], None]
# The exit code, what was printed, and what was said on stderr
Said = tuple[int, str, str]


def main() -> int:
    """Damage the cache; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cases", type=int, default=120, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--tree", type=Path, default=ROOT / "kernel-fixtures/classic")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hotcocci-fuzz-") as name:
        tree, sound = Path(name, "tree"), Path(name, "sound")
        shutil.copytree(options.tree, tree)
        lint(tree, sound)
        wanted = lint(tree, sound)
        failed = 0
        for number in range(options.cases):
            damage = DAMAGES[number % len(DAMAGES)]
            cache = Path(name, "cache")
            shutil.copytree(sound, cache)
            damage(cache / FILE_NAME, random.Random(options.seed * 1000 + number))
            why = fault([lint(tree, cache) for _ in range(2)], wanted)
            shutil.rmtree(cache)
            if why:
                failed += 1
                print(f"{number} {damage.__name__}: {why}")
    print(f"{options.cases} damaged caches, {options.cases - failed} harmless")
    return min(failed, 1)


def fault(runs: Sequence[Said], wanted: Said) -> str:
    """What is wrong with two runs after each other; empty if nothing is."""
    for which, (code, out, err) in zip(("first", "next"), runs, strict=True):
        if "Traceback" in err:
            return f"the {which} run ends with a traceback: {err.splitlines()[-1]}"
        if (code, out) != wanted[:2]:
            return f"the {which} run says something else (exit code {code}): {err}"
    # A directory in its place cannot be healed, and is named each time.
    if runs[1][2] != wanted[2] and "working without the cache" not in runs[1][2]:
        return f"it does not heal: {runs[1][2]}"
    return ""


def lint(tree: Path, cache: Path) -> Said:
    """Lint in a process of its own, which has not imported anything else."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            arguments = ["lint", "--churn", "--all", "--rule=UA101", "--jobs=1"]
            code = 99
            try:
                code = hotcocci([*arguments, f"--cache-dir={cache}", str(tree)])
            finally:
                sys.stdout.flush()
                if code == 99:
                    sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode())
    return code, texts[0], texts[1]


def truncated(file: Path, chance: random.Random) -> None:
    """The file ends too soon."""
    os.truncate(file, chance.randrange(file.stat().st_size))


def flipped(file: Path, chance: random.Random) -> None:
    """Some bits are others."""
    data = bytearray(file.read_bytes())
    for _ in range(chance.choice((1, 8, 300))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def overwritten(file: Path, chance: random.Random) -> None:
    """A part, or all, is random bytes or zeros."""
    data = bytearray(file.read_bytes())
    start = chance.choice((0, chance.randrange(len(data))))
    size = min(len(data) - start, chance.choice((16, 4096, len(data))))
    data[start : start + size] = chance.choice((chance.randbytes(size), bytes(size)))
    file.write_bytes(data)


def log_overwritten(file: Path, chance: random.Random) -> None:
    """Its log has random bytes, or is a directory."""
    log = file.with_name(f"{FILE_NAME}-wal")
    log.unlink(missing_ok=True)
    if chance.random() < 0.3:
        log.mkdir()
    else:
        log.write_bytes(chance.randbytes(chance.choice((0, 31, 5000))))


def other_tables(file: Path, chance: random.Random) -> None:
    """Its tables have another shape, as those of another version."""
    statements = (
        "DROP TABLE answers",
        "DROP TABLE answers; CREATE TABLE answers (path)",
        "ALTER TABLE answers ADD COLUMN more",
        "ALTER TABLE answers RENAME COLUMN value TO other",
        "DROP TABLE answers; CREATE VIEW answers AS SELECT 1 AS key",
        "CREATE TABLE more (path)",
        "PRAGMA user_version = 99",
        "PRAGMA application_id = 99",
    )
    with closing(sqlite3.connect(file)) as database:
        database.executescript(chance.choice(statements))


def other_rows(file: Path, chance: random.Random) -> None:
    """Its rows have other values."""
    statements = (
        "UPDATE answers SET value = NULL",
        "UPDATE answers SET value = 'text'",
        "UPDATE answers SET value = x''",
        "UPDATE answers SET value = (SELECT value FROM answers ORDER BY random() LIMIT 1)",
        "UPDATE answers SET day = 'Monday'",
        "DELETE FROM answers WHERE random() % 2",
    )
    with closing(sqlite3.connect(file)) as database, database:
        try:
            database.executescript(chance.choice(statements))
        except sqlite3.IntegrityError:
            return


def other_shapes(file: Path, chance: random.Random) -> None:
    """Well-formed answers have another shape, all or some of them."""
    with closing(sqlite3.connect(file)) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM answers")]
    with Cache(file.parent) as cache:
        known = cache.answers(keys)
        all_of = chance.choice((None, [], "text", 7, [[]], {"made": None}, ...))
        cache.remember(
            {
                key: mutated(answer, chance) if all_of is ... else all_of
                for key, answer in known.items()
            }
        )


def mutated(answer: Any, chance: random.Random) -> Any:
    """An answer in which one value has another type."""
    copy = json.loads(json.dumps([answer]))
    place = copy
    while True:
        index = chance.choice(
            [*(place if isinstance(place, dict) else range(len(place)))]
        )
        if (
            not isinstance(place[index], dict | list)
            or not place[index]
            or chance.random() < 0.2
        ):
            others = [
                o
                for o in (None, [], {}, "text", 7, True)
                if type(o) is not type(place[index])
            ]
            place[index] = chance.choice(others)
            return copy[0]
        place = place[index]


def replaced(file: Path, chance: random.Random) -> None:
    """Another file, or a directory, is in its place."""
    file.unlink()
    kind = chance.randrange(4)
    if kind == 0:
        file.mkdir()
    elif kind == 1:
        file.touch()
    elif kind == 2:
        subprocess.run(["mkfifo", str(file)], check=True)
    else:
        file.symlink_to(file)


DAMAGES: tuple[Damage, ...] = (
    truncated,
    flipped,
    overwritten,
    log_overwritten,
    other_tables,
    other_rows,
    other_shapes,
    other_shapes,
    other_shapes,
    replaced,
)

if __name__ == "__main__":
    sys.exit(main())
