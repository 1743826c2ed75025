#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts functions of a tree that access the same members of the same user structure in one order.

    python3 benchmarks/equal_windows.py TREE [--list]

A window is three or more accesses in a row, plain or unsafe, all reads or all writes, through one
pointer to a structure. Those of two functions are equal if the structure, the direction and the
members are: a helper could hold the window once (UA104, which is not a rule so far). The values are
not compared. This is a text search, independent of the rules.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from mutants.subjects import spans

OUTSIDE = ("tools", "Documentation", "scripts")
ACCESS = re.compile(r"\b(?:__|unsafe_)?(?P<way>get|put)_user\s*\(")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
MEMBER = re.compile(
    r"(?:\([^()]*\)\s*)?&\s*\(?(?P<base>\w+)\)?->(?P<member>[\w.\[\]]+)"
)
LEAST = 3


@dataclass(frozen=True)
class Window:
    """What a window accesses: a structure, the direction, and the members in order."""

    type: str
    way: str
    members: tuple[str, ...]


def second_argument(text: str, start: int) -> str:
    """The second argument of the call whose parenthesis ends before an offset."""
    depth, commas = 0, []
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth < 0:
            return text[commas[0] + 1 : (commas + [at])[1]].strip() if commas else ""
        if text[at] == "," and depth == 0:
            commas.append(at)
    return ""


def type_of(base: str, text: str) -> str:
    """The type that a user pointer is declared with; SYSCALL_DEFINE has a comma before its name."""
    found = re.search(rf"(\w+)\s+__user\s*\*\s*(?:\w+\s*,\s*\*\s*)*,?\s*{base}\b", text)
    return found[1] if found else ""


def windows(text: str) -> Iterator[Window]:
    """The windows of a function."""
    accesses = []
    for found in ACCESS.finditer(text):
        place = MEMBER.fullmatch(second_argument(text, found.end()))
        accesses.append(
            (found["way"], *((place["base"], place["member"]) if place else ("", "")))
        )
    for (way, base), row in groupby(accesses, key=lambda a: a[:2]):
        members = tuple(member for _, _, member in row)
        type_ = type_of(base, text) if base else ""
        if type_ and len(members) >= LEAST:
            yield Window(type_, way, members)


def functions(root: Path) -> Iterator[tuple[str, str, str]]:
    """The file, name and text of each function that accesses user memory."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = path.relative_to(root)
        if file.parts[0] in OUTSIDE or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if ACCESS.search(text):
            lines = text.splitlines()
            for name, (first, last) in spans(lines).items():
                while first and lines[first - 1][:1] not in ("", "}", "#"):
                    first -= 1  # the parameters, which spans() leaves out
                yield str(file), name, COMMENT.sub("", "\n".join(lines[first:last]))


def main() -> int:
    """Print the counts; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    holders: dict[Window, dict[tuple[str, str], None]] = {}
    for file, name, text in functions(options.tree):
        for window in windows(text):
            holders.setdefault(window, {})[file, name] = None
    equal = {w: tuple(held) for w, held in holders.items() if len(held) > 1}
    near = [w for w, held in equal.items() if len({file for file, _ in held}) == 1]
    home = [w for w in near if not re.match(r"arch/(?!x86/)", equal[w][0][0])]
    print(f"windows of {LEAST} accesses or more: {len(holders)} different ones")
    print(f"equal in two functions or more: {len(equal)}")
    print(f"  of one file: {len(near)}, outside arch/ or in arch/x86: {len(home)}")
    for window, held in equal.items() if options.list else ():
        print(f"{window.type} {window.way} {' '.join(window.members)}", file=sys.stderr)
        for file, name in held:
            print(f"    {file}: {name}()", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
