# SPDX-License-Identifier: GPL-2.0
"""UA202: find the copies of small structures in a file, and the windows that replace them."""

from __future__ import annotations

from hotcocci.findings import Facts
from hotcocci.rewrite import emit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import COPIES, Called, copies_of
from hotcocci.rewrite.prefilter import may_hold_hot_copy
from hotcocci.rewrite.copies.small import (
    STRUCT,
    contexts,
    kind_of,
    of_constant_sizes,
    with_resolved_types,
)
from hotcocci.rewrite.copies.instead import Instead, Verdict
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.prefilter import may_hold_small_copy
from hotcocci.rewrite.window import Refusal, Window
from hotcocci.rules.calls import Decided, decided
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua202_struct_copy import RULE
from hotcocci.rules.ua202_struct_copy.structs import judge_struct


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every copy of a small structure, and the windows that can replace one.

    Copies in cold code are skipped unless asked for.
    """
    judged: list[tuple[Called, Verdict]] = []
    for context in contexts(text, of_constant_sizes(facts), options):
        taken: set[str] = set()
        labels = FaultLabels(context, taken)
        for copy in with_resolved_types(copies_of(context)):
            if kind_of(copy) == STRUCT and (copy.hot or context.options.cold):
                found = judge_struct(copy, taken)
                judged.append((copy, _instead(found, labels, context)))
    return decided(RULE, judged)


def _instead(
    window: Window | Refusal, labels: FaultLabels, context: Context
) -> Instead | Refusal:
    """The edits that write a window, with a label that later ones of the function may share."""
    if isinstance(window, Refusal):
        return window
    leaving, review = window.exit, window.review
    label = labels.label(
        window.direction, leaving.on_fault, False, False, leaving.guards
    )
    edits = emit.edits([emit.Labelled(window, label)], context)
    return Instead(
        "use a user access window",
        edits,
        review.notes,
        review.decisions,
        review.remarks,
        window.shape,
    )


IMPLEMENTATION = Implementation(
    may_hold_small_copy,
    decide,
    COPIES,
    uses_hotness=True,
    hot_only=True,
    may_match_hot=may_hold_hot_copy,
)
