# SPDX-License-Identifier: GPL-2.0
"""Leave out rewrites that would change half of what a reader expects to change together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hotcocci.findings import Rewrite
from hotcocci.rules.offer import NO_GAIN, Refusal, is_hot
from hotcocci.rules.rulebook import rule


def left_alone(
    passing: Sequence[Rewrite], refused: Mapping[Rewrite, Refusal]
) -> dict[Rewrite, Refusal]:
    """The rewrites of a file that pass but go with one that does not, and why.

    Those of one rule in a function go together, and in code that is not hot those of a rule whose
    rewrites look alike (`Rule.alike`) in a file, if one saves nothing.
    """
    found = {}
    for rewrite in passing:
        for other, why in refused.items():
            if _goes_with(rewrite, other, why):
                said = f"{other.finding.function}() at line {other.finding.line} stays as it is: {why.message}"
                found[rewrite] = Refusal(why.reason, said)
                break
    return found


def _goes_with(rewrite: Rewrite, other: Rewrite, why: Refusal) -> bool:
    own, finding = rewrite.finding, other.finding
    if own.rule != finding.rule:
        return False
    if own.function == finding.function:
        return True
    # Whether loads are saved depends on the function, what an access costs does not.
    entry = rule(own.rule)
    alike = entry.alike and not entry.must_save_loads
    return why.reason == NO_GAIN and alike and not is_hot(own)
