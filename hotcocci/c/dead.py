# SPDX-License-Identifier: GPL-2.0
"""Lines that no configuration of a tree compiles: under #if 0, or for another version of the kernel."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from hotcocci.c.expression import Binary, Call, Expr, Literal, Name, Unary
from hotcocci.c.parsing import parse
from hotcocci.c.source import Source, Token, tokenize
from hotcocci.tree.kernel import kernel_version

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?P<test>(?:.*\\\n)*.*)$",
    re.MULTILINE,
)
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


@lru_cache(maxsize=8)
def dead_lines(text: str, version: int | None = None) -> frozenset[int]:
    """The lines, starting at 1, in branches whose condition is false whatever is configured.

    ``version`` is LINUX_VERSION_CODE of the tree, None if it is not known.
    """
    found: set[int] = set()
    # For each open condition: whether a branch before is taken, whether this one is dead.
    stack: list[tuple[bool, bool]] = []
    line, at = 1, 0
    for match in _DIRECTIVE.finditer(text):
        here = line + text.count("\n", at, match.start())
        if any(dead for _, dead in stack):
            found.update(range(line + 1, here))
        line, at = here + match[0].count("\n"), match.end()
        word = match["word"]
        if word == "endif":
            del stack[-1:]
            continue
        taken = False
        if word in ("elif", "else") and stack:
            taken, _ = stack.pop()
        test = {"if": match["test"], "elif": match["test"], "else": "1"}.get(word)
        value = None if test is None else _value(test, version)
        stack.append((taken or bool(value), taken or value == 0))
    if any(dead for _, dead in stack):
        found.update(range(line + 1, line + text.count("\n", at) + 1))
    return frozenset(found)


def live(source: Source, tokens: Sequence[Token]) -> list[Token]:
    """Tokens between statements, without those of which spatch sees no statement: they are not compiled."""
    dead = dead_lines(source.text)
    return [token for token in tokens if source.line_of(token.start) not in dead]


def _value(test: str, version: int | None) -> int | None:
    """The value of a condition; None if it depends on the configuration."""
    text = re.sub(r"\\\n|/\*.*?\*/|//.*", " ", test)
    return _evaluated(parse(text, tokenize(text)), version)


def _evaluated(expr: Expr, version: int | None) -> int | None:
    if isinstance(expr, Literal):
        return int(expr.text, 0) if expr.text.isdecimal() else None
    if isinstance(expr, Name):
        return version if expr.text == "LINUX_VERSION_CODE" else None
    if isinstance(expr, Unary) and expr.operator == "!":
        value = _evaluated(expr.operand, version)
        return None if value is None else int(not value)
    if isinstance(expr, Call) and isinstance(expr.function, Name):
        parts = [_evaluated(part, version) for part in expr.arguments]
        known = [part for part in parts if part is not None]
        if expr.function.text == "KERNEL_VERSION" and len(known) == len(parts) == 3:
            return kernel_version(*known)
    if isinstance(expr, Binary):
        return _combined(
            expr.operator,
            _evaluated(expr.left, version),
            _evaluated(expr.right, version),
        )
    return None


def _combined(sign: str, left: int | None, right: int | None) -> int | None:
    if sign == "&&" and 0 in (left, right):
        return 0
    if sign == "||" and (left or right):
        return 1
    if left is None or right is None:
        return None
    if sign in ("&&", "||"):
        return int(bool(left) and bool(right))
    return int(_COMPARED[sign](left, right)) if sign in _COMPARED else None
