# SPDX-License-Identifier: GPL-2.0
"""Open a window only in the direction that it uses."""

from __future__ import annotations

from hotcocci.findings import READ_WRITE
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua103_older_window.found import Change
from hotcocci.rules.ua103_older_window.renamed import renamed
from hotcocci.windows.outcome import Outcome
from hotcocci.windows.vocabulary import ENDS, SCOPES
from hotcocci.windows.wider import Wide, narrowed


def narrow(
    wide: Wide, others: list[Wide], outcome: Outcome, context: Context
) -> Change | Refusal:
    """Rename a begin and its ends; ``others`` are all wide windows of the function."""
    line = context.source.line_of(wide.at)
    edits = [renamed(wide.at, wide.narrow, context)]
    ends = {end for end, begin in outcome.ends if begin == wide.at}
    if not ends and wide.name not in SCOPES:
        return Refusal("shared-end", line)
    same = {w.at for w in others if w.direction == wide.direction}
    for end in sorted(ends):
        name = context.source.code_between(end, context.body.end)[0].text
        if ENDS.get(name) != READ_WRITE:
            return Refusal("shared-end", context.source.line_of(end))
        if not {begin for at, begin in outcome.ends if at == end} <= same:
            return Refusal("shared-end", context.source.line_of(end))
        edits.append(renamed(end, narrowed(name, wide.direction), context))
    return Change(tuple(edits), f"use {wide.narrow}()", "narrow")
