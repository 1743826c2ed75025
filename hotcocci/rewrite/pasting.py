# SPDX-License-Identifier: GPL-2.0
"""Edits by offset turned into statements that SmPL can delete and paste.

spatch prints text that a script binds to an identifier verbatim, several lines
included, but only where a statement may stand: it must end in a semicolon, or be the
body of a scope macro. So each region becomes one paste over its statements, and the
labels of a function become part of its last statement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotcocci.c.source import Source, apply
from hotcocci.c.syntax import Function, Statement
from hotcocci.findings import Edit, Span

TEXT = "text"  # text;
SCOPE = "scope"  # head(arguments) { inner; }
BOTH = "both"  # text; head(arguments) { inner; }


@dataclass(frozen=True)
class Paste:
    """Statements that go away, and what stands where the last of them stood.

    ``text`` and ``inner`` come without their last semicolon, which SmPL writes. ``run``
    is False where the statements only make room for a label.
    """

    form: str
    replaced: Span
    members: tuple[Span, ...]
    text: str = ""
    head: str = ""
    arguments: str = ""
    inner: str = ""
    run: bool = True


def pastes(
    source: Source, function: Function, edits: tuple[Edit, ...]
) -> list[Paste] | None:
    """What SmPL has to do in a function; None if it cannot be said that way."""
    body = function.body
    last = body.children[-1]
    labels = [e for e in edits if e.start == e.end and e.start >= last.end]
    regions = [e for e in edits if e not in labels]
    if any(e.start == e.end for e in regions):
        return None
    inner = tuple(e for e in regions if last.start <= e.start and e.end <= last.end)
    made: list[Paste] = []
    for region in regions:
        if region in inner:
            continue
        nodes = _statements(function, region)
        if not nodes:
            return None  # a declaration goes away
        paste = _paste(source, region.text, nodes)
        if paste is None:
            return None
        made.append(paste)
    if labels:
        shifted = tuple(
            Edit(e.start - last.start, e.end - last.start, e.text) for e in inner
        )
        start = min([last.start, *(e.start for e in regions if e.end > last.start)])
        whole = apply(source.text[last.start : last.end], shifted)
        nodes = [last]
        holds_run = bool(inner)
        if start < last.start:
            # The last statement is the end of a region that begins before it.
            region = next(e for e in regions if e.end >= last.end and e.start == start)
            made = [p for p in made if p.replaced != source.span(last.start, last.end)]
            whole = region.text
            holds_run = True
            nodes = _statements(function, region)
        paste = _paste(source, whole + "\n" + "".join(e.text for e in labels), nodes)
        if paste is None:
            return None
        made.append(replace(paste, run=holds_run))
    return made


def _statements(function: Function, region: Edit) -> list[Statement]:
    """The neighbouring statements that make up a region."""
    inside = [s for s in function.statements if s.inside(region.start, region.end)]
    return [s for s in inside if s.parent not in inside]


def _paste(source: Source, text: str, nodes: list[Statement]) -> Paste | None:
    spans = [source.span(n.start, n.end) for n in nodes]
    text = text.rstrip()
    if text.endswith(";"):
        return Paste(TEXT, spans[-1], tuple(spans[:-1]), text[:-1])
    indent = source.indent(nodes[0].start)
    cut = text.rfind(f"\n{indent}scoped_user_")
    before, scope = (
        ("", text) if cut < 0 else (text[:cut], text[cut + 1 + len(indent) :])
    )
    head, parenthesis, rest = scope.partition("(")
    arguments, brace, inner = rest.partition(") {\n")
    inner = inner.rstrip("}").strip()
    if not (parenthesis and brace and inner.endswith(";")):
        return None
    if before and not before.endswith(";"):
        return None
    form = BOTH if before else SCOPE
    return Paste(
        form, spans[-1], tuple(spans[:-1]), before[:-1], head, arguments, inner[:-1]
    )
