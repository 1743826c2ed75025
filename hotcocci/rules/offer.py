# SPDX-License-Identifier: GPL-2.0
"""Decide which rewrites are offered: by the cycles that they save, and by how hot their function is.

Every command and the scripts of coccicheck decide here; docs/cycles.md has the rule. What is not
offered is a report with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from hotcocci.findings import REPORT, SAFE, Finding, Saves
from hotcocci.rules.rulebook import rule
from hotcocci.saves import cycles
from hotcocci.tree import hotness
from hotcocci.tree.hot.scale import PASSED

# The fewest cycles that make a change of cold code worth reading, times how hot the function is
# guessed to be: ten where common operations pass, fifty in a driver or an ioctl. On every processor,
# as nobody has asked for one of them.
WORTH_A_CHANGE = 10.0 * PASSED

# Nobody waits for these: samples/, tools/testing/selftests/, drivers/firmware/efi/test/.
TESTS = frozenset({"samples", "selftests", "test", "tests"})

# A scope has one form on all processors, where older windows have two and an end for each exit.
SIMPLER = frozenset({"UA103"})

NO_GAIN = "no-gain"
SMALL_GAIN = "small-gain"


@dataclass(frozen=True)
class Refusal:
    """Why a rewrite is not offered: a reason from the rulebook, and a message."""

    reason: str
    message: str


def refused(
    saves: Saves | None,
    findings: Sequence[Finding],
    churn: bool,
    allow_no_gain: bool = False,
) -> Refusal | None:
    """Why rewrites of one function that save these cycles are not offered; None if they are.

    ``churn`` offers small savings in cold code, ``allow_no_gain`` what saves nothing.
    """
    if saves and not allow_no_gain:
        if saves.most < 0 or saves.most == 0 and not all(map(_is_simpler, findings)):
            return Refusal(NO_GAIN, "saves no cycles on any processor")
        if saves.dearer:
            said = f"costs cycles on every processor of {', '.join(saves.dearer)}"
            return Refusal(NO_GAIN, said)
    if churn or any(map(is_hot, findings)):
        return None
    if any(TESTS.intersection(PurePath(f.file).parent.parts) for f in findings):
        return Refusal(SMALL_GAIN, "it is in a sample or a test")
    if saves is None:
        said = "what it saves is not known, and the function is not hot"
        return Refusal(SMALL_GAIN, said)
    guessed = max(hotness.guess(f.file, f.function) for f in findings)
    if saves.least * guessed < WORTH_A_CHANGE:
        said = f"saves {cycles(saves)} cycles in a function that is not hot"
        return Refusal(SMALL_GAIN, said)
    return None


def refusals(
    findings: Sequence[Finding], churn: bool, allow_no_gain: bool = False
) -> dict[Finding, Refusal]:
    """Why rewrites of a file are not offered, by finding; those that are offered are left out.

    If a function changes for one rewrite, the others of the rule go along unless they may cost cycles:
    reviewers ask why half of a function is as it was. So do those of a file if one is hot and all look
    alike (`Rule.alike`), as in cp_new_stat() and cp_old_stat().
    """
    found = {}
    for finding in findings:
        why = refused(finding.saves, [finding], churn, allow_no_gain)
        if why is not None:
            found[finding] = why
    changed = {
        (f.rule, f.function, f.tier)
        for f in findings
        if f.function is not None and f not in found
    }

    shown = {(f.rule, f.tier) for f in findings if f not in found and is_hot(f)}

    def goes_along(finding: Finding) -> bool:
        if finding.saves is None or finding.saves.least < 0:
            return False
        for tier in (SAFE, finding.tier):
            if (finding.rule, finding.function, tier) in changed:
                return True
            if (finding.rule, tier) in shown and rule(finding.rule).alike:
                return True
        return False

    return {
        finding: why
        for finding, why in found.items()
        if why.reason == NO_GAIN or not goes_along(finding)
    }


def _is_simpler(finding: Finding) -> bool:
    """Whether the code after a rewrite is simpler, which is worth having for no cycles."""
    return finding.rule in SIMPLER


def is_hot(finding: Finding) -> bool:
    """Whether a finding is in a function that the profile has, or that the lists name."""
    if finding.share is not None or finding.share_at_most is not None:
        return True
    return hotness.is_hot(finding.file, finding.function)


def refuse(finding: Finding, refusal: Refusal) -> Finding:
    """Turn a finding into a report with the reason of the refusal."""
    return replace(
        finding,
        message=f"{finding.message}; {refusal.message}",
        verdict=REPORT,
        tier=None,
        reason=refusal.reason,
    )
