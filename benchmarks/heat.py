#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print how hot functions of a tree are, and why.

    python3 benchmarks/heat.py TREE [FUNCTION…]

Without functions, those with a rewrite, hottest first.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.cache import Cache, default_folder  # noqa: E402
from hotcocci.heat.heats import Heats, heats  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.select import hashes  # noqa: E402


def main() -> None:
    """Print one line for each function."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    root = find_tree(options.tree).root
    with Cache(options.cache_dir) as cache:
        files = sorted(hashes(root, cache))
        found = heats(root, files, cache, options.jobs, lambda _: nullcontext())
    for line in lines(found, options.functions):
        print(line)


def lines(found: Heats, functions: list[str]) -> list[str]:
    """Heat, function, file and reason, hottest first."""
    rows = [
        (heat.value, name, file, heat.per)
        for file, names in found.known.items()
        for name, heat in names.items()
        if not functions or name in functions
    ]
    rows.sort(key=lambda row: (-row[0], *row[1:]))
    return [f"{v:9.5f}  {name:32} {per:34} {file}" for v, name, file, per in rows]


if __name__ == "__main__":
    main()
