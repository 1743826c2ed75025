# SPDX-License-Identifier: GPL-2.0
"""Reports of cocci/user_access_window.cocci, and the edits that fix mechanical violations."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import Source
from hotcocci.c.syntax import Statement, innermost
from hotcocci.findings import Edit, Facts
from hotcocci.rules.coccicheck import ERROR, Judged
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import probe
from hotcocci.windows.check import Options, violations
from hotcocci.windows.outcome import BEFORE, REPLACE, Fix

# Neither an error nor something that everybody wants to know
_ON_REQUEST = frozenset(r.code for r in WINDOW_RULES if r.on_request or r.hygiene)


def judge(root: Path, text: str, facts: Facts) -> Judged:
    """Check the windows of a file; see `hotcocci.rules.coccicheck.Judge`."""
    checked = violations(text, facts, _options_for(root))
    source = checked.source
    reports: dict[tuple[int, str], str] = {}
    marked: list[tuple[int, int]] = []
    edits: dict[int, Edit] = {}
    for function, found in sorted(checked.found, key=lambda f: f[1].at):
        line = source.line_of(found.at)
        if found.rule in _ON_REQUEST or (line, found.rule) in reports:
            continue
        reports[line, found.rule] = f"{ERROR}: {found.rule} {found.message}"
        node = innermost(function, found.at)
        if node is function.body:
            continue
        marked.append((node.start, node.end))
        if found.fix is not None and node.start == found.at and _in_list(node):
            edits[node.start] = _edit(source, node, found.fix)
    return Judged(
        [(line, said) for (line, _), said in reports.items()],
        tuple(edits.values()),
        marked,
    )


@lru_cache(maxsize=4)
def _options_for(root: Path) -> Options:
    return Options(root, not probe(root).masked_directed)


def _in_list(node: Statement) -> bool:
    """Whether a statement can be inserted before it without adding braces."""
    return node.parent is not None and node.parent.kind in ("block", "label", "switch")


def _edit(source: Source, node: Statement, fix: Fix) -> Edit:
    """The edit that fixes a statement; removing a statement removes its line."""
    end = f"{fix.end}();"
    if fix.how == REPLACE:
        return Edit(node.start, node.end, end)
    if fix.how == BEFORE:
        return Edit(node.start, node.start, f"{end}\n{source.indent(node.start)}")
    first = source.text.rfind("\n", 0, node.start) + 1
    last = source.text.find("\n", node.end) + 1
    before, after = source.text[first : node.start], source.text[node.end : last]
    if before.strip() or after.strip():
        return Edit(node.start, node.end, "")
    return Edit(first, last, "")
