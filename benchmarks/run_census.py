#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts runs of accesses in a tree by a text search, and compares with UA101 and UA102.

    python3 benchmarks/run_census.py TREE [--list] [--cache-dir FOLDER]

This is independent of the rules: a run is two or more get_user(), or two or more put_user(), whose
pointers begin with the same name, with nothing between them that is a brace, a jump label, a
preprocessor line, a loop or a call. What is none, for all that a text search knows, is named in NO_RUNS.
"home" leaves out arch/ except x86. Rewrites that ask first are in tier manual. --list prints runs without a finding.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mutants.subjects import spans

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("tools", "Documentation", "scripts")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
ACCESS = re.compile(r"\b(?:__)?(?P<way>get|put)_user\s*\(")
# What may stand between two accesses: the tests, errors and jumps of each.
ALLOWED = re.compile(
    r"[\s;|&!=()+-]|\b(?:if|return|goto|ret\w*|err\w*|rc|result|E[A-Z]+|out\w*|efault\w*|fault\w*"
    r"|unlikely|likely|\d+)\b"
)
NAME = re.compile(r"[A-Za-z_]\w*")
# A pointer that is in memory itself: another member is another pointer.
MEMBER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)+")
# After "return put_user(…);" there is no other access.
RETURNED = re.compile(r"\breturn\s*\(?\s*\Z")
# In a cast, and before a pointer
NO_BASE = frozenset(
    ("__user", "unsigned", "signed", "const", "volatile", "struct", "sizeof")
)
# By file and name; what begins them is no user pointer.
NO_RUNS = {
    # A function.
    ("arch/mips/math-emu/cp1emu.c", "msk_isa16_mode"),
    # A structure in kernel memory with two user pointers.
    ("sound/pci/emu10k1/emufx.c", "icode"),
}


@dataclass(frozen=True)
class Run:
    """Accesses in a row: file, line of each."""

    file: str
    lines: tuple[int, ...]
    base: str


@dataclass(frozen=True)
class Access:
    """One access in a text."""

    start: int
    end: int
    way: str
    base: str


def accesses(text: str) -> Iterator[Access]:
    """All accesses of a function body, in order."""
    for match in ACCESS.finditer(text):
        depth, end, comma = 1, match.end(), match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if text[end] == "," and depth == 1:
                comma = end
            end += 1
        yield Access(match.start(), end, match["way"], base(text[comma + 1 : end - 1]))


def base(pointer: str) -> str:
    """The first variable in a pointer, or all of a pointer that is a member; casts are left out."""
    bare = re.sub(r"\([\w\s]*__user[\s*]*\)|\([\w\s]+\*+\s*\)", " ", pointer)
    if MEMBER.fullmatch(bare.strip(" \t\n()")):
        return bare.strip(" \t\n()")
    names = [n for n in NAME.findall(bare) if n not in NO_BASE]
    return names[0] if names else ""


def runs(file: str, lines: list[str]) -> Iterator[Run]:
    """All runs in a file."""
    for first, last in spans(lines).values():
        body = "\n".join(lines[first:last])
        text = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), body)
        row: list[Access] = []
        for access in [*accesses(text), None]:
            if access and row and _continues(text, row[-1], access):
                row.append(access)
                continue
            if len(row) > 1:
                numbers = (first + text.count("\n", 0, a.start) + 1 for a in row)
                yield Run(file, tuple(numbers), row[0].base)
            row = [access] if access else []


def _continues(text: str, before: Access, after: Access) -> bool:
    between = text[before.end : after.start]
    # The end of a branch that only leaves: if (get_user(…)) { return …; }
    return (
        before.way == after.way
        and not (";" in between and RETURNED.search(text, 0, before.start))
        and before.base == after.base != ""
        and not ALLOWED.sub("", between)
    )


MANUAL = "manual"


def findings(tree: Path, cache: Path) -> dict[tuple[str, int], str | None]:
    """The reason for each line of a finding; None for a rewrite, MANUAL for one that asks."""
    argv = [sys.executable, "run.py", "lint", "--all", "--churn"]
    argv += ["--format", "json", "--rule", "UA101", "--rule", "UA102"]
    argv += [str(tree.resolve()), "--cache-dir", str(cache)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.strip())
    found: dict[tuple[str, int], str | None] = {}
    for report in json.loads(done.stdout)["findings"]:
        for line in range(report["line"], report["end_line"] + 1):
            asks = MANUAL if report["tier"] == MANUAL else None
            found[report["file"], line] = report["reason"] or asks
    return found


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def all_runs(root: Path) -> Iterator[Run]:
    """All runs in a tree."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = path.relative_to(root)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "t_user" in text and ACCESS.search(text):
            found = runs(str(file), text.splitlines())
            yield from (r for r in found if (r.file, r.base) not in NO_RUNS)


def main() -> int:
    """Print the table; returns the exit code."""
    options = parse()
    found = findings(options.tree, options.cache_dir)
    print("| | runs | found | rewritten | of these, asking first |")
    print("|---|--:|--:|--:|--:|")
    census = list(all_runs(options.tree))
    for title in ("all", "home"):
        counted: Counter[str] = Counter()
        why: Counter[str] = Counter()
        for run in census:
            at_home = not run.file.startswith("arch/") or run.file.startswith(
                "arch/x86/"
            )
            if title == "home" and not at_home:
                continue
            here = [found[run.file, n] for n in run.lines if (run.file, n) in found]
            counted["runs"] += 1
            counted["found"] += bool(here)
            counted["rewritten"] += None in here or MANUAL in here
            counted["asking"] += None not in here and MANUAL in here
            if here and None not in here and MANUAL not in here:
                why[str(here[0])] += 1
            if not here and options.list:
                print(f"{run.file}:{run.lines[0]}: {run.base}", file=sys.stderr)
        cells = (
            f"{counted[k]} ({100 * counted[k] / counted['runs']:.1f} %)"
            for k in ("found", "rewritten")
        )
        row = f"| {title} | {counted['runs']} | {' | '.join(cells)} |"
        print(f"{row} {counted['asking']} |")
        if options.list:
            print(title, dict(why), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
