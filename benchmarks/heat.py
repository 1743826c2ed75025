#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print how hot functions of a tree are, and why.

    python3 benchmarks/heat.py TREE [FUNCTION…] [--findings FINDINGS.json]

Without functions, all, hottest first. With the output of ``run.py lint TREE --all --format json``, each line
begins with the share of functions with a finding that are hotter, in percent.
"""

from __future__ import annotations

import argparse
import json
import sys
from bisect import bisect_left
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.cache import Cache, default_folder  # noqa: E402
from hotcocci.heat.heats import UNKNOWN, Heats, heats  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.select import hashes  # noqa: E402


def main() -> None:
    """Print one line for each function."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    root = find_tree(options.tree).root
    with Cache(options.cache_dir) as cache:
        files = sorted(hashes(root, cache))
        found = heats(root, files, cache, options.jobs, lambda _: nullcontext())
    ranks = places(found, options.findings) if options.findings else []
    for value, name, file, per in rows(found, options.functions):
        place = 100 * bisect_left(ranks, -value) / len(ranks) if ranks else None
        before = "" if place is None else f"{place:5.1f} %  "
        print(f"{before}{value:9.5f}  {name:32} {per:34} {file}")


def rows(found: Heats, functions: list[str]) -> list[tuple[float, str, str, str]]:
    """Heat, function, file and reason, hottest first."""
    known = [
        (heat.value, name, file, heat.per)
        for file, names in found.known.items()
        for name, heat in names.items()
        if not functions or name in functions
    ]
    return sorted(known, key=lambda row: (-row[0], *row[1:]))


def places(found: Heats, findings: Path) -> list[float]:
    """The heat of each function with a finding, negated, hottest first."""
    functions = {
        (row["file"], row["function"])
        for row in json.loads(findings.read_text())["findings"]
    }
    heats_ = (found.of(file, function) for file, function in functions)
    return sorted(-(heat.value if heat else UNKNOWN) for heat in heats_)


if __name__ == "__main__":
    main()
