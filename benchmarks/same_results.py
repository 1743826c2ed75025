#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that two checkouts give the same results for a tree, byte by byte.

Compares the output of ``lint --format json`` and, with ``--patch``, of ``patch --tier prepared``,
which compiles all changed files. Prints differences as a unified diff; exit code 1 if there are any.

    python3 benchmarks/same_results.py BEFORE AFTER TREE… [--patch] [--cache-dir FOLDER]

BEFORE is a checkout of the project, or a folder of results saved with ``--write``.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

COMMANDS = {
    "lint": ("lint", "--all", "--churn", "--format", "json"),
    "patch": ("patch", "--tier", "prepared", "--churn"),
}
# Lines of the diff to print.
SHOWN = 60


def main() -> int:
    """Compare; returns the exit code."""
    options = parse()
    names = ["lint", *(["patch"] if options.patch else [])]
    status = 0
    for tree in options.trees:
        for name in names:
            was, now = (
                results(checkout, name, tree, options)
                for checkout in (options.before, options.after)
            )
            if was != now:
                status = 1
            print(f"{name} {tree.name}: {'the same' if was == now else 'differs'}")
            for line in islice(differences(was, now), SHOWN):
                print(line)
    return status


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("after", type=Path, metavar="AFTER")
    parser.add_argument("trees", type=Path, nargs="+", metavar="TREE")
    parser.add_argument("--patch", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def results(checkout: Path, name: str, tree: Path, options: argparse.Namespace) -> str:
    """Run a checkout on a tree, or read its saved results."""
    kept = f"{name}-{tree.name}"
    if not (checkout / "run.py").exists():
        return (checkout / kept).read_text()
    argv = [sys.executable, "run.py", *COMMANDS[name], str(tree.resolve())]
    argv += ["--cache-dir", str(options.cache_dir)]
    done = subprocess.run(argv, cwd=checkout, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{checkout}: {done.stderr.strip()}")
    if options.write:
        options.write.mkdir(parents=True, exist_ok=True)
        (options.write / kept).write_text(done.stdout)
    return done.stdout


def differences(was: str, now: str) -> Iterator[str]:
    """Diff two results, one finding per line."""
    lines = [
        text.replace("},{", "},\n{").replace("}, {", "},\n{").splitlines()
        for text in (was, now)
    ]
    yield from difflib.unified_diff(*lines, "before", "after", n=0, lineterm="")


if __name__ == "__main__":
    sys.exit(main())
