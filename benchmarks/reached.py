#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How many of the rewrites that lint offers a program of bench runs, and how often it runs each function.

python3 benchmarks/reached.py TREE [PATH…] [--show cold] [--tier TIER] [--runs FILE]

``--runs`` writes how often one unit of each operation runs each function with a finding, for heat.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.bench import run as bench  # noqa: E402
from hotcocci.bench.catalogue import catalogue  # noqa: E402
from hotcocci.bench.counts import Row  # noqa: E402
from hotcocci.bench.profile import Line  # noqa: E402
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.cli.options import add_show, settings_of  # noqa: E402
from hotcocci.findings import PREPARED, TIERS, Finding  # noqa: E402
from hotcocci.pipeline.analysis import analyse  # noqa: E402
from hotcocci.pipeline.settings import tiers_up_to  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402

Ran = Mapping[Row, Mapping[Line, int]]


def main() -> int:
    """Print the rewrites, which operations run each, and how many none runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("paths", type=Path, nargs="*")
    add_show(parser, reports=False)
    parser.add_argument("--tier", choices=TIERS, default=PREPARED)
    parser.add_argument("--runs", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    tree = find_tree(options.tree)
    settings = replace(settings_of(options), cold=options.runs is not None)
    analysis = analyse(tree, options.paths or [tree.root], settings)
    job = bench.Job(
        *(tree.root, catalogue(), options.cache_dir, options.jobs),
        timeout=600.0,
        titled=nullcontext,
    )
    ran = bench.lines_run(job)
    offered = [
        rewrite.finding
        for rewrite in analysis.rewrites
        if rewrite.finding.tier in tiers_up_to(options.tier)
    ]
    missed = 0
    for finding in offered:
        names = dict.fromkeys(
            row[0] for row, lines in ran.items() if _times(finding, lines)
        )
        missed += not names
        print(
            f"{finding.file}:{finding.line}: {finding.function}(): {', '.join(names) or 'none'}"
        )
    print(f"{len(offered)} rewrites, {len(offered) - missed} run by an operation")
    if options.runs:
        options.runs.write_text(_document(analysis.findings, ran), "ascii")
    return 0


def _times(finding: Finding, lines: Mapping[Line, int]) -> int:
    """How often one call runs a finding: the most of its lines."""
    numbers = range(finding.line, finding.end_line + 1)
    return max(lines.get((finding.file, number), 0) for number in numbers)


def _document(findings: Sequence[Finding], ran: Ran) -> str:
    """By file and function, how often one unit of an operation runs its findings; of the largest size."""
    largest = {each.name: max(each.sizes) for each in catalogue()}
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for finding in sorted(findings, key=lambda f: (f.file, f.line)):
        for (name, size), lines in ran.items():
            times = _times(finding, lines)
            if times and size == largest[name]:
                own = runs.setdefault(finding.file, {}).setdefault(finding.function, {})
                own[name] = max(own.get(name, 0.0), round(times / size, 3))
    lines = (f" {json.dumps(file)}: {json.dumps(own)}" for file, own in runs.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
