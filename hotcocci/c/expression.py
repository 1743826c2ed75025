# SPDX-License-Identifier: GPL-2.0
"""Syntax trees of C expressions: what they read, write and call.

SmPL binds the expressions; this parses their text. Only types visible in the text are
known, so callers must treat `Opaque` as anything.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

from hotcocci.c.source import NAME, tokenize

ASSIGNMENTS = {"=", "|=", "&=", "+=", "-=", "*=", "/=", "%=", "^=", "<<=", ">>="}
# Branch hints, which return their argument as a boolean
HINTS = frozenset({"likely", "unlikely"})
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*$")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39}
_UNARY: dict[str, Callable[[int], int]] = {
    "+": operator.pos,
    "-": operator.neg,
    "~": operator.invert,
    "!": lambda a: int(not a),
}
_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&&": lambda a, b: bool(a and b),
    "||": lambda a, b: bool(a or b),
}


@dataclass(frozen=True)
class Expr:
    """Any expression; ``start`` and ``end`` are offsets into the file."""

    start: int
    end: int

    def children(self) -> tuple[Expr, ...]:
        """The direct operands, in source order."""
        return ()

    @property
    def name(self) -> str:
        """The identifier that it is; empty for any other expression."""
        return ""

    @property
    def callee(self) -> str:
        """The function or macro that it calls by its name; empty for any other expression."""
        return ""

    @property
    def is_zero(self) -> bool:
        """Whether it is the number 0."""
        return isinstance(self, Literal) and self.text == "0"


@dataclass(frozen=True)
class Name(Expr):
    """An identifier: variable, constant or macro."""

    text: str

    @property
    def name(self) -> str:
        return self.text


@dataclass(frozen=True)
class Literal(Expr):
    """A number, character or string."""

    text: str


@dataclass(frozen=True)
class Opaque(Expr):
    """An expression that is not parsed; it may do anything."""

    text: str


@dataclass(frozen=True)
class SizeOf(Expr):
    """``sizeof``, ``offsetof`` and the like: nothing is evaluated."""

    text: str


@dataclass(frozen=True)
class Call(Expr):
    """A call of a function or function-like macro."""

    function: Expr
    arguments: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return (self.function, *self.arguments)

    @property
    def callee(self) -> str:
        return self.function.name


@dataclass(frozen=True)
class Unary(Expr):
    """A prefix operator."""

    operator: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Postfix(Expr):
    """``x++`` or ``x--``."""

    operator: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Binary(Expr):
    """Two operands; assignments too."""

    operator: str
    left: Expr
    right: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Conditional(Expr):
    """``c ? a : b``; ``c ?: b`` repeats the condition as ``a``."""

    condition: Expr
    then: Expr
    other: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.condition, self.then, self.other)


@dataclass(frozen=True)
class Cast(Expr):
    """A cast to the type written in ``type``."""

    type: str
    operand: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True)
class Member(Expr):
    """``object.field`` or ``object->field``."""

    operator: str
    object: Expr
    field: str

    def children(self) -> tuple[Expr, ...]:
        return (self.object,)


@dataclass(frozen=True)
class Index(Expr):
    """``object[index]``."""

    object: Expr
    index: Expr

    def children(self) -> tuple[Expr, ...]:
        return (self.object, self.index)


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all its subexpressions."""
    yield expr
    for child in expr.children():
        yield from walk(child)


def names(expr: Expr) -> frozenset[str]:
    """All identifiers read or written as variables."""
    found = {e.text for e in walk(expr) if isinstance(e, Name)}
    for part in walk(expr):
        if isinstance(part, Opaque):
            found |= {t.text for t in tokenize(part.text) if t.kind == NAME}
    return frozenset(found)


def calls(expr: Expr) -> tuple[Call | Opaque, ...]:
    """All subexpressions that may run other code."""
    return tuple(e for e in walk(expr) if isinstance(e, (Call, Opaque)))


def is_hint(expr: Expr) -> TypeGuard[Call]:
    """Whether an expression is likely() or unlikely()."""
    if not isinstance(expr, Call) or expr.callee not in HINTS:
        return False
    return len(expr.arguments) == 1


def assignment(expr: Expr | None) -> tuple[str, Expr] | None:
    """The variable and the value of ``variable = value``; None for any other expression."""
    if not isinstance(expr, Binary) or expr.operator != "=" or not expr.left.name:
        return None
    return expr.left.name, expr.right


def assigned(expr: Expr) -> tuple[Expr, ...]:
    """The targets of all assignments, increments and decrements."""
    return tuple(target for part in walk(expr) for target in changed(part))


def changed(expr: Expr) -> tuple[Expr, ...]:
    """The target if an expression is itself an assignment, an increment or a decrement."""
    if isinstance(expr, Binary) and expr.operator in ASSIGNMENTS:
        return (expr.left,)
    if isinstance(expr, (Unary, Postfix)) and expr.operator in ("++", "--"):
        return (expr.operand,)
    return ()


def uncast(expr: Expr) -> Expr:
    """An expression without its casts."""
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def pointee(pointer: Expr) -> Expr:
    """The object that a pointer leads to: ``x`` for ``&x``, ``*p`` for ``p``."""
    if isinstance(pointer, Unary) and pointer.operator == "&":
        return pointer.operand
    return Unary(pointer.start, pointer.end, "*", pointer)


def root(expr: Expr) -> Expr:
    """The leftmost object of an lvalue: ``p`` of ``&p->a.b[i].c``."""
    while True:
        if isinstance(expr, (Member, Index)):
            expr = expr.object
        elif isinstance(expr, (Unary, Postfix, Cast)):
            expr = expr.operand
        elif isinstance(expr, Binary) and expr.operator in ("+", "-"):
            expr = expr.left
        else:
            return expr


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The text with one space between words and none elsewhere, for comparison."""
    result = ""
    for token in tokenize(text):
        joined = result[-1:].isidentifier() or result[-1:].isalnum()
        if joined and (token.text[0].isalnum() or token.text[0] == "_"):
            result += " "
        result += token.text
    return result


def number(text: str) -> int | None:
    """The value of an integer or a character constant; None if it is neither."""
    if text.startswith("'"):
        inner = text[1:-1]
        if len(inner) == 1:
            return ord(inner)
        return _ESCAPES.get(inner[1:]) if inner.startswith("\\") else None
    match = _NUMBER.match(text)
    if match is None:
        return None
    digits = match[1]
    return int(digits, 8 if digits.startswith("0") and digits[1:].isdigit() else 0)


def computed(
    expr: Expr, of: Callable[[Expr], int | None] = lambda _: None
) -> int | None:
    """The value of an integer constant expression, None if unknown; ``of`` gives that of a name, a call or a sizeof."""
    if isinstance(expr, Literal):
        return number(expr.text)
    if isinstance(expr, Cast):
        return computed(expr.operand, of)
    if isinstance(expr, Unary) and expr.operator in _UNARY:
        operand = computed(expr.operand, of)
        return None if operand is None else _UNARY[expr.operator](operand)
    if isinstance(expr, Conditional):
        test = computed(expr.condition, of)
        if test is None:
            return None
        return computed(expr.then if test else expr.other, of)
    if isinstance(expr, Binary):
        return _combined(
            expr.operator, computed(expr.left, of), computed(expr.right, of)
        )
    return of(expr)


def _combined(sign: str, left: int | None, right: int | None) -> int | None:
    if (sign == "&&" and 0 in (left, right)) or (sign == "||" and (left or right)):
        return int(sign == "||")
    if left is None or right is None or sign not in _BINARY:
        return None
    if sign in ("/", "%") and (left < 0 or right <= 0):
        return None
    if sign in ("<<", ">>") and not 0 <= right < 64:
        return None
    return int(_BINARY[sign](left, right))
