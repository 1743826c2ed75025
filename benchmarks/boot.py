#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Calls the functions that a patch changes, before and after, in a booted kernel, with timing.

    python3 benchmarks/boot.py TREE (--diff FILE | --cases) [--cache-dir FOLDER] [--jobs N]

The patch is applied to copies of the files; nothing is written into the tree. With --cases, the
run cases of kernel-fixtures are called instead. An empty FOLDER includes the time to build the
tree's small kernel.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(ROOT),
    str(ROOT / "tests/proof/boot"),
    str(ROOT / "tests/cases"),
]

from hotcocci.findings import NOT_PROVEN, Execution  # noqa: E402
from hotcocci.proof.boot.kernel import prepare_kernel  # noqa: E402
from hotcocci.proof.boot.run import boot  # noqa: E402
from hotcocci.proof.gate import Change  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402
from hotcocci.tree.source import decode  # noqa: E402


def changes_of(tree: Path, diff: Path) -> list[Change]:
    """Read the files of a patch before and after it."""
    files = re.findall(r"^\+\+\+ b/(\S+)", diff.read_text("latin-1"), re.MULTILINE)
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as folder:
        for file in files:
            copy = Path(folder, file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes((tree / file).read_bytes())
        subprocess.run(["git", "apply", str(diff.resolve())], cwd=folder, check=True)
        return [
            Change(
                file,
                decode((tree / file).read_bytes()),
                decode(Path(folder, file).read_bytes()),
                "",
            )
            for file in files
        ]


def cases() -> list[Change]:
    """Combine all cases that can be called into one file."""
    from boot_texts import FILE
    from test_fixtures import callable_cases, cases_as_files

    return [Change(FILE, *cases_as_files(callable_cases()), "")]


def show(executions: Iterable[Execution]) -> None:
    """Format a line for each function, and the totals."""
    several = list(executions)
    for e in several:
        more = "; ".join((e.detail, *e.permitted)).strip("; ")
        runs = f"{e.runs} runs, {e.faults} with a fault" if e.runs else ""
        print(f"{e.verdict:10} {e.unit} {e.function}: {runs} {more}".rstrip(": "))
        for line in e.traces if e.verdict != NOT_PROVEN else ():
            print(f"{'':10} | {line}")
    for verdict, count in Counter(e.verdict for e in several).most_common():
        print(f"{verdict}: {count}")
    print(f"functions: {len(several)}, runs: {sum(e.runs for e in several)}")


def main() -> None:
    """Print the outcome of every function, and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--diff", type=Path)
    what.add_argument("--cases", action="store_true")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tree = find_tree(options.tree)
    changes = cases() if options.cases else changes_of(tree.root, options.diff)
    start = time.monotonic()
    prepare_kernel(tree.root, options.cache_dir, options.jobs)
    built = time.monotonic()
    outcome = boot(tree, changes, options.cache_dir, options.jobs)
    end = time.monotonic()
    show(e for several in outcome.values() for e in several)
    print(f"the kernel: {built - start:.1f} s, all else: {end - built:.1f} s")


if __name__ == "__main__":
    main()
