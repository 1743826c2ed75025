#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""How many of the rewrites that lint offers a program of bench runs.

python3 benchmarks/reached.py TREE [PATH…] [--show cold] [--tier TIER] [--table FILE]

``--table`` writes how often the line of each finding runs in the operation that runs it most, beside its heat:
of all findings with ``--show all``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hotcocci.bench import run as bench  # noqa: E402
from hotcocci.bench.catalogue import X86_64, catalogue, of_machine  # noqa: E402
from hotcocci.bench.counts import (
    Line,  # noqa: E402
    Row,  # noqa: E402
)
from hotcocci.cache import default_folder  # noqa: E402
from hotcocci.cli.options import add_show, settings_of  # noqa: E402
from hotcocci.findings import PREPARED, TIERS, Finding  # noqa: E402
from hotcocci.pipeline.analysis import analyse  # noqa: E402
from hotcocci.pipeline.settings import tiers_up_to  # noqa: E402
from hotcocci.tree.kernel import find_tree  # noqa: E402


def main() -> int:
    """Print the rewrites, which operations run each, and how many none runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("paths", type=Path, nargs="*")
    add_show(parser, reports=True)
    parser.add_argument("--tier", choices=TIERS, default=PREPARED)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache-dir", type=Path, default=default_folder())
    options = parser.parse_args()
    tree = find_tree(options.tree)
    analysis = analyse(tree, options.paths or [tree.root], settings_of(options))
    job = bench.Job(
        *(tree.root, X86_64, of_machine(X86_64), options.cache_dir, options.jobs),
        timeout=600.0,
        titled=nullcontext,
    )
    _, ran = bench.lines_run(job)
    if options.table:
        options.table.write_text("\n".join(rows(analysis.findings, ran)) + "\n")
    offered = [
        rewrite.finding
        for rewrite in analysis.rewrites
        if rewrite.finding.tier in tiers_up_to(options.tier)
    ]
    missed = 0
    for finding in offered:
        names = dict.fromkeys(
            row[0] for row, lines in ran.items() if _is_run(finding, lines)
        )
        missed += not names
        print(
            f"{finding.file}:{finding.line}: {finding.function}(): {', '.join(names) or 'none'}"
        )
    print(f"{len(offered)} rewrites, {len(offered) - missed} run by an operation")
    return 0


def rows(
    findings: Iterable[Finding], ran: Mapping[Row, Mapping[Line, int]]
) -> Iterator[str]:
    """One line for each finding that an operation runs, most often run first; with tabs between the columns."""
    units = {each.name: each.unit for each in catalogue()}
    yield "times\tunit\toperation\theat\tper\tplace\tfunction\trule\tverdict"
    found = []
    for f in findings:
        numbers = range(f.line, f.end_line + 1)
        times, name = max(
            (most / (1 if units[name] == "byte" else size), name)
            for (name, size), lines in ran.items()
            for most in [max(lines.get((f.file, n), 0) for n in numbers)]
        )
        if times:
            heat = "" if f.heat is None else f"{f.heat:.3g}"
            said = f"{name}\t{heat}\t{f.per or ''}\t{f.file}:{f.line}"
            found.append(
                (times, units[name], f"{said}\t{f.function}\t{f.rule}\t{f.verdict}")
            )
    for times, unit, said in sorted(found, reverse=True):
        yield f"{times:.3g}\t{'call' if unit == 'byte' else unit}\t{said}"


def _is_run(finding: Finding, lines: Container[Line]) -> bool:
    """Whether one of a finding's lines is among those that ran."""
    numbers = range(finding.line, finding.end_line + 1)
    return any((finding.file, number) in lines for number in numbers)


if __name__ == "__main__":
    sys.exit(main())
