#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the sizes of the arguments of all ioctl commands in a tree's include/uapi.

    python3 benchmarks/copy_sizes.py TREE...

Prints the sizes that at least one command in SHARE has, by direction: what the kernel reads, what it
writes. UA203 copies the multiples of words among them inline (SMALL_SIZES).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.findings import READ, READ_WRITE, WRITE  # noqa: E402
from hotcocci.rules.ua203_runtime_size.sizes import Command, defined  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402

SHARE = 20


def commands(root: Path) -> dict[str, Command]:
    """All commands of the user interface, by name."""
    found: dict[str, Command] = {}
    for header in sorted((root / "include/uapi").rglob("*.h")):
        if b"_IO" in header.read_bytes():
            found |= defined(root, str(header.relative_to(root)))
    return found


def main() -> int:
    """Print the frequent sizes of each tree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    for path in parser.parse_args().trees:
        root = find_tree(path).root
        every = commands(root)
        print(f"{root.name}: {len(every)} commands")
        for way in (READ, WRITE):
            sizes = Counter(
                c.size for c in every.values() if c.direction in (way, READ_WRITE)
            )
            total = sum(count for size, count in sizes.items() if size)
            often = {s: n for s, n in sizes.items() if s and n * SHARE >= total}
            listed = ", ".join(
                f"{size} ({100 * count / total:.1f} %)"
                for size, count in sorted(often.items())
            )
            print(f"  {way}, {total} arguments: {listed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
