#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints how many rewrites of a tree are offered by rule, and why the others are not.

    python3 benchmarks/offered.py TREE [--list] [--profile FILE] [--cache-dir FOLDER]

The last line has the share of those offered that save cycles on at least one processor, by the
estimate. With --list, the rewrites that are not offered follow, with what they save.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hotcocci.api import Settings, analyse, trees  # noqa: E402
from hotcocci.findings import REWRITE, Finding  # noqa: E402
from hotcocci.rules.offer import NO_GAIN, SMALL_GAIN  # noqa: E402
from hotcocci.saves import cycles  # noqa: E402


def main() -> int:
    """Print the table, and the list if it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--cache-dir", type=Path, default=Settings().cache_dir)
    options = parser.parse_args()
    settings = Settings(profile=options.profile, cache_dir=options.cache_dir)
    ((tree, paths),) = trees([options.tree])
    findings = analyse(tree, paths, settings).findings
    offered = [finding for finding in findings if finding.verdict == REWRITE]
    others = [
        finding for finding in findings if finding.reason in (SMALL_GAIN, NO_GAIN)
    ]
    numbers = Counter((finding.rule, finding.reason) for finding in (*offered, *others))
    print("| rule | rewrites | offered | small-gain | no-gain |")
    print("|---|--:|--:|--:|--:|")
    for rule in sorted({rule for rule, _ in numbers}):
        row = [numbers[rule, reason] for reason in (None, SMALL_GAIN, NO_GAIN)]
        print(f"| {rule} | {sum(row)} | {' | '.join(map(str, row))} |")
    saving = sum(f.saves is not None and f.saves.most > 0 for f in offered)
    print(f"{saving} of {len(offered)} offered save on at least one processor")
    for finding in others if options.list else ():
        print(_line(finding))
    return 0


def _line(finding: Finding) -> str:
    saves = cycles(finding.saves) if finding.saves else "?"
    place = f"{finding.file}:{finding.line}"
    return f"{place}: {finding.rule} {finding.function}(): {finding.reason}, {saves}"


if __name__ == "__main__":
    sys.exit(main())
