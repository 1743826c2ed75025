# SPDX-License-Identifier: GPL-2.0
"""A rule's decision on one file, and its form in the cache."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hotcocci.findings import Finding, Rewrite
from hotcocci.records import rebuilt


@dataclass(frozen=True)
class Decision:
    """The decision of a rule on one file, and the text that its edits apply to.

    ``unseen`` are the lines of accesses that spatch did not see. ``rule`` is the rule's code.
    """

    file: str
    text: str
    findings: tuple[Finding, ...]
    rewrites: tuple[Rewrite, ...]
    unseen: tuple[int, ...] = ()
    rule: str = ""


def to_json(decision: Decision) -> object:
    """The decision without its file and text."""
    return {
        "findings": [asdict(finding) for finding in decision.findings],
        "rewrites": [asdict(rewrite) for rewrite in decision.rewrites],
        "unseen": list(decision.unseen),
        "rule": decision.rule,
    }


def from_json(file: str, text: str, data: Any) -> Decision:
    """Rebuild a decision from the output of `to_json`; raises what `rebuilt` raises."""
    return rebuilt(Decision, {"file": file, "text": text, **data})
