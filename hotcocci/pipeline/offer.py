# SPDX-License-Identifier: GPL-2.0
"""Turn the rewrites of a file that are not offered into reports."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import REWRITE
from hotcocci.pipeline.decision import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import refusals, refuse


def offered(decision: Decision, settings: Settings) -> Decision:
    """Return a decision with reports instead of the rewrites that are not offered.

    The rewrites themselves are kept, with the findings that they had.
    """

    possible = [f for f in decision.findings if f.verdict == REWRITE]
    why_not = refusals(possible, settings.churn, settings.allow_no_gain)
    findings = tuple(
        refuse(finding, why_not[finding]) if finding in why_not else finding
        for finding in decision.findings
    )
    return replace(decision, findings=findings)
