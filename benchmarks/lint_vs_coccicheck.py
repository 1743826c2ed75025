#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times ``run.py lint`` against ``make coccicheck`` with the very same semantic patch.

Both look at the same tree one after the other, on as many processors. lint runs twice: with an
empty cache, and with what the first run left there. Nothing is written into the tree.

    python3 benchmarks/lint_vs_coccicheck.py TREE [--rule UA101] [--below sound]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.rules.rulebook import RULES, rule  # noqa: E402


def main() -> int:
    """Measure each rule and print a table; returns the exit code."""
    options = parse()
    tree = options.tree.resolve()
    rows = [
        measure(tree, code, options.below, options.jobs)
        for code in options.rule or [entry.code for entry in RULES]
    ]
    print(tree.name + (f", below {options.below}" if options.below else ""))
    print(
        "| rule | lint, cold | lint, again | make coccicheck | ratio, cold | ratio, again |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for code, cold, again, stock in [*rows, total(rows)] if len(rows) > 1 else rows:
        print(
            f"| {code} | {cold:.1f} s | {again:.1f} s | {stock:.1f} s "
            f"| {stock / cold:.1f} | {stock / again:.0f} |"
        )
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree")
    parser.add_argument("--rule", action="append", metavar="CODE", help="default: all")
    parser.add_argument(
        "--below", metavar="FOLDER", help="only this folder of the tree"
    )
    parser.add_argument(
        "--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N"
    )
    return parser.parse_args()


def measure(
    tree: Path, code: str, below: str | None, jobs: int
) -> tuple[str, float, float, float]:
    """Seconds of the first lint, the second lint, and coccicheck."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as folder:
        place = str(tree / below) if below else str(tree)
        lint = [sys.executable, str(ROOT / "run.py"), "lint", place]
        lint += ["--rule", code, "--jobs", str(jobs), "--cache-dir", f"{folder}/cache"]
        script = ROOT / rule(code).script
        out = f"{folder}/out"
        os.mkdir(out)
        check = ["make", "-s", "-C", str(tree), f"O={out}", "coccicheck"]
        check += [f"COCCI={script}", "MODE=report", f"J={jobs}"]
        if below:
            check.append(f"M={tree / below}")
        # Once before the clock starts: what is timed is work, not the disk.
        subprocess.run(["grep", "-rlq", "get_user", str(tree)], check=False)
        cold = timed(lint, {0, 1})
        again = timed(lint, {0, 1})
        stock = timed(check, {0}, {"PYTHONDONTWRITEBYTECODE": "1"})
    return code, cold, again, stock


def total(
    rows: Sequence[tuple[str, float, float, float]],
) -> tuple[str, float, float, float]:
    """The sums of all rules."""
    _, cold, again, stock = zip(*rows, strict=True)
    return "all", sum(cold), sum(again), sum(stock)


def timed(
    command: Sequence[str], fine: set[int], extra: Mapping[str, str] | None = None
) -> float:
    """Seconds that a command takes; ends the program if it fails."""
    print("+", " ".join(command), file=sys.stderr, flush=True)
    start = time.monotonic()
    run = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **(extra or {})},
        check=False,
    )
    seconds = time.monotonic() - start
    if run.returncode not in fine:
        sys.exit(f"failed with {run.returncode}:\n{run.stdout[-2000:]}")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
