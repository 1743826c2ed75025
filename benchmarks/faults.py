#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Plants faults in hotcocci/, one at a time, and lists the tests that see each.

A fault flips a comparison, a condition or a boolean, changes a number, or drops a statement. The same seed
plants the same faults in the same text. They are spread evenly over the rooms; pytest's arguments say which tests run
for each, by default those of its room. Prints one JSON object per fault; nothing is written into the checkout.

    python3 benchmarks/faults.py [--count N] [--seed N] [--room ROOM]… [--list] [-- tests/{room} -k classic …]
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A fault that makes a loop endless is seen, too.
PATIENCE = 900
OPPOSITES = (
    {"==": "!=", "<": "<=", ">": ">=", "in": "not in", "is": "is not"}
    | {"!=": "==", "<=": "<", ">=": ">", "not in": "in", "is not": "is"}
    | {"and": "or", "or": "and", "True": "False", "False": "True"}
)


@dataclass(frozen=True)
class Fault:
    """One edit: the text at an offset of a file, and what replaces it."""

    file: str
    line: int
    kind: str
    offset: int
    old: str
    new: str


def faults_of(path: Path) -> list[Fault]:
    """All faults that can be planted in a file."""
    text = path.read_text(encoding="utf-8")
    # Columns of the syntax tree count bytes.
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    raw = text.encode()

    def fault(kind: str, start: int, old: str, new: str) -> Fault:
        line = raw.count(b"\n", 0, start) + 1
        return Fault(str(path.relative_to(ROOT)), line, kind, start, old, new)

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        return starts[node.lineno - 1] + node.col_offset, end

    def between(kind: str, left: ast.expr, right: ast.expr) -> Iterator[Fault]:
        start, end = span(left)[1], span(right)[0]
        for word in re.finditer(
            r"not in|is not|[!=<>]=|[<>]|\b\w+", raw[start:end].decode()
        ):
            if word[0] in OPPOSITES:
                yield fault(kind, start + word.start(), word[0], OPPOSITES[word[0]])
                return

    def of_node(node: ast.AST) -> Iterator[Fault]:
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators):
                yield from between("comparison", left, right)
        elif isinstance(node, ast.BoolOp):
            yield from between("boolean", node.values[0], node.values[1])
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            start, end = span(node)
            old = raw[start:end].decode()
            new = OPPOSITES.get(old) or str(int(node.value) + 1)
            yield fault("constant", start, old, new)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            start, end = span(node)
            yield fault("statement", start, raw[start:end].decode(), "pass")
        elif isinstance(node, (ast.If, ast.IfExp)):
            start, end = span(node.test)
            old = raw[start:end].decode()
            yield fault("condition", start, old, f"not ({old})")

    return [each for node in ast.walk(ast.parse(text)) for each in of_node(node)]


def chosen(count: int, seed: int, rooms: Sequence[str]) -> list[Fault]:
    """As many faults of each room, drawn with a seed; one of each room comes first, then a second."""
    drawn = random.Random(seed)
    found = []
    for room in rooms:
        files = sorted((ROOT / "hotcocci" / room).rglob("*.py"))
        every = [each for path in files for each in faults_of(path)]
        found.append(drawn.sample(every, min(-(-count // len(rooms)), len(every))))
    rounds = [each for turn in zip_longest(*found) for each in turn if each]
    return rounds[:count]


def failures(folder: Path, arguments: Sequence[str]) -> set[str]:
    """The tests of a copy of the checkout that fail."""
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(
            [*command, "-p", "no:cacheprovider"],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return {"no end"}
    if done.returncode not in (0, 1, 5):
        return {f"pytest ended with {done.returncode}"}
    return set(re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE))


def main() -> None:
    """Plant the faults and print what sees each."""
    folders = sorted(p.parent.name for p in (ROOT / "hotcocci").glob("*/__init__.py"))
    rooms = [name for name in folders if (ROOT / "tests" / name).is_dir()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", action="append", choices=rooms)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("pytest", nargs="*", default=["tests/{room}"])
    options = parser.parse_args()
    every = chosen(options.count, options.seed, rooms)
    every = [e for e in every if e.file.split("/")[1] in (options.room or rooms)]
    if options.list:
        print("\n".join(json.dumps(asdict(each)) for each in every))
        return
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        clean: dict[str, set[str]] = {}
        for each in every:
            room = each.file.split("/")[1]
            words = [word.replace("{room}", room) for word in options.pytest]
            if room not in clean:
                clean[room] = failures(copy, words)
            raw = (ROOT / each.file).read_bytes()
            end = each.offset + len(each.old.encode())
            made = raw[: each.offset] + each.new.encode() + raw[end:]
            (copy / each.file).write_bytes(made)
            seen = sorted(failures(copy, words) - clean[room])
            (copy / each.file).write_bytes(raw)
            print(json.dumps({**asdict(each), "seen": seen}), flush=True)


if __name__ == "__main__":
    main()
