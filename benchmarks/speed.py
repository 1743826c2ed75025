#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measures the processor time of commands on known files, against what is allowed.

    python3 benchmarks/speed.py TREE [--cache-dir FOLDER] [--runs N] [--change] [--cold PATH]

Prints one row per command: the median of N runs with all child processes, what is allowed, and the
ratio. Everything is run before it is measured, so a first run on an empty cache takes minutes.

What is allowed is measured in the same run: ``python -c pass`` with the same interpreter, and a
listing of the tree's .c and .h files with their status ('git ls-files' and stat, or find if the tree
is no git checkout).

``--change`` appends a line to a file and lints the tree again; allowed is what the known tree and the
changed file alone take. Then it appends a line to a header that two known files do not include, and
runs 'check' and 'patch' on them again; allowed is the same as if nothing had changed, and what it takes
to see which files have changed. It needs a tree that it may write to, and restores both. Last, it lints
the tree and a copy of hard links beside it, where nothing has changed but the times of the inodes.

``--cold`` lints PATH with an empty cache. Allowed is a multiple of 'spatch --parse-c' on the whole
text of each file that lint passes to spatch for any rule, once, with the project's macro file. That
parses and does nothing else, so it is the least that any use of spatch takes.
"""

from __future__ import annotations

import argparse
import difflib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.pipeline.facts import worth_parsing  # noqa: E402
from hotcocci.pipeline.run import running  # noqa: E402
from hotcocci.pipeline.settings import Settings  # noqa: E402
from hotcocci.rules.rulebook import MENTIONS, REWRITE_RULES  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.select import mentioning, mentions  # noqa: E402
from hotcocci.tree.source import SETTLED_NS  # noqa: E402

# One with a rewrite, one with windows.
REWRITTEN = "sound/core/control_compat.c"
WINDOWS = "fs/readdir.c"
# Neither includes it.
ELSEWHERE = "drivers/net/wireless/ath/ath9k/hw.h"
# Seconds, and how often a reference.
FILE = 0.25
BUILD = 0.6
TREE = 1.0
LISTINGS = 2.0
PASSES = 3.0
PARSES = 1.3
COLD_JOBS = 2


@dataclass(frozen=True)
class Row:
    """A command, and its measured and allowed seconds of processor time."""

    what: str
    measured: float
    allowed: float


class Meter:
    """Runs commands of this checkout with one cache, and measures them."""

    def __init__(self, cache: Path, runs: int) -> None:
        self._cache = cache
        self._runs = runs
        # As installed: the interpreter keeps the compiled modules.
        self._environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(cache / "python")}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def hotcocci(self, *words: str, warm: bool = True) -> float:
        """The median time of a command; without ``warm`` it runs once and need not be known."""
        argv = [sys.executable, str(ROOT / "run.py"), *words]
        if not words[0].startswith("-"):
            argv += ["--cache-dir", str(self._cache)]
        if not warm:
            return self.once(argv)
        # Files that have just been written are known for certain only two seconds later.
        for _ in range(2):
            self.once(argv)
        return self.median(argv)

    def median(self, argv: Sequence[str]) -> float:
        """The median time of several runs."""
        return statistics.median(self.once(argv) for _ in range(self._runs))

    def once(self, argv: Sequence[str]) -> float:
        """The processor time of one run with its children; exits if it fails."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(argv, capture_output=True, env=self._environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(argv)}: {os.fsdecode(done.stderr).strip()}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the table; returns 1 if a row takes longer than allowed."""
    options = parse()
    tree = options.tree.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache_dir or Path(scratch) / "cache"
        cache.mkdir(parents=True, exist_ok=True)
        meter = Meter(cache.resolve(), options.runs)
        rows = known(meter, tree, Path(scratch))
        if options.change:
            rows.append(changed(meter, tree))
            rows += header_changed(meter, tree)
            rows += linked(meter, tree)
    if options.cold:
        rows.append(cold(options.cold.resolve()))
    print("| what | measured | allowed | ratio |\n|---|--:|--:|--:|")
    for row in rows:
        ratio = row.measured / row.allowed
        print(
            f"| {row.what} | {row.measured:.2f} s | {row.allowed:.2f} s | {ratio:.2f} |"
        )
    return int(any(row.measured > row.allowed for row in rows))


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("--cache-dir", type=Path, metavar="FOLDER")
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--change", action="store_true")
    parser.add_argument("--cold", type=Path, metavar="PATH")
    return parser.parse_args()


def known(meter: Meter, tree: Path, scratch: Path) -> list[Row]:
    """The rows of what is known and has not changed."""
    nothing = meter.median([sys.executable, "-c", "pass"])
    file = str(tree / REWRITTEN)
    windows = str(tree / WINDOWS)
    diff = scratch / "change.diff"
    diff.write_bytes(appending(tree, REWRITTEN))
    rows = [
        Row(word, meter.hotcocci(word), PASSES * nothing)
        for word in ("--version", "--help")
    ]
    for words in (
        ("lint", file),
        ("lint", windows),
        ("why", f"{file}:{line_of_finding(tree)}"),
        ("lint", "--diff", str(diff), str(tree)),
    ):
        rows.append(Row(shown(words, tree), meter.hotcocci(*words), nothing + FILE))
    for words in (("check", windows), ("patch", file)):
        rows.append(Row(shown(words, tree), meter.hotcocci(*words), nothing + BUILD))
    whole = meter.hotcocci("lint", str(tree))
    listing = meter.median(["sh", "-c", listed(tree), "sh", str(tree)])
    rows.append(Row("lint TREE", whole, max(TREE, LISTINGS * listing)))
    return rows


def shown(words: Iterable[str], tree: Path) -> str:
    """A command without the names of folders."""
    names = (word.replace(f"{tree}/", "").replace(str(tree), "TREE") for word in words)
    return " ".join("DIFF" if name.endswith(".diff") else name for name in names)


def appending(tree: Path, file: str) -> bytes:
    """A diff that appends a comment to a file."""
    before = (tree / file).read_text(encoding="latin-1").splitlines(keepends=True)
    after = [*before, "/* one more line */\n"]
    return "".join(
        difflib.unified_diff(before, after, f"a/{file}", f"b/{file}")
    ).encode("latin-1")


def line_of_finding(tree: Path) -> int:
    """A line to ask about."""
    text = (tree / REWRITTEN).read_text(encoding="latin-1")
    return text[: text.index("put_user(")].count("\n") + 1


def listed(tree: Path) -> str:
    """The shell command that lists the C files of the tree in "$1" with their status."""
    if (tree / ".git").exists():
        names = "git -C \"$1\" ls-files -z -- '*.c' '*.h'"
        return f"cd \"$1\" && {names} | xargs -0 stat --format='%Y %s'"
    return "find \"$1\" -name '*.[ch]' -printf '%T@ %s\\n'"


def changed(meter: Meter, tree: Path) -> Row:
    """The row of a tree of which one file has changed since it was known."""
    path = tree / WINDOWS
    before, status = path.read_bytes(), path.stat()
    whole = meter.hotcocci("lint", str(tree))
    try:
        path.write_bytes(before + b"/* one more line */\n")
        alone = meter.hotcocci("lint", str(path), warm=False)
        path.write_bytes(before + b"/* another line */\n")
        taken = meter.hotcocci("lint", str(tree), warm=False)
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return Row("lint TREE, one file changed", taken, whole + alone)


def header_changed(meter: Meter, tree: Path) -> list[Row]:
    """The rows of known files after a header that they do not include has changed."""
    path = tree / ELSEWHERE
    before, status = path.read_bytes(), path.stat()
    commands = (("check", str(tree / WINDOWS)), ("patch", str(tree / REWRITTEN)))
    rows = []
    try:
        for number, words in enumerate(commands):
            known = meter.hotcocci(*words)
            path.write_bytes(before + b"/* %d */\n" % number)
            taken = meter.hotcocci(*words, warm=False)
            what = f"{shown(words, tree)}, a header changed"
            rows.append(Row(what, taken, known + BUILD))
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    return rows


def linked(meter: Meter, tree: Path) -> list[Row]:
    """The rows of a known tree of which a copy of hard links was made, and of the copy."""
    known = meter.hotcocci("lint", str(tree))
    with tempfile.TemporaryDirectory(dir=tree.parent) as folder:
        subprocess.run(["cp", "-al", str(tree), folder], check=True)
        time.sleep(SETTLED_NS / 1e9)
        places = {"TREE, after cp -al": tree, "the copy": Path(folder) / tree.name}
        return [
            Row(
                f"lint {what}",
                meter.hotcocci("lint", str(place), warm=False),
                known + BUILD,
            )
            for what, place in places.items()
        ]


def cold(path: Path) -> Row:
    """The row of a run with an empty cache."""
    tree = find_tree(path)
    with tempfile.TemporaryDirectory() as folder:
        meter = Meter(Path(folder), 1)
        taken = meter.hotcocci("lint", str(path), "--jobs", str(COLD_JOBS), warm=False)
        files: set[str] = set()
        with running(tree, Settings(cache_dir=Path(folder))) as run:
            mentioned, _ = mentions(tree, [path], run.cache, MENTIONS)
            for rule in REWRITE_RULES:
                own = mentioning(mentioned, rule.mention) if rule.mention else []
                files.update(worth_parsing(run, rule, own))
        macros = str(ROOT / "cocci/macros.h")
        parsing = ["spatch", "--macro-file", macros, "--parse-c"]
        alone = meter.once(
            [*parsing, *(str(tree.root / file) for file in sorted(files))]
        )
    return Row(
        f"lint {path.relative_to(tree.root) if path != tree.root else 'TREE'}, cold",
        taken,
        PARSES * alone,
    )


if __name__ == "__main__":
    sys.exit(main())
