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
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OPPOSITES = (
    {"==": "!=", "<": "<=", ">": ">=", "in": "not in", "is": "is not"}
    | {"!=": "==", "<=": "<", ">=": ">", "not in": "in", "is not": "is"}
    | {"and": "or", "or": "and", "True": "False", "False": "True"}
)
OPERATOR = re.compile(r"not in|is not|[!=<>]=|[<>]|\b(?:in|is|and|or)\b")


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
    raw = path.read_bytes()  # columns of the syntax tree count bytes
    starts = [0, *(match.end() for match in re.finditer(b"\n", raw))]
    found: list[Fault] = []

    def span(node: Any) -> tuple[int, int]:
        end = starts[node.end_lineno - 1] + node.end_col_offset
        return starts[node.lineno - 1] + node.col_offset, end

    def plant(kind: str, start: int, old: str, new: str) -> None:
        line = raw.count(b"\n", 0, start) + 1
        found.append(Fault(str(path.relative_to(ROOT)), line, kind, start, old, new))

    def between(kind: str, left: ast.expr, right: ast.expr) -> None:
        start, end = span(left)[1], span(right)[0]
        for word in OPERATOR.finditer(raw[start:end].decode()):
            plant(kind, start + word.start(), word[0], OPPOSITES[word[0]])

    for node in ast.walk(ast.parse(raw)):
        if isinstance(node, ast.Compare):
            for left, right in zip([node.left, *node.comparators], node.comparators):
                between("comparison", left, right)
        elif isinstance(node, ast.BoolOp):
            between("boolean", node.values[0], node.values[1])
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            start, end = span(node)
            old = raw[start:end].decode()
            plant("constant", start, old, OPPOSITES.get(old) or str(node.value + 1))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            start, end = span(node)
            plant("statement", start, raw[start:end].decode(), "pass")
        elif isinstance(node, (ast.If, ast.IfExp)):
            start, end = span(node.test)
            old = raw[start:end].decode()
            plant("condition", start, old, f"not ({old})")
    return found


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
    """The tests of a copy of the checkout that fail; an endless loop is seen, too."""
    command = ["timeout", "900", sys.executable, "-m", "pytest", "-q", "--tb=no"]
    command += ["-rfE", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE)
    if done.returncode not in (0, 1, 5):
        return {f"pytest ended with {done.returncode}"}
    said = done.stdout.decode()
    return set(re.findall(r"(?m)^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said))


def main() -> None:
    """Plant the faults and print what sees each."""
    folders = {path.parent.name for path in (ROOT / "hotcocci").glob("*/__init__.py")}
    rooms = sorted(folders & {path.name for path in (ROOT / "tests").iterdir()})
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
