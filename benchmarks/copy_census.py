#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts scalar-sized copies in a tree by a text search, and compares with UA201.

    python3 benchmarks/copy_census.py TREE [--cache-dir FOLDER] [--jobs N] [--list]

This is independent of the rule: a copy is a name and a parenthesis, its size the third argument. It
counts sizes written as sizeof() of an integer type; --list prints those without a finding, and those
for which the rule has another size.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from census import code, findings, parser

COPY = re.compile(r"\b(?:__)?copy_(?:from|to)_user\s*\(")
# Size of each type in bytes on a 64-bit machine
TYPES = {
    1: "char|unsigned char|signed char|u8|s8|__u8|__s8|uint8_t|int8_t",
    2: "short|unsigned short|u16|s16|__u16|__s16|uint16_t|int16_t|__le16|__be16",
    4: "int|unsigned int|unsigned|u32|s32|__u32|__s32|uint32_t|int32_t|__le32|__be32",
    8: "long|unsigned long|long long|unsigned long long|u64|s64|__u64|__s64|uint64_t|int64_t"
    "|__le64|__be64|size_t|ssize_t|loff_t",
}
SIZES = {name: size for size, names in TYPES.items() for name in names.split("|")}
SIZEOF = re.compile(r"sizeof\s*\(?\s*([\w ]+?)\s*\)?")


@dataclass(frozen=True)
class Counted:
    """A copy: its location, and the number of bytes."""

    file: str
    line: int
    size: int


def copies(root: Path) -> Iterator[Counted]:
    """Find all copies sized by an integer type."""
    for file, text in code(root, "copy_"):
        for match in COPY.finditer(text):
            last = _arguments(text, match.end())[-1:]
            found = SIZEOF.fullmatch(" ".join(last).strip())
            size = SIZES.get(" ".join(found[1].split())) if found else None
            if size is not None:
                line = text.count("\n", 0, match.start()) + 1
                yield Counted(file, line, size)


def _arguments(text: str, start: int) -> list[str]:
    found, depth, piece = [], 0, start
    for index in range(start, min(len(text), start + 2000)):
        char = text[index]
        depth += (char in "([{") - (char in ")]}")
        if depth < 0 or (char == "," and depth == 0):
            found.append(text[piece:index])
            piece = index + 1
        if depth < 0:
            break
    return found


def main() -> None:
    """Print the counts."""
    options = parser(__doc__)
    options.add_argument("--list", action="store_true")
    args = options.parse_args()
    found = findings(args.tree, "UA201", args.jobs, args.cache_dir)
    known = {(f["file"], f["line"]): f for f in found}
    counted = list(copies(args.tree.resolve()))
    missed = [one for one in counted if (one.file, one.line) not in known]
    matched = [(one, known[one.file, one.line]) for one in counted if one not in missed]
    wrong = [
        one
        for one, finding in matched
        if f"{one.size} byte" not in str(finding["message"]).partition(":")[0]
    ]
    print(f"copies sized by an integer type: {len(counted)}")
    print(f"of these found: {len(matched)}, with another size: {len(wrong)}")
    for what, number in sorted(
        Counter(str(f["tier"] or f["reason"]) for _, f in matched).items()
    ):
        print(f"  {what}: {number}")
    for one in (*missed, *wrong) if args.list else ():
        print(f"{one.file}:{one.line}")


if __name__ == "__main__":
    main()
