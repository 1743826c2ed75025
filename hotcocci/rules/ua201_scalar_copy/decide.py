# SPDX-License-Identifier: GPL-2.0
"""UA201: find the copies of scalars in a file, and the accesses that replace them."""

from __future__ import annotations

from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.copies.calls import CALL, copies_of
from hotcocci.rewrite.copies.small import (
    SCALAR,
    with_resolved_types,
    contexts,
    kind_of,
    refused,
    rewritten,
)
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua201_scalar_copy import RULE
from hotcocci.rules.ua201_scalar_copy.scalars import judge_scalar


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every copy of a scalar's size, and the accesses that can replace one."""
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for context in contexts(text, facts, options):
        for copy in with_resolved_types(copies_of(context)):
            if kind_of(copy) != SCALAR:
                continue
            verdict = judge_scalar(copy)
            if isinstance(verdict, Refusal):
                findings.append(refused(RULE.code, copy, verdict, RULE.meaning))
                continue
            name = verdict.edit.text.partition("(")[0]
            instead = f"use {name}()"
            found = rewritten(RULE.code, copy, instead, verdict.notes)
            findings.append(found)
            api = context.options.api
            rewrites.append(Rewrite(found, (verdict.edit,), CALL, api, verdict.notes))
    return findings, rewrites
