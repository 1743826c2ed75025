# SPDX-License-Identifier: GPL-2.0
"""Statistics of a lint run, as tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import REPORT, Finding, Rewrite, Skip


@dataclass(frozen=True)
class Cost:
    """The cost of a run: seconds, and peak resident sizes in KiB."""

    seconds: float
    own_kib: int
    child_kib: int


def tables(
    findings: Sequence[Finding],
    rewrites: Sequence[Rewrite],
    skipped: Sequence[Skip],
    cost: Cost,
) -> str:
    """Return the tables of one run."""
    reports = [finding for finding in findings if finding.verdict == REPORT]
    kinds = Counter((r.finding.rule, r.shape, r.finding.tier, r.api) for r in rewrites)
    rewritten = [
        f"| {rule} | {shape} | {tier} | {api} | {n} |"
        for (rule, shape, tier, api), n in sorted(kinds.items(), key=str)
    ]
    reasons = Counter((finding.rule, finding.reason) for finding in reports)
    reported = [
        f"| {rule} | {reason} | {n} |"
        for (rule, reason), n in sorted(reasons.items(), key=lambda item: -item[1])
    ]
    accesses = sum(finding.accesses or 0 for finding in findings)
    whole = [
        f"| findings | {len(findings)} |",
        f"| accesses in them | {accesses} |",
        f"| files with findings | {len({finding.file for finding in findings})} |",
        f"| rewritten | {len(rewrites)} |",
        f"| reported | {len(reports)} |",
        f"| files skipped | {len({skip.file for skip in skipped})} |",
        f"| time | {cost.seconds:.1f} s |",
        f"| peak memory, hotcocci | {cost.own_kib / 1024:.0f} MiB |",
        f"| peak memory, one spatch | {cost.child_kib / 1024:.0f} MiB |",
    ]
    return "\n".join(
        [
            *_table("| all | |", whole),
            "",
            *_table("| rule | shape | tier | api | rewritten |", rewritten),
            "",
            *_table("| rule | reason | reported |", reported),
        ]
    )


def _table(head: str, rows: Sequence[str]) -> list[str]:
    columns = head.count("|") - 1
    return [head, "|" + "---|" * (columns - 1) + "--:|", *rows]
