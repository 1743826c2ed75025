#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Proves the scoped windows that people wrote: each against the same window in the classic form.

    python3 benchmarks/hand_scopes.py 7.2-TREE COPY [--function NAME]…

COPY is a folder on the same file system, for a copy of the tree (hard links) with the classic forms; the
kernel that is prepared for it is kept. All functions with a scope in .c files that x86-64 builds are tried:
nothing is taken from a list.
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from mutants.subjects import spans

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("tools", "Documentation", "scripts", "arch")
SCOPE = re.compile(
    r"(\t+)scoped_user_(read|write|rw)_access(_size)?\((.*), (\w+)\)( \{)?\n"
)
MODES = {"read": "read_", "write": "write_", "rw": ""}


def classic(function: Sequence[str]) -> list[str]:
    """A function with classic windows in place of its scopes."""
    made: list[str] = []
    tails: list[str] = []
    lines = iter(function)
    for line in lines:
        found = SCOPE.fullmatch(line)
        if found is None:
            made.append(line)
            continue
        indent, mode, sized, asked, label = found.groups()[:5]
        body = body_of(lines, indent, bool(found[6]))
        where = asked if sized else f"{asked}, sizeof(*{asked})"
        end, fault = f"user_{MODES[mode]}access_end();", f"{label}_end"
        made += [
            f"{indent}if (!user_{MODES[mode]}access_begin({where}))\n",
            f"{indent}\tgoto {label};\n",
            f"{indent}{{\n",
            *(re.sub(rf"\b{label}\)", f"{fault})", each) for each in body),
            f"{indent}}}\n",
            f"{indent}{end}\n",
        ]
        tails += [f"{fault}:\n", f"\t{end}\n", f"\tgoto {label};\n"]
    return [*made[:-1], *tails, made[-1]]


def body_of(lines: Iterator[str], indent: str, braces: bool) -> Iterator[str]:
    """The lines of a scope's body: up to its brace, or one statement."""
    for line in lines:
        if braces and line == f"{indent}}}\n":
            return
        yield line
        if not braces and line.endswith(";\n"):
            return


def changes(tree: Path) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Each function with scopes: its file, its name, and the file's lines in the classic form and as they are."""
    for path in sorted(tree.rglob("*.c")):
        file = path.relative_to(tree)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "scoped_user_" not in text:
            continue
        lines = text.splitlines(keepends=True)
        for name, (first, last) in spans([line.rstrip("\n") for line in lines]).items():
            if any(map(SCOPE.fullmatch, lines[first:last])):
                old = classic(lines[first:last])
                yield str(file), name, [*lines[:first], *old, *lines[last:]], lines


def prove(copy: Path, file: str, old: list[str], new: list[str]) -> tuple[str, str]:
    """What ``prove`` says of the scopes of a function, and why."""
    place = copy / file
    kept = place.read_bytes()
    # The copy has hard links.
    place.unlink()
    place.write_text("".join(old), encoding="utf-8", errors="surrogateescape")
    diff = copy.parent / f"{copy.name}.diff"
    text = difflib.unified_diff(old, new, f"a/{file}", f"b/{file}")
    diff.write_text("".join(text), encoding="utf-8", errors="surrogateescape")
    argv = [sys.executable, "run.py", "prove", "--diff", str(diff), str(copy)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    place.write_bytes(kept)
    total = re.findall(
        r"(\d+) (proven|different|not proven)", done.stdout + done.stderr
    )
    verdicts = {word: int(number) for number, word in total}
    for word in ("different", "not proven", "proven"):
        if verdicts.get(word):
            said = re.findall(
                rf": ({word}: .*|equivalent .*)", done.stdout + done.stderr
            )
            return word, said[0] if said else ""
    return "no answer", done.stderr.strip().splitlines()[-1]


def main() -> int:
    """Print the verdicts; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="7.2-TREE")
    parser.add_argument("copy", type=Path, metavar="COPY")
    parser.add_argument("--function", action="append", metavar="NAME")
    options = parser.parse_args()
    tree, copy = options.tree.resolve(), options.copy.resolve()
    if not copy.exists():
        subprocess.run(["cp", "-al", str(tree), str(copy)], check=True)
    verdicts: list[str] = []
    for file, name, old, new in changes(tree):
        if options.function is None or name in options.function:
            verdict, why = prove(copy, file, old, new)
            verdicts.append(verdict)
            print(f"{file}: {name}(): {verdict}: {why[:120]}", flush=True)
    proven = verdicts.count("proven")
    different = verdicts.count("different")
    print(f"{proven} of {len(verdicts)} proven, {different} different")
    return 0


if __name__ == "__main__":
    sys.exit(main())
