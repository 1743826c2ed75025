# SPDX-License-Identifier: GPL-2.0
"""Report runs of accesses in macro bodies, which are not rewritten."""

from __future__ import annotations

from hotcocci.c.source import DIRECTIVE, NAME, Source, tokenize
from hotcocci.findings import REPORT, Access, Facts, Finding
from hotcocci.rules.ua101_user_access_run import RULE

# spatch's name for the element around an access in a macro body.
_NO_FUNCTION = "something_else"


def macro_bodies(source: Source, facts: Facts) -> list[Finding]:
    """A report for every macro with two or more accesses in its body."""
    outside = [a for a in facts.accesses if a.function == _NO_FUNCTION]
    if len(outside) < 2:
        return []
    findings = []
    for directive in (t for t in source.tokens if t.kind == DIRECTIVE):
        inside = [
            a
            for a in outside
            if directive.start
            <= source.offset(a.call.line, a.call.column)
            < directive.end
        ]
        if len(inside) > 1:
            findings.append(_finding(facts.file, directive.text, inside))
    return findings


def _finding(file: str, text: str, inside: list[Access]) -> Finding:
    words = [t.text for t in tokenize(text.replace("#", " ", 1)) if t.kind == NAME]
    name = words[1] if len(words) > 1 else None
    reason = "macro-body"
    return Finding(
        rule=RULE.code,
        file=file,
        line=inside[0].call.line,
        end_line=inside[-1].call.end_line,
        function=name,
        message=f"{len(inside)} accesses in the macro {name}; every use of it would change",
        accesses=len(inside),
        base=None,
        direction=None,
        verdict=REPORT,
        tier=None,
        reason=reason,
    )
