# SPDX-License-Identifier: GPL-2.0
"""UA202: find the copies of small structures in a file, and the windows that replace them."""

from __future__ import annotations

from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite import emit
from hotcocci.rewrite.copies.calls import COPIES, copies_of
from hotcocci.rewrite.copies.dispatch import may_hold_hot_copy
from hotcocci.rewrite.copies.small import (
    STRUCT,
    contexts,
    kind_of,
    refused,
    rewritten,
    with_resolved_types,
)
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.prefilter import may_hold_small_copy
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua202_struct_copy import RULE
from hotcocci.rules.ua202_struct_copy.structs import judge_struct

_INSTEAD = "use a user access window"


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every copy of a small structure, and the windows that can replace one.

    Copies in cold code are skipped unless asked for.
    """
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for context in contexts(text, facts, options):
        taken: set[str] = set()
        labels = FaultLabels(context, taken)
        for copy in with_resolved_types(copies_of(context)):
            if kind_of(copy) != STRUCT or not (copy.hot or context.options.cold):
                continue
            verdict = judge_struct(copy, taken)
            if isinstance(verdict, Refusal):
                findings.append(refused(RULE.code, copy, verdict, RULE.meaning))
                continue
            found = rewritten(
                RULE.code,
                copy,
                _INSTEAD,
                verdict.review.notes,
                verdict.review.decisions,
            )
            findings.append(found)
            label = labels.label(
                verdict.direction,
                verdict.exit.on_fault,
                False,
                False,
                verdict.exit.guards,
            )
            edits = emit.edits([emit.Labelled(verdict, label)], context)
            notes = (*verdict.review.notes, *verdict.review.remarks)
            rewrites.append(
                Rewrite(found, edits, verdict.shape, context.options.api, notes)
            )
    return findings, rewrites


IMPLEMENTATION = Implementation(
    may_hold_small_copy,
    decide,
    COPIES,
    uses_hotness=True,
    hot_only=True,
    may_match_hot=may_hold_hot_copy,
)
