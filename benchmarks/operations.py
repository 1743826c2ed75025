#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks the operations of bench on a tree: the same counts twice, and the functions that they name.

python3 benchmarks/operations.py TREE [--target arm64] [--jobs N]
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.bench import run as bench  # noqa: E402
from hotcocci.bench.catalogue import MACHINES, of_machine  # noqa: E402
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402


def main() -> int:
    """Print the figures; returns 1 if one is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--target", choices=MACHINES, default="x86-64")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    machine = MACHINES[options.target]
    operations = of_machine(machine)
    job = bench.Job(
        *(find_tree(options.tree).root, machine, operations),
        *(options.cache_dir, options.jobs),
        timeout=600.0,
        titled=nullcontext,
    )
    counted = bench.measured(job)
    first, second, called = counted.table, bench.measured(job).table, counted.functions
    same = [
        row for row, count in first.counts.items() if second.counts.get(row) == count
    ]
    missed = {
        each.name: missed
        for each in operations
        for missed in [each.missed(called.get((each.name, each.sizes[0]), {}))]
        if missed
    }
    print(
        f"{len(operations)} operations, {len(first.counts)} rows, the same twice: {len(same)}"
    )
    for (name, size), why in first.missing.items():
        print(f"{name} {size}: {why}")
    for row in first.counts.keys() - set(same):
        print(
            f"{row[0]} {row[1]}: {first.counts[row].value:g}, then {second.counts[row].value:g}"
        )
    for name, functions in missed.items():
        print(f"{name} does not run {', '.join(functions)}")
    print(f"operations that run what they name: {len(operations) - len(missed)}")
    return int(len(same) < len(first.counts) or bool(missed or first.missing))


if __name__ == "__main__":
    sys.exit(main())
