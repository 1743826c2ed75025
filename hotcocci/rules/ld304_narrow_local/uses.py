# SPDX-License-Identifier: GPL-2.0
"""Check that a function computes the same if a narrow local is an unsigned int.

The local never exceeds its narrow type, so its promoted value is the same; only the
type differs, unsigned int instead of int. Every use is followed until that no longer
matters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Opaque,
    Postfix,
    SizeOf,
    Unary,
    is_hint,
    walk,
)
from hotcocci.c.source import tokenize
from hotcocci.rewrite.loads.chain_bodies import MOST_DEPTH, applied, bodies
from hotcocci.rewrite.loads.chain_paths import ONCE, Reader
from hotcocci.c.types import Type, parsed
from hotcocci.rules.ld304_narrow_local.arithmetic import (
    CHANGED,
    TRUTH,
    chosen,
    combined,
    complemented,
)
from hotcocci.rules.ld304_narrow_local.integers import (
    BITS,
    LONG,
    POINTER,
    SIGNED,
    SMALL,
    UNKNOWN,
    UNSIGNED,
    VALUE,
    WIDE,
    WORD,
    Class,
    class_of,
)
from hotcocci.rules.ld304_narrow_local.prototypes import Prototype, prototype

AS_WIDE_AS_INT = (SMALL, SIGNED, UNSIGNED)
# A compound assignment with the old value: reasons for the ones that may distinguish
# the types
_DIVIDING = ("/=", "%=", ">>=")
# The value of a macro that does not involve the local is expanded less deeply.
_MOST_UNMENTIONED = 2
_COPYING = ("=", ",", "&&", "||")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)$")


class NarrowUseError(Exception):
    """A use may distinguish the types, or an assignment may not fit; ``offset`` is where."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset


@dataclass
class Uses:
    """Follow the uses of one local, expression by expression.

    ``bound`` is the largest value of its type; ``followed`` are the offsets of its name that
    were followed; ``computed`` is set if a macro computes with it.
    """

    root: Path
    file: str
    types: Mapping[str, str]
    name: str
    bound: int
    followed: set[int] = field(default_factory=set)
    computed: bool = False

    def follow(self, expr: Expr) -> Class:
        """The class of an expression. Raises NarrowUseError if it may distinguish the types."""
        return self._class(expr, 0)

    def _refuse(self, expr: Expr) -> NarrowUseError:
        return NarrowUseError("narrow-use", expr.start)

    def _mentions(self, expr: Expr) -> bool:
        for part in walk(expr):
            if isinstance(part, Name) and part.text == self.name:
                return True
            if isinstance(part, (Opaque, SizeOf)):
                if any(t.text == self.name for t in tokenize(part.text)):
                    return True
        return False

    def _class(self, expr: Expr, depth: int) -> Class:
        if isinstance(expr, Name):
            return self._named(expr)
        if isinstance(expr, Literal):
            return _literal(expr.text)
        if isinstance(expr, (Opaque, SizeOf)):
            if self._mentions(expr):
                raise self._refuse(expr)
            return Class(WORD if isinstance(expr, SizeOf) else UNKNOWN)
        if isinstance(expr, Binary):
            if expr.operator in ASSIGNMENTS:
                return self._assigned(expr, depth)
            left = self._class(expr.left, depth)
            right = self._class(expr.right, depth)
            if expr.operator not in _COPYING:
                self.computed |= left.kind in CHANGED or right.kind in CHANGED
            return self._or_refuse(combined(expr.operator, left, right), expr)
        if isinstance(expr, Conditional):
            self._class(expr.condition, depth)
            then = self._class(expr.then, depth)
            other = self._class(expr.other, depth)
            return self._or_refuse(chosen(then, other), expr)
        if isinstance(expr, Unary):
            return self._unary(expr, depth)
        if isinstance(expr, Postfix):
            if self._mentions(expr.operand):
                raise self._refuse(expr)
            return self._typed(expr.operand)
        if isinstance(expr, Cast):
            return self._cast(expr, depth)
        if isinstance(expr, Call):
            return self._call(expr, depth)
        if isinstance(expr, (Member, Index)):
            return self._object(expr, depth)
        raise TypeError(f"no expression: {expr!r}")

    def _or_refuse(self, made: Class | None, expr: Expr) -> Class:
        if made is None:
            raise self._refuse(expr)
        return made

    def _named(self, expr: Name) -> Class:
        if expr.text == self.name:
            self.followed.add(expr.start)
            return Class(VALUE, self.bound)
        known = self.types.get(expr.text)
        if known:
            return class_of(self.root, self.file, parsed(known))
        for body in bodies(self.root, self.file, expr.text):
            if body.parameters is None and isinstance(body.value, Literal):
                return _literal(body.value.text)
            if body.parameters is None and not self._mentions(body.value):
                return self._constant(body.value, 0)
        return Class(UNKNOWN)

    def _constant(self, expr: Expr, depth: int) -> Class:
        """The value of a macro that consists of numbers."""
        numbers = all(isinstance(e, (Literal, Binary, Unary, Name)) for e in walk(expr))
        if not numbers or depth > MOST_DEPTH:
            return Class(UNKNOWN)
        if isinstance(expr, Name):
            for body in bodies(self.root, self.file, expr.text):
                if body.parameters is None:
                    return self._constant(body.value, depth + 1)
            return Class(UNKNOWN)
        if isinstance(expr, Literal):
            return _literal(expr.text)
        if isinstance(expr, Unary) and expr.operator in ("~", "-", "+"):
            return complemented(expr.operator, self._constant(expr.operand, depth + 1))
        if isinstance(expr, Binary) and expr.operator not in ASSIGNMENTS:
            left = self._constant(expr.left, depth + 1)
            right = self._constant(expr.right, depth + 1)
            return combined(expr.operator, left, right) or Class(UNKNOWN)
        return Class(UNKNOWN)

    def _typed(self, expr: Expr) -> Class:
        """The class of an object, by its type."""
        return class_of(self.root, self.file, self._type(expr))

    def _type(self, expr: Expr) -> Type | None:
        load = Reader(self.root, self.file, self.types).object(expr)
        if load is not None:
            return load.type
        known = self.types.get(expr.text) if isinstance(expr, Name) else None
        return parsed(known) if known else None

    def _object(self, expr: Expr, depth: int) -> Class:
        inner = expr
        while isinstance(inner, (Member, Index)):
            if isinstance(inner, Index) and self._mentions(inner.index):
                if self._class(inner.index, depth).kind == BITS:
                    raise self._refuse(inner.index)
            inner = inner.object
        if isinstance(inner, Name):
            if inner.text == self.name:
                raise self._refuse(inner)
        else:
            self._class(inner, depth)
        return self._typed(expr)

    def _unary(self, expr: Unary, depth: int) -> Class:
        if expr.operator in ("&", "++", "--", "&&"):
            if isinstance(expr.operand, Name) and expr.operand.text == self.name:
                raise self._refuse(expr)
            self._class(expr.operand, depth)
            return Class(POINTER) if expr.operator == "&" else Class(UNKNOWN)
        operand = self._class(expr.operand, depth)
        if expr.operator == "*":
            if operand.kind in CHANGED:
                raise self._refuse(expr)
            return self._typed(expr)
        return TRUTH if expr.operator == "!" else complemented(expr.operator, operand)

    def _cast(self, expr: Cast, depth: int) -> Class:
        operand = self._class(expr.operand, depth)
        made = class_of(self.root, self.file, parsed(expr.type))
        if operand.kind == BITS and made.kind not in AS_WIDE_AS_INT:
            raise self._refuse(expr)
        return made

    def _assigned(self, expr: Binary, depth: int) -> Class:
        if isinstance(expr.left, Name) and expr.left.text == self.name:
            return self._given(expr, depth)
        if self._mentions(expr.left):
            self._class(expr.left, depth)
        target = self._typed(expr.left)
        value = self._class(expr.right, depth)
        if value.kind == BITS:
            narrow = target.kind in AS_WIDE_AS_INT and expr.operator not in _DIVIDING
            if not narrow or expr.operator in ("<<=",):
                raise self._refuse(expr)
        if value.kind == VALUE and expr.operator in ("/=", "%="):
            if target.kind in (SIGNED, LONG, UNKNOWN):
                raise self._refuse(expr)
        return target

    def _given(self, expr: Binary, depth: int) -> Class:
        """An assignment to the local: its value must fit and be computed alike."""
        assert isinstance(expr.left, Name), "it is the local"
        self.followed.add(expr.left.start)
        operator = expr.operator
        value = self._class(expr.right, depth)
        if operator in ("=", "|=", "^="):
            if value.bound > self.bound:
                raise NarrowUseError("may-not-fit", expr.start)
        elif operator in ("/=", "%="):
            if value.kind not in (SMALL, VALUE, UNSIGNED, WORD, WIDE):
                raise self._refuse(expr)
        elif operator not in ("&=", ">>=") or value.kind == POINTER:
            raise self._refuse(expr)
        return Class(VALUE, self.bound)

    def _call(self, expr: Call, depth: int) -> Class:
        if not isinstance(expr.function, Name):
            self._class(expr.function, depth)
            if any(self._mentions(argument) for argument in expr.arguments):
                raise self._refuse(expr)
            return Class(UNKNOWN)
        name = expr.function.text
        if is_hint(expr):
            self._class(expr.arguments[0], depth)
            return TRUTH
        mentioned = any(self._mentions(argument) for argument in expr.arguments)
        if name in ONCE and len(expr.arguments) == 1 and not mentioned:
            return self._typed(expr.arguments[0])
        most = MOST_DEPTH if mentioned else _MOST_UNMENTIONED
        found = bodies(self.root, self.file, name) if depth < most else ()
        if any(not body.line for body in found):
            return self._macro(expr, mentioned, depth)
        declared = prototype(self.root, self.file, name)
        if mentioned:
            self._arguments(expr, declared, depth)
        return (
            class_of(self.root, self.file, declared.result)
            if declared
            else Class(UNKNOWN)
        )

    def _macro(self, expr: Call, mentioned: bool, depth: int) -> Class:
        """Each body that a macro may have, with its arguments substituted."""
        assert isinstance(expr.function, Name), "macros have names"
        made: list[Class] = []
        for body in bodies(self.root, self.file, expr.function.text):
            inside = applied(body, expr)
            if inside is None:
                if mentioned:
                    raise self._refuse(expr)
                return Class(UNKNOWN)
            try:
                made.append(self._class(inside, depth + 1))
            except NarrowUseError as error:
                # Report the use, not an offset inside the macro.
                raise NarrowUseError(error.reason, expr.start) from error
        first = made[0]
        if any(each != first for each in made):
            if any(each.kind in CHANGED for each in made):
                raise self._refuse(expr)
            return Class(UNKNOWN)
        return first

    def _arguments(self, expr: Call, declared: Prototype | None, depth: int) -> None:
        """Arguments are converted to the types of the parameters, if these are known."""
        for number, argument in enumerate(expr.arguments):
            value = self._class(argument, depth)
            if value.kind not in CHANGED:
                continue
            if declared is None or number >= len(declared.parameters):
                raise self._refuse(argument)
            kind = class_of(self.root, self.file, declared.parameters[number]).kind
            if kind == POINTER or (value.kind == BITS and kind not in AS_WIDE_AS_INT):
                raise self._refuse(argument)


def computes(expr: Expr, name: str) -> bool:
    """Whether a variable is used other than to copy, pass or test it."""
    for part in walk(expr):
        operands: tuple[Expr, ...] = ()
        if isinstance(part, Binary) and part.operator not in _COPYING:
            operands = (part.left, part.right)
        elif isinstance(part, Unary) and part.operator in ("~", "-", "++", "--"):
            operands = (part.operand,)
        elif isinstance(part, Postfix):
            operands = (part.operand,)
        if any(isinstance(each, Name) and each.text == name for each in operands):
            return True
    return False


def _literal(text: str) -> Class:
    match = _NUMBER.match(text)
    if match is None:
        return Class(SMALL, 127) if text.startswith("'") else Class(UNKNOWN)
    digits = match[1]
    octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
    value = int(digits, 8 if octal else 0)
    suffix = match[2].lower()
    if "ll" in suffix:
        return Class(WIDE, value)
    if "l" in suffix:
        return Class(WORD if "u" in suffix else LONG, value)
    if "u" in suffix:
        return Class(UNSIGNED, value)
    if value <= 2**31 - 1:
        return Class(SMALL, value)
    return Class(UNSIGNED, value) if value < 2**32 else Class(WIDE, value)
