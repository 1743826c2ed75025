# SPDX-License-Identifier: GPL-2.0
"""Rename a call and keep its layout."""

from __future__ import annotations

from hotcocci.c.source import closing
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import columns, padding


def renamed(at: int, new: str, context: Context) -> Edit:
    """Rename the call at an offset; arguments on further lines stay aligned with its parenthesis."""
    source = context.source
    tokens = source.code_between(at, context.body.end)
    name, last = tokens[0], closing(tokens, 1)
    end = tokens[last].end if last is not None else name.end
    first, *rest = source.text[at:end].split("\n")
    if not rest:
        return Edit(at, name.end, new)
    column = columns(source.text[source.text.rfind("\n", 0, at) + 1 : name.end]) + 1
    moved = [
        padding(column + len(new) - len(name.text)) + line.lstrip()
        if columns(line) - columns(line.lstrip()) == column
        else line
        for line in rest
    ]
    return Edit(at, end, "\n".join([new + first.removeprefix(name.text), *moved]))
