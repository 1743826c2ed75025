# SPDX-License-Identifier: GPL-2.0
"""Turn the rewrites of a file that are not offered into reports."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import REWRITE, Finding
from hotcocci.pipeline.decision import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import refuse, refused


def offered(decision: Decision, settings: Settings) -> Decision:
    """Return a decision with reports instead of the rewrites that are not offered.

    The rewrites themselves are kept, with the findings that they had.
    """

    def offer(finding: Finding) -> Finding:
        if finding.verdict != REWRITE:
            return finding
        why = refused(finding.saves, [finding], settings.churn, settings.allow_no_gain)
        return refuse(finding, why) if why else finding

    return replace(decision, findings=tuple(map(offer, decision.findings)))
