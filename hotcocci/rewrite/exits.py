# SPDX-License-Identifier: GPL-2.0
"""Read statements that leave a function or jump to its error path."""

import re
from dataclasses import dataclass, replace

from hotcocci.c.expression import assignment, calls, canonical
from hotcocci.c.source import COMMENT, Source
from hotcocci.c.syntax import LOOPS, Statement, expression

FAULT = "-EFAULT"
_CONSTANT = re.compile(r"-?(?:[A-Z_][A-Z0-9_]*|\d+)|false|true|NULL")


@dataclass(frozen=True)
class Exit:
    """An exit, as the ``statements`` it executes; equal ones have the same ``key``.

    ``start`` and ``end`` are the code that it replaces. ``variable`` is the error variable that it returns
    (``return err``), if any; ``target`` the label of a goto; ``calls`` is set if it does more than jump.
    ``leaves`` is not set if the code runs on to the exit, as in ``err = -EFAULT; } return err;``, or breaks to it.
    """

    start: int
    end: int
    statements: tuple[str, ...]
    target: str | None = None
    value: str | None = None
    variable: str | None = None
    calls: bool = False
    leaves: bool = True

    @property
    def key(self) -> str:
        """Its statements for comparison."""
        return canonical(" ".join(self.statements))


def read_exit(source: Source, body: Statement) -> Exit | None:
    """Read a statement as an exit: ``return E;``, ``goto L;``, or a block ending in one."""
    parts = body.children if body.kind == "block" else [body]
    if not parts or parts[-1].kind not in ("return", "goto"):
        return None
    return read_statements(source, parts)


def read_continued(
    source: Source, statement: Statement, body: Statement | None
) -> Exit | None:
    """Read the exit that control reaches after a statement, without more than one call before it.

    ``body`` is what is executed first: a branch that sets variables and runs on, or breaks; None if nothing is.
    """
    parts: list[Statement] = []
    if body is not None:
        parts = body.children if body.kind == "block" else [body]
    breaks = bool(parts) and parts[-1].kind == "break"
    sets = parts[:-1] if breaks else parts
    if any(_assigned(source, part) is None for part in sets):
        return None
    path = list(sets)
    following = _after(source, statement, breaks)
    # Such as one that unlocks or frees
    if (
        following
        and following.kind == "expression"
        and expression(source, following).callee
    ):
        path.append(following)
        following = _after(source, following, False)
    found = _ending(source, path, following)
    if found is None:
        return None
    start, end = statement.start, statement.end
    if parts:
        start, end = parts[0].start, parts[-1].end
    if source.has_directive(start, end):
        return None
    return replace(found, start=start, end=end, leaves=False)


def _ending(
    source: Source, path: list[Statement], last: Statement | None
) -> Exit | None:
    """The exit that ``path`` leads to; falling into a label is a jump to it."""
    if last is None or last.kind not in ("return", "goto", "label"):
        return None
    name = source.code_between(last.start, last.end)[0].text
    if last.kind == "label" and [s.kind for s in last.children[:1]] == ["return"]:
        last = last.children[0]
    if last.kind != "label":
        return _folded(source, path, read_statements(source, [*path, last]))
    found = read_statements(source, path) if path else Exit(0, 0, ())
    if found is None:
        return None
    return replace(found, statements=(*found.statements, f"goto {name};"), target=name)


def _folded(source: Source, path: list[Statement], found: Exit | None) -> Exit | None:
    """An exit that returns the constant that ``path`` assigns, instead of the variable."""
    if found is None or found.variable is None or found.target is not None:
        return found
    for index, part in enumerate(path):
        assigned = _assigned(source, part)
        if assigned is None or assigned[0] != found.variable:
            continue
        if not _CONSTANT.fullmatch(assigned[1]):
            return found
        kept = found.statements[:index] + found.statements[index + 1 : -1]
        left = f"return {assigned[1]};"
        return replace(found, statements=(*kept, left), variable=None)
    return found


def _assigned(source: Source, part: Statement) -> tuple[str, str] | None:
    """The variable and the value of ``variable = value;`` without a call."""
    made = assignment(expression(source, part)) if part.kind == "expression" else None
    if made is None or calls(made[1]):
        return None
    return made[0], source.of(made[1])


def _after(source: Source, statement: Statement, breaks: bool) -> Statement | None:
    """The statement that is executed after one; None where a loop repeats or nothing follows.

    ``breaks`` continues after the loop or switch around it instead.
    """
    current = statement
    while (parent := current.parent) is not None:
        if breaks:
            breaks = parent.kind not in (*LOOPS, "switch")
            current = parent
            continue
        if parent.kind in ("block", "switch"):
            following = next(
                (s for s in parent.children if s.start >= current.end), None
            )
            if following is not None:
                between = source.tokens_between(current.end, following.start)
                if any(token.kind != COMMENT for token in between):
                    return None
                if following.kind == "break":
                    current, breaks = following, True
                    continue
                return following
        if parent.kind in LOOPS:
            return None
        current = parent
    return None


def read_statements(source: Source, parts: list[Statement]) -> Exit | None:
    """Read statements of which the last may jump or return."""
    if any(p.kind not in ("expression", "return", "goto") for p in parts):
        return None
    last = parts[-1]
    start, end = parts[0].start, last.end
    tokens = source.code_between(last.start, last.end)
    if last.kind == "goto" and tokens[1].text == "*":
        return None
    if any(source.has_directive(p.start, p.end) for p in parts):
        return None
    variables: dict[str, str] = {}
    does_more = False
    for part in parts:
        if part.kind != "expression":
            continue
        made = assignment(expression(source, part))
        if made is not None:
            variables[made[0]] = source.of(made[1])
        does_more = does_more or made is None or bool(calls(made[1]))
    found = Exit(start, end, texts(source, parts), calls=does_more)
    if last.kind != "return":
        name, value = next(iter(variables.items()), (None, None))
        target = tokens[1].text if last.kind == "goto" else None
        return replace(found, target=target, value=value, variable=name)
    if len(tokens) == 2:
        return found
    result = expression(source, last)
    text = source.of(result)
    variable = result.name or None
    return replace(found, value=canonical(variables.get(text, text)), variable=variable)


def texts(source: Source, parts: list[Statement]) -> tuple[str, ...]:
    """The statements as lines of text, with the comments between those of one block."""
    found: list[str] = []
    for before, part in zip([None, *parts], parts):
        if before is not None and before.parent is part.parent:
            between = source.tokens_between(before.end, part.start)
            if all(token.kind == COMMENT for token in between):
                found += [" ".join(token.text.split()) for token in between]
        found += [line.strip() for line in source.of(part).splitlines()]
    return tuple(found)
