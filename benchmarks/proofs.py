#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the rewrites of a tree that are proven for all inputs, by rule, with times.

All rewrites of all rules, tier prepared, before the gate, are compiled for x86-64 or another target and
compared by both engines, without a cache. A function rewritten by several rules counts for each. Times
are per file, as its functions share a compilation; other jobs slow them down. Of files that the target's
kernel lacks or that do not compile, no function is counted.

    python3 benchmarks/proofs.py TREE [--every N] [--target NAME] [--jobs N] [--log FILE]
"""

from __future__ import annotations

import argparse
import re
import resource
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.api import Settings, analyse, changes, trees  # noqa: E402
from hotcocci.errors import UserError  # noqa: E402
from hotcocci.findings import (  # noqa: E402
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    Execution,
)
from hotcocci.proof.task import Task, tasks, work_apart  # noqa: E402
from hotcocci.tree.build import prepare  # noqa: E402
from hotcocci.tree.targets import TARGETS  # noqa: E402

# A file that the target's kernel lacks, or that needs files that a build would make
NOT_COMPILED = "not compiled"
UNCOMPILED = re.compile("kbuild does not compile it|it does not compile")
VERDICTS = (PROVEN, NOT_PROVEN, DIFFERENT, NOT_COMPILED)


def main() -> int:
    """Prove and count; returns the exit code."""
    options = parse()
    try:
        todo, rules = collected(options)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    counts: dict[str, Counter[str]] = {}
    times = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for task, (executions, seconds) in zip(
            todo, pool.map(timed, todo), strict=True
        ):
            times.append(seconds)
            for each in executions:
                found = rules.get((task.file, each.function)) or {"other"}
                compiled = each.function or not UNCOMPILED.search(each.detail)
                verdict = each.verdict if compiled else NOT_COMPILED
                for rule in (*found, "all"):
                    counts.setdefault(rule, Counter())[verdict] += 1
                if options.log:
                    log(options.log, task, each, seconds)
    report(counts, times)
    return 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree", type=Path, help="a clean kernel tree")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--target", choices=TARGETS, default="x86-64")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--log", type=Path, metavar="FILE")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path.home() / ".cache/hotcocci"
    )
    return parser.parse_args()


def collected(
    options: argparse.Namespace,
) -> tuple[list[Task], dict[tuple[str, str | None], set[str]]]:
    """Collect the files to prove, and the rules that rewrite each function."""
    ((tree, inside),) = trees([options.tree])
    analysis = analyse(tree, inside, Settings(show="cold", cache_dir=options.cache_dir))
    wanted = changes(analysis.rewrites, analysis.possible, analysis.texts)
    wanted = wanted[:: options.every]
    build = prepare(tree.root, TARGETS[options.target], options.cache_dir)
    texts = [(c.file, c.old, c.new) for c in wanted]
    others = {c.file: c.others for c in wanted}
    rules: dict[tuple[str, str | None], set[str]] = {}
    for rewrite in analysis.rewrites:
        finding = rewrite.finding
        rules.setdefault((finding.file, finding.function), set()).add(finding.rule)
    return tasks(build, texts, others), rules


def timed(task: Task) -> tuple[tuple[Execution, ...], float]:
    """Prove a file; returns the results and the seconds it takes."""
    start = time.monotonic()
    return work_apart(task), time.monotonic() - start


def log(file: Path, task: Task, execution: Execution, seconds: float) -> None:
    """Record a verdict."""
    with file.open("a") as stream:
        what = f"{task.file} {execution.function}: {execution.verdict}"
        print(f"{what}: {execution.detail} ({seconds:.1f} s)", file=stream)


def report(counts: dict[str, Counter[str]], times: list[float]) -> None:
    """Print the tables."""
    print(f"| rule | {' | '.join(VERDICTS)} |")
    print("|---" + "|--:" * len(VERDICTS) + "|")
    for rule in sorted(counts, key=lambda rule: (rule == "all", rule)):
        row = [str(counts[rule][verdict]) for verdict in VERDICTS]
        print(f"| {rule} | {' | '.join(row)} |")
    middle, worst = statistics.median(times), max(times)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(
        f"{len(times)} files: median {middle:.1f} s, worst {worst:.1f} s, "
        f"most memory {memory} MiB"
    )


if __name__ == "__main__":
    sys.exit(main())
