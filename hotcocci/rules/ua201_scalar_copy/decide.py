# SPDX-License-Identifier: GPL-2.0
"""UA201: find the copies of scalars in a file, and the accesses that replace them."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.copies.calls import CALL, COPIES, copies_of
from hotcocci.rewrite.copies.small import (
    SCALAR,
    contexts,
    kind_of,
    refused,
    rewritten,
    with_resolved_types,
)
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.prefilter import may_hold_scalar_copy
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua201_scalar_copy import RULE
from hotcocci.rules.ua201_scalar_copy.asking import with_decisions
from hotcocci.rules.ua201_scalar_copy.scalars import Scalar, is_wide, judge_scalar
from hotcocci.rules.ua201_scalar_copy.typed_pointer import Judged, with_typed_pointers
from hotcocci.tree.select import COPY

# What keeps a copy that looks to a reader like the others of its function
_LIKE = frozenset({"unaligned", "size-differs", "type-unknown", "side-effect-argument"})


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every copy of a scalar's size, and the accesses that can replace one."""
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for context in contexts(text, facts, options):
        copies = with_resolved_types(copies_of(context))
        judged = [(c, judge_scalar(c)) for c in copies if kind_of(c) == SCALAR]
        typed = with_typed_pointers(judged, context)
        for copy, verdict in with_decisions(_alike(typed), context):
            if isinstance(verdict, Refusal):
                findings.append(refused(RULE.code, copy, verdict, RULE.meaning))
                continue
            name = verdict.edit.text.lstrip().partition("(")[0]
            instead = f"use {name}()"
            notes, decisions = verdict.notes, verdict.decisions
            found = rewritten(RULE.code, copy, instead, notes, decisions)
            findings.append(found)
            api = context.options.api
            edits = (*verdict.declared, verdict.edit, *verdict.behind)
            rewrites.append(Rewrite(found, edits, CALL, api, verdict.notes))
    return findings, rewrites


def _alike(judged: Sequence[Judged]) -> Sequence[Judged]:
    """Leave all copies of a function alone where another one like them has to stay.

    One of eight bytes that has to stay, as 32-bit processors cannot fetch them, is like those of eight bytes.
    """
    refusals = [v for _, v in judged if isinstance(v, Refusal)]
    stays = next((v for v in refusals if v.reason in _LIKE), None)
    wide = next((v for v in refusals if v.reason == "u64-arm32"), None)
    found: list[Judged] = []
    for copy, verdict in judged:
        like = stays or (wide if is_wide(copy) else None)
        if like is not None and isinstance(verdict, Scalar):
            detail = f"the copy at line {like.line}, which is like it, has to stay: {RULE.meaning(like.reason)}"
            verdict = Refusal("other-stays", copy.line, detail)
        found.append((copy, verdict))
    return found


IMPLEMENTATION = Implementation(
    COPY, may_hold_scalar_copy, decide, COPIES, uses_hotness=True
)
