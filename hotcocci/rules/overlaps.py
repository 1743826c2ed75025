# SPDX-License-Identifier: GPL-2.0
"""Decide which rewrites of a file can be applied together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotcocci.findings import BANDS, COLD, SAFE, TIERS, Edit, Finding, Rewrite
from hotcocci.rules.offer import Refusal, refuse

_LABEL = re.compile(r"^(\w+):$", re.M)


def resolve_overlaps(
    rewrites: Sequence[Rewrite],
) -> tuple[tuple[Rewrite, ...], dict[Finding, Finding]]:
    """Return the rewrites that can be applied together, and the findings of the others as reports.

    What is worth more takes precedence, then lower tiers, then the given order. Identical edits are shared.
    """
    made: dict[str, list[Rewrite]] = {}
    lost: dict[Finding, Finding] = {}
    for rewrite in sorted(rewrites, key=_precedence):
        same_file = made.setdefault(rewrite.finding.file, [])
        first = next((other for other in same_file if _overlap(other, rewrite)), None)
        if first is None:
            same_file.append(rewrite)
        else:
            lost[rewrite.finding] = _reported(rewrite.finding, first.finding)
    return tuple(r for r in rewrites if r.finding not in lost), lost


def _precedence(rewrite: Rewrite) -> tuple[int, int]:
    finding = rewrite.finding
    return BANDS.index(finding.band or COLD), TIERS.index(finding.tier or SAFE)


def _reported(finding: Finding, first: Finding) -> Finding:
    """Turn a finding into a report that refers to the rewrite with precedence."""
    why = f"{first.rule} also rewrites line {first.line}: take that rewrite, then run the command again"
    return refuse(finding, Refusal("overlaps", why))


def _overlap(one: Rewrite, other: Rewrite) -> bool:
    """Whether two rewrites change the same code, or insert two labels of one name at the end of a function."""
    pairs = [(a, b) for a in one.edits for b in other.edits if a != b]
    return any(
        _overlapping(a, b) or a.start == b.start and _names(a) & _names(b)
        for a, b in pairs
    )


def _names(edit: Edit) -> set[str]:
    """The labels that an edit adds."""
    return set(_LABEL.findall(edit.text))


def _overlapping(one: Edit, other: Edit) -> bool:
    return one.start < other.end and other.start < one.end
