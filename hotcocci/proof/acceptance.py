# SPDX-License-Identifier: GPL-2.0
"""Decide which verdicts reject a change."""

from __future__ import annotations

from hotcocci.findings import DIFFERENT, PROVEN, SAMPLED, Execution


def speaks_against(execution: Execution, sampled: bool, unproven: bool) -> bool:
    """Whether a verdict rejects a change.

    ``sampled`` accepts functions that were equivalent on all tested inputs, ``unproven`` also those
    that could not be compared.
    """
    if execution.verdict == DIFFERENT:
        return True
    if execution.verdict == PROVEN or unproven:
        return False
    return not (sampled and execution.verdict in SAMPLED)
