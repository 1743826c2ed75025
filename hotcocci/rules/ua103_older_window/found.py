# SPDX-License-Identifier: GPL-2.0
"""The finding for a begin or a range check."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.findings import (
    MANUAL,
    PREPARED,
    REPORT,
    REWRITE,
    SAFE,
    Edit,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua103_older_window import RULE


@dataclass(frozen=True)
class Subject:
    """A begin or range check at an offset, and the code it is for, which ends at another.

    ``said`` is the first part of the message; ``base`` is the user pointer as written.
    """

    start: int
    end: int
    said: str
    accesses: int
    base: str
    direction: str


@dataclass(frozen=True)
class Change:
    """The edits for a subject, what to do in words, and notes for reviewers.

    ``decisions`` are what the code does not show and a person must decide: questions, or what to
    change on a condition.
    """

    edits: tuple[Edit, ...]
    instead: str
    shape: str
    notes: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()

    @property
    def tier(self) -> str:
        """The tier of the rewrite."""
        if self.decisions:
            return MANUAL
        return PREPARED if self.notes else SAFE


Verdict = tuple[Finding, Rewrite | None]


def verdict(subject: Subject, made: Change | Refusal, context: Context) -> Verdict:
    """The finding for a subject, and the rewrite if there is one."""
    source = context.source
    message = subject.said
    tier = reason = None
    if isinstance(made, Refusal):
        reason = made.reason
        message += f"; {made.text(RULE.meaning(reason))}"
    else:
        tier = made.tier
        message += f"; {made.instead}"
        if made.notes:
            message += f" ({'; '.join(made.notes)})"
        if made.decisions:
            message += f"; {'; '.join(made.decisions)}"
    finding = Finding(
        rule=RULE.code,
        file=context.facts.file,
        line=source.line_of(subject.start),
        end_line=source.line_of(subject.end),
        function=context.function.name,
        message=message,
        accesses=subject.accesses,
        base=subject.base,
        direction=subject.direction,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )
    if isinstance(made, Refusal):
        return finding, None
    notes = (*made.notes, *made.decisions)
    return finding, Rewrite(finding, made.edits, made.shape, context.options.api, notes)
