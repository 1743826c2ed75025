#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Times ``run.py lint`` against ``make coccicheck`` with the same semantic patch.

Both process the same tree in turn, on the same number of processors. lint runs twice, with an empty
cache and with the cache of the first run; then twice again for all rules at once. Peak memory is
that of the largest process. Nothing is written into the tree.

    python3 benchmarks/lint_vs_coccicheck.py TREE [--rule UA101] [--below sound] [--timeout 3600]
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.rules.entry import ACCESSES  # noqa: E402
from hotcocci.rules.rulebook import REWRITE_RULES, rule  # noqa: E402


@dataclass(frozen=True)
class Cost:
    """Wall-clock seconds, and the memory of the largest process in MB.

    ``ended`` is set if the time limit stopped the run.
    """

    seconds: float
    memory: float
    ended: bool = False

    def __str__(self) -> str:
        """Format as a table cell."""
        more = "> " if self.ended else ""
        return f"{more}{self.seconds:.1f} s, {self.memory:.0f} MB"


@dataclass(frozen=True)
class Row:
    """Times for some rules: lint with an empty cache, lint with a full one, coccicheck."""

    name: str
    cold: Cost
    again: Cost
    stock: Cost

    def __str__(self) -> str:
        """Format as a table row."""
        more = "> " if self.stock.ended else ""
        ratios = (self.stock.seconds / c.seconds for c in (self.cold, self.again))
        cells = (self.cold, self.again, self.stock, *(f"{more}{r:.1f}" for r in ratios))
        return f"| {self.name} | " + " | ".join(map(str, cells)) + " |"


def main() -> int:
    """Measure each rule and all together, and print a table; returns the exit code."""
    options = parse()
    codes = options.rule or [
        entry.code for entry in REWRITE_RULES if entry.family == ACCESSES
    ]
    # Warm up the page cache before the clock starts.
    subprocess.run(["grep", "-rlq", "get_user", str(options.tree)], check=False)
    rows = []
    for code in codes:
        cold, again = lint([code], options)
        rows.append(Row(code, cold, again, coccicheck(code, options)))
    if len(rows) > 1:
        cold, again = lint(codes, options)
        rows.append(Row("all", cold, again, total([row.stock for row in rows])))
    tree = options.tree.resolve().name
    print(tree + (f", below {options.below}" if options.below else ""))
    print(
        "| rule | lint, cold | lint, again | make coccicheck | ratio, cold | ratio, again |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for row in rows:
        print(row)
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
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="end coccicheck after this long",
    )
    return parser.parse_args()


def lint(codes: Sequence[str], options: argparse.Namespace) -> tuple[Cost, Cost]:
    """Time two lint runs; the second one uses the cache of the first."""
    tree = options.tree.resolve()
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as cache:
        command = [sys.executable, str(ROOT / "run.py"), "lint", "--all"]
        command += [str(tree / (options.below or ".")), "--cache-dir", cache]
        command += ["--jobs", str(options.jobs)]
        command += [word for code in codes for word in ("--rule", code)]
        return timed(command, {0, 1}), timed(command, {0, 1})


def coccicheck(code: str, options: argparse.Namespace) -> Cost:
    """Time the kernel's own way to run the script."""
    tree = options.tree.resolve()
    with tempfile.TemporaryDirectory(prefix="hotcocci-benchmark-") as out:
        command = ["make", "-s", "-C", str(tree), f"O={out}", "coccicheck"]
        command += [f"COCCI={ROOT / rule(code).script}", "MODE=report"]
        command += [f"J={options.jobs}"]
        if options.below:
            command.append(f"M={tree / options.below}")
        return timed(command, {0}, options.timeout)


def total(costs: Sequence[Cost]) -> Cost:
    """Run one after the other."""
    return Cost(
        sum(cost.seconds for cost in costs),
        max(cost.memory for cost in costs),
        any(cost.ended for cost in costs),
    )


def timed(command: Sequence[str], fine: set[int], timeout: float | None = None) -> Cost:
    """Time a command; exits if it fails."""
    print("+", " ".join(command), file=sys.stderr, flush=True)
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        start = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # spatch imports our modules too: no bytecode caches for them either.
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            start_new_session=True,
        )
        ended = threading.Event()

        def end() -> None:
            ended.set()
            os.killpg(process.pid, signal.SIGKILL)

        limit = threading.Timer(timeout, end) if timeout else None
        if limit:
            limit.start()
        try:
            # wait4() instead of process.wait(), for the memory of grandchildren.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            end()
            raise
        finally:
            if limit:
                limit.cancel()
        seconds = time.monotonic() - start
        process.returncode = code = os.waitstatus_to_exitcode(status)
        if code not in fine and not ended.is_set():
            output.seek(0)
            sys.exit(f"failed with {code}:\n{output.read()[-2000:]}")
    return Cost(seconds, usage.ru_maxrss / 1024, ended.is_set())


if __name__ == "__main__":
    sys.exit(main())
