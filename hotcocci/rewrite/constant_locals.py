# SPDX-License-Identifier: GPL-2.0
"""Remove locals that a rewrite leaves with one value: ``ret = 1;`` and ``return ret;``.

The window has taken the other assignment away. Nothing else may mention the variable, so each return
comes after the assignment, or would return an uninitialized value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.c.source import NAME, Token, tokenize
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.declarations import remove_variable
from hotcocci.rewrite.writing import without_lines

_VALUE = r"-?(?:\d+|[A-Z][A-Z0-9_]*|true|false)"
_BEFORE = (";", "{", "}", ":")
# Types that return such a value unchanged, and the values of a bool
_TYPES = ("int", "long", "ssize_t", "bool")
_BOOLS = ("0", "1", "true", "false")


def settled(made: Sequence[Edit], context: Context) -> list[Edit]:
    """The edits of a rewrite, and those that remove the locals that are constant after it."""
    edits = list(made)
    inside = {
        token.text
        for edit in made
        for token in context.source.code_between(edit.start, edit.end)
        if token.kind == NAME
    }
    for name in sorted(inside):
        declared = [d for d in context.declared if declares(d, name)]
        if len(declared) == 1 and not _is_edited(declared[0][0].start, edits):
            edits = _without(name, declared[0], edits, context) or edits
    return edits


def _is_edited(at: int, edits: Sequence[Edit]) -> bool:
    return any(edit.start <= at < edit.end for edit in edits)


def _without(
    name: str, declaration: tuple[Token, ...], edits: list[Edit], context: Context
) -> list[Edit] | None:
    """The edits without a variable, if it has one constant value and is only returned."""
    texts = [token.text for token in declaration]
    if texts[0] not in _TYPES or texts[texts.index(name) + 1] == "=":
        return None
    returned = re.compile(rf"\breturn {name};")
    given = re.compile(rf"[ \t]*\b{name} = ({_VALUE});\n?[ \t]*")
    new = [edit.text for edit in edits]
    uses = sum(t.text == name for text in new for t in tokenize(text))
    values = [match[1] for text in new for match in given.finditer(text)]
    if uses != len(values) + sum(len(returned.findall(text)) for text in new):
        return None
    assigned: list[Edit] = []
    returns: list[Token] = []
    code = context.source.code_between(context.body.start, context.body.end)
    for before, token, after in zip(code, code[1:], code[2:]):
        declares_it = declaration[0].start <= token.start < declaration[-1].end
        if token.text != name or declares_it or _is_edited(token.start, edits):
            continue
        if before.text == "return" and after.text == ";":
            returns.append(token)
            continue
        line = without_lines(token.start, after.end, context)
        match = given.fullmatch(_line(token.start, context))
        if match is None or before.text not in _BEFORE:
            return None
        assigned.append(line)
        values.append(match[1])
    if len(values) != 1 or any(_is_edited(line.start, edits) for line in assigned):
        return None
    if "unsigned" in texts or texts[0] == "bool" and values[0] not in _BOOLS:
        return None
    value = f"return {values[0]};"
    made = [
        replace(e, text=returned.sub(value, _dropped(given, e.text))) for e in edits
    ]
    made += [Edit(t.start, t.end, values[0]) for t in returns]
    return [*made, *assigned, *remove_variable(name, context)]


def _dropped(given: re.Pattern[str], text: str) -> str:
    """New code without the assignment; the indentation of what follows is that of the assignment."""
    match = given.search(text)
    if match is None:
        return text
    indent = match[0][: len(match[0]) - len(match[0].lstrip())]
    return text[: match.start()] + indent + text[match.end() :]


def _line(at: int, context: Context) -> str:
    """The line at an offset."""
    source = context.source
    return source.line(source.line_of(at))
