#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Finds functions that people converted by hand between two kernels, and compares with the rules.

    python3 benchmarks/conversions.py 6.12-TREE 7.2-TREE [--list] [--cache-dir FOLDER]

A function counts if both trees have it and the later one has windows, scopes, single accesses or
checked accesses where the older has plain accesses, windows, copies or unchecked accesses. Each is
looked for by the rules in the later tree, which has the forms that people chose, with the older
function put into its file. Nothing is taken from a list.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutants.subjects import spans

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("tools", "Documentation", "scripts")
PLAIN = re.compile(r"\b(?:(?:__)?(?:get|put)_user|(?:__)?copy_(?:from|to)_user)\s*\(")
WINDOW = re.compile(
    r"\bunsafe_\w+\s*\(|\b(?:get|put)_user_inline\s*\(|\bscoped_user_\w+\s*\("
    r"|\b(?:masked_)?user_(?:read_|write_)?access_begin\s*\("
)
SCOPE = re.compile(r"\bscoped_user_\w+\s*\(")
COPY = re.compile(r"\b(?:__)?copy_(?:struct_)?(?:from|to)_user\s*\(")
SINGLE = re.compile(r"\b(?:get|put)_user\s*\(")
UNCHECKED = re.compile(r"\b__(?:(?:get|put)_user|copy_(?:from|to)_user)\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


@dataclass(frozen=True)
class Conversion:
    """A function that was converted, and the slice of the older file's lines that is its body."""

    file: str
    function: str
    first: int
    last: int


def texts(root: Path) -> Iterator[tuple[str, list[str]]]:
    """The files that access user memory."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = path.relative_to(root)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "_user" in text and (PLAIN.search(text) or WINDOW.search(text)):
            yield str(file), text.splitlines()


def code(lines: Sequence[str], span: tuple[int, int]) -> str:
    """The text of a function, without its comments."""
    return COMMENT.sub("", "\n".join(lines[slice(*span)]))


def kinds(was: str, now: str) -> Iterator[str]:
    """What was done to a function between two trees."""

    def more(pattern: re.Pattern[str]) -> int:
        return len(pattern.findall(now)) - len(pattern.findall(was))

    if WINDOW.search(was):
        if more(SCOPE) > 0:
            yield "window to scope"
    elif WINDOW.search(now) and PLAIN.search(was):
        yield "first window"
    elif more(COPY) < 0 and more(SINGLE) > 0:
        yield "copy to one access"
    elif more(UNCHECKED) < 0 and more(SINGLE) + more(COPY) >= 0 and SINGLE.search(now):
        yield "unchecked to checked"


def conversions(before: Path, after: Path) -> dict[str, list[Conversion]]:
    """The functions that were converted, by what was done to them."""
    found: dict[str, list[Conversion]] = {}
    later = dict(texts(after))
    for file, lines in texts(before):
        if file not in later:
            continue
        theirs = spans(later[file])
        for function, span in spans(lines).items():
            if function in theirs:
                was, now = code(lines, span), code(later[file], theirs[function])
                for kind in kinds(was, now):
                    found.setdefault(kind, []).append(Conversion(file, function, *span))
    return found


def put_back(found: Sequence[Conversion], before: Path, after: Path) -> str:
    """A diff that gives functions of the later tree the bodies they had in the older one."""
    diff: list[str] = []
    for file in sorted({c.file for c in found}):
        old = (before / file).read_text().splitlines(keepends=True)
        new = (after / file).read_text().splitlines(keepends=True)
        theirs = spans([line.rstrip("\n") for line in new])
        made = list(new)
        here = [c for c in found if c.file == file]
        for c in sorted(here, key=lambda c: theirs[c.function], reverse=True):
            made[slice(*theirs[c.function])] = old[c.first : c.last]
        diff += difflib.unified_diff(new, made, f"a/{file}", f"b/{file}")
    return "".join(diff)


def findings(options: argparse.Namespace, *arguments: str) -> list[dict[str, object]]:
    """What ``lint`` finds."""
    argv = [sys.executable, "run.py", "lint", "--all", "--churn", "--format", "json"]
    argv += [*arguments, "--cache-dir", str(options.cache_dir)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.strip())
    found: list[dict[str, object]] = json.loads(done.stdout)["findings"]
    return found


def verdict(found: Conversion, reports: Sequence[dict[str, object]]) -> tuple[str, str]:
    """What is made of a function: rewritten, refused (with the reasons), or not found."""
    here = [
        report
        for report in reports
        if report["file"] == found.file and report["function"] == found.function
    ]
    made = [str(r["rule"]) for r in here if r["reason"] is None]
    if made:
        return "rewritten", ", ".join(sorted(set(made)))
    if here:
        return "refused", ", ".join(
            sorted({f"{r['rule']} {r['reason']}" for r in here})
        )
    return "not found", ""


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("before", type=Path, metavar="6.12-TREE")
    parser.add_argument("after", type=Path, metavar="7.2-TREE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def main() -> int:
    """Print the table; returns the exit code."""
    options = parse()
    print("| | functions | rewritten | refused | not found |\n|---|--:|--:|--:|--:|")
    for title, converted in sorted(conversions(options.before, options.after).items()):
        with tempfile.TemporaryDirectory() as folder:
            diff = Path(folder, "back.diff")
            diff.write_text(put_back(converted, options.before, options.after))
            reports = findings(
                options, "--diff", str(diff), str(options.after.resolve())
            )
        results = {c: verdict(c, reports) for c in converted}
        count = Counter(kind for kind, _ in results.values())
        cells = (count[k] for k in ("rewritten", "refused", "not found"))
        print(f"| {title} | {len(converted)} | {' | '.join(map(str, cells))} |")
        if options.list:
            for c, (kind, why) in results.items():
                print(
                    f"{c.file}:{c.first + 1}: {c.function}: {kind} {why}",
                    file=sys.stderr,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
