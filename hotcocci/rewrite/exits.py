# SPDX-License-Identifier: GPL-2.0
"""Read statements that leave a function or jump to its error path."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.expression import Binary, Name, calls, canonical
from hotcocci.c.source import Source
from hotcocci.c.syntax import Statement, expression

FAULT = "-EFAULT"


@dataclass(frozen=True)
class Exit:
    """An exit; exits with the same text have the same ``key``.

    ``variable`` is the error variable that it returns (``return err``), if any;
    ``target`` the label of a goto; ``calls`` is set if it does more than jump.
    """

    key: str
    start: int
    end: int
    target: str | None
    value: str | None
    variable: str | None
    calls: bool


def read_exit(source: Source, body: Statement) -> Exit | None:
    """Read a statement as an exit: ``return E;``, ``goto L;``, or a block ending in one."""
    parts = body.children if body.kind == "block" else [body]
    if not parts or any(p.kind not in ("expression", "return", "goto") for p in parts):
        return None
    last = parts[-1]
    if last.kind not in ("return", "goto"):
        return None
    start, end = parts[0].start, last.end
    if source.has_directive(start, end):
        return None
    variables: dict[str, str] = {}
    does_more = False
    for part in parts[:-1]:
        tree = expression(source, part)
        if (
            isinstance(tree, Binary)
            and tree.operator == "="
            and isinstance(tree.left, Name)
        ):
            variables[tree.left.text] = source.text[tree.right.start : tree.right.end]
            does_more = does_more or bool(calls(tree))
        else:
            does_more = True
    key = canonical(source.text[start:end])
    tokens = source.code_between(last.start, last.end)
    if last.kind == "goto":
        name, value = next(iter(variables.items()), (None, None))
        return Exit(key, start, end, tokens[1].text, value, name, does_more)
    if len(tokens) == 2:
        return Exit(key, start, end, None, None, None, does_more)
    result = expression(source, last)
    text = source.text[result.start : result.end]
    variable = text if isinstance(result, Name) else None
    value = canonical(variables.get(text, text))
    return Exit(key, start, end, None, value, variable, does_more)
