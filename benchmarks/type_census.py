#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the structures a tree copies to or from user space whose size or layout is unknown.

    python3 benchmarks/type_census.py TREE [--text] [--list]

A pair is a file and a structure or union that ``sizeof`` in a copy names, directly or through a
variable declared before it. No rule is involved. Files outside arch/ are counted once, however many
architectures compile them; --text uses no compiler, --list prints every unknown pair with the cause.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.c import ask, model, text  # noqa: E402

OUTSIDE = ("tools", "Documentation", "scripts", "samples")
NO_CODE = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
COPY = re.compile(
    r"\b(?:__)?copy_(?:from|to)_user\s*\([^;{}]*?sizeof\s*\(?\s*([^;{}]*?)\)\s*\)"
)
NAMED = re.compile(r"(?:const\s+)?((?:struct|union)\s+\w+)$")
VARIABLE = re.compile(r"\*?\s*(\w+)$")


def main() -> int:
    """Print the counts."""
    options = parse()
    root = options.tree.resolve()
    begun = time.monotonic()
    unknown_size = unknown_layout = number = 0
    causes: Counter[str] = Counter()
    for file, types in pairs(root):
        number += len(types)
        layouts = {type_: text.layout(root, file, type_) for type_ in types}
        unknown = [type_ for type_ in types if layouts[type_] is None]
        answers = (
            ask.layouts(root, file, unknown) if unknown and not options.text else {}
        )
        for type_ in unknown:
            answer = answers.get(type_, ask.Unknown("the text does not tell"))
            if isinstance(answer, model.Layout):
                continue
            size = text.size_of(root, file, type_)
            unknown_size += size is None
            unknown_layout += 1
            causes[answer.cause] += 1
            if options.list:
                print(f"{file}: {type_}: {size or 'no'} bytes; {answer.cause}")
    print(f"pairs of a file and a structure: {number}")
    for what, count in (("size", unknown_size), ("layout", unknown_layout)):
        print(f"{what} unknown: {count} ({100 * count / max(number, 1):.1f} %)")
    for cause, count in causes.most_common():
        print(f"  {cause}: {count}")
    print(f"seconds: {time.monotonic() - begun:.1f}")
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path, metavar="TREE")
    parser.add_argument("--text", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def pairs(root: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each file of a tree once, with the structures it copies."""
    for path in sorted((*root.rglob("*.c"), *root.rglob("*.h"))):
        file = str(path.relative_to(root))
        if file.startswith(OUTSIDE):
            continue
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "copy_" in text and (types := list(dict.fromkeys(structures(text)))):
            yield file, types


def structures(text: str) -> Iterator[str]:
    """Find the structures and unions whose size measures a copy in a text."""
    text = NO_CODE.sub(" ", text)
    for match in COPY.finditer(text):
        operand = " ".join(match[1].split())
        named = NAMED.match(operand)
        if named is not None:
            yield named[1]
        elif (variable := VARIABLE.match(operand)) is not None:
            declared = re.compile(
                rf"\b(?:(struct|union)\s+)?(\w+)(?:\s+__user)?[\s*]+(?:\w+,\s*\*?)*{variable[1]}\s*[;,=)]"
            )
            before = declared.findall(text, 0, match.start())
            if before and before[-1][0]:
                yield " ".join(before[-1])


if __name__ == "__main__":
    sys.exit(main())
