# SPDX-License-Identifier: GPL-2.0
"""Sizes that are a count or a length given at run time: what the source shows about them.

There is no table of them, so nothing to switch on. They are reported in hot functions,
as most are small: select() of 64 descriptors copies 8 bytes, so does poll() of one, an
IPv4 address has 16. read() and write() are called with any size.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import gcd

from hotcocci.c.constants import macro_of
from hotcocci.c.expression import Binary, Call, Cast, Expr, Literal, Name, SizeOf
from hotcocci.c.parsing import parse, parse_text
from hotcocci.c.source import Token
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.rewrite.prefilter import FILE_OPERATION
from hotcocci.rewrite.copies.dispatch import (
    address_taken,
    assignments,
    parameter_of,
    switched,
)
from hotcocci.rewrite.copies.sizes import is_constant, size_bytes
from hotcocci.rules.ua203_runtime_size.callers import (
    callers_values,
    constant,
    measured,
)
from hotcocci.rules.ua203_runtime_size.sizes import caller_texts

# Maximum number of variables to follow through assignments.
_MOST = 4
# The largest value for the smallest constant to choose from: a cache line.
_LARGEST_REPORTED = 64
_PRODUCTS = frozenset({"array_size", "size_mul"})

# Maps the operand of sizeof to its size in bytes, None if unknown.
Measure = Callable[[str], int | None]


@dataclass(frozen=True)
class Length:
    """A size given at run time; ``what`` says by whom, and what it is a multiple of."""

    what: str

    def __str__(self) -> str:
        return self.what


def length_of(copy: Copy, text: str) -> Length | None:
    """The origin of a size that is a count or a length; None if it is neither.

    ``text`` is that of the file.
    """
    if is_constant(copy.text(copy.size)) or switched(copy):
        return None
    unit = _unit(copy, copy.size, _MOST)
    if unit is not None:
        return Length(_multiple(unit))
    name = copy.text(copy.size)
    if not name.isidentifier():
        return None
    words = {t.text for t in copy.context.header}
    if words & FILE_OPERATION:
        return None
    chosen = _chosen(copy)
    if chosen:
        return (
            Length(f"{' or '.join(map(str, chosen))} bytes")
            if min(chosen) <= _LARGEST_REPORTED
            else None
        )
    parameter = parameter_of(name, copy.context)
    if parameter is not None:
        if any("SYSCALL_DEFINE" in word for word in words):
            return None
        unit = _of_callers(copy, text, parameter)
        more = f", {_multiple(unit)}" if unit is not None else ""
        return Length(f"a length that the caller gives{more}")
    before = copy.context.source.text[copy.context.body.start : copy.start]
    if re.search(rf"\bget_user\s*\(\s*{name}\s*,", before):
        return Length("a length that user space gives")
    return None


def _chosen(copy: Copy) -> tuple[int, ...]:
    """The constants that a local variable may have, smallest first; empty if there are other values."""
    context = copy.context
    if address_taken(copy.text(copy.size), context):
        return ()
    root, file = context.options.root, context.source.file
    before = context.source.text[context.function.start : copy.start]
    sizes = [
        constant(root, file, _spelled(value), before) if value else None
        for value in assignments(copy.text(copy.size), context)
    ]
    known = {size for size in sizes if size is not None}
    given = parameter_of(copy.text(copy.size), context) is not None
    return tuple(sorted(known)) if None not in sizes and not given else ()


def _spelled(tokens: tuple[Token, ...]) -> str:
    return " ".join(token.text for token in tokens)


def _multiple(unit: int) -> str:
    return f"a multiple of {unit} byte{'s' if unit > 1 else ''}"


def _of_callers(copy: Copy, text: str, place: int) -> int | None:
    """The common factor of the sizes in all calls of the function."""
    root = copy.context.options.root

    def unit(file: str, size: str, before: str) -> int | None:
        known = constant(root, file, size, before)
        return known or _product(
            parse_text(size), lambda operand: measured(root, file, operand, before)
        )

    texts = caller_texts(copy, text)
    return _common(callers_values(texts, copy.context.function.name, place, unit))


def _common(units: list[int | None]) -> int | None:
    """The common factor; None if there is none, or one is unknown."""
    known = [unit for unit in units if unit is not None]
    return gcd(*known) if known and len(known) == len(units) else None


def _unit(copy: Copy, expr: Expr, left: int) -> int | None:
    """The factor in bytes that an expression of the function is a multiple of."""
    root, file = copy.context.options.root, copy.context.source.file

    def measure(operand: str) -> int | None:
        return size_bytes(root, file, f"sizeof({operand})", copy.variables)

    if isinstance(expr, Name) and address_taken(expr.text, copy.context):
        return None
    if isinstance(expr, Name) and left:
        values = assignments(expr.text, copy.context)
        given = parameter_of(expr.text, copy.context) is not None
        if given and not any(value and _always_set(copy, value) for value in values):
            return None
        source = copy.context.source.text
        return _common(
            [_unit(copy, parse(source, v), left - 1) if v else None for v in values]
        )
    if isinstance(expr, Call) and isinstance(expr.function, Name):
        macro = macro_of(root, file, expr.function.text)
        if macro is not None and macro.parameters is not None:
            return _product(parse_text(macro.body), measure)
    return _product(expr, measure)


def _always_set(copy: Copy, value: tuple[Token, ...]) -> bool:
    """Whether a variable is assigned this value on every path to the copy."""
    context = copy.context
    before = context.source.code_between(context.body.start, value[0].start)
    depth = sum((t.text == "{") - (t.text == "}") for t in before)
    alone = len(before) > 2 and before[-3].text in ("{", "}", ";")
    return depth == 1 and alone and value[0].start < copy.start


def _product(expr: Expr, measure: Measure) -> int | None:
    """The size of the element in ``count * sizeof(element)``."""
    if isinstance(expr, Cast):
        return _product(expr.operand, measure)
    sides: tuple[Expr, ...] = ()
    if isinstance(expr, Binary) and expr.operator == "*":
        sides = (expr.left, expr.right)
    if isinstance(expr, Call) and isinstance(expr.function, Name):
        sides = tuple(expr.arguments) if expr.function.text in _PRODUCTS else ()
    for side in sides:
        if isinstance(side, SizeOf) and not all(_fixed(s) for s in sides):
            return measure(side.text.removeprefix("sizeof").strip(" ()"))
    return None


def _fixed(expr: Expr) -> bool:
    return isinstance(expr, (SizeOf, Literal))
