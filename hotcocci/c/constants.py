# SPDX-License-Identifier: GPL-2.0
"""Evaluate constant expressions from the text of the headers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import (
    Binary,
    Cast,
    Conditional,
    Expr,
    Literal,
    Name,
    SizeOf,
    Unary,
)
from hotcocci.c.headers import Header, reachable
from hotcocci.c.parsing import parse
from hotcocci.c.preprocessed import Macro, macros_named, view, view_on_x86_64
from hotcocci.c.source import tokenize

# Maximum nesting of macros; deeper nesting is a cycle.
_MOST = 16
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*$")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39}
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "|": lambda a, b: a | b,
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
}

# Maps the text of a type to its size in bytes, or None if unknown.
Measure = Callable[[str], int | None]


# Finds a macro by its name.
Macros = Callable[[str], Macro | None]


def evaluate(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """The value of an integer constant expression in a file; None if unknown.

    ``measure`` gives the size in bytes of a type for ``sizeof``.
    """
    return _evaluated(text, lambda name: macro_of(root, file, name), measure)


def evaluate_bound(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """The value of an array bound, whose macros may come from any header; None if unknown."""
    known = evaluate(root, file, text, measure)
    if known is not None or text.isdigit():
        return known
    return _evaluated(text, lambda name: macro_of(root, file, name, True), measure)


def evaluate_least(root: Path, file: str, text: str, measure: Measure) -> int | None:
    """As `evaluate`, of the smallest number that any header defines a macro as; for sums and products."""

    def only(name: str) -> Macro | None:
        return _macro_everywhere(root, file, name)

    def least(name: str) -> Macro | None:
        found = set(macros_named(root, file, name))
        known = {_evaluated(macro.body, only, measure): macro for macro in found}
        numbers = [number for number in known if number is not None]
        return known[min(numbers)] if numbers and None not in known else None

    return _evaluated(text, least, measure)


def evaluate_everywhere(
    root: Path, file: str, text: str, measure: Measure
) -> int | None:
    """The value of an array bound if all headers agree on its macros; None if unknown."""

    return _evaluated(text, lambda name: _macro_everywhere(root, file, name), measure)


def _evaluated(text: str, macros: Macros, measure: Measure) -> int | None:
    return _value(parse(text, tokenize(text)), macros, measure, _MOST)


def _value(expr: Expr, macros: Macros, measure: Measure, left: int) -> int | None:
    if isinstance(expr, Literal):
        return _literal(expr.text)
    if isinstance(expr, SizeOf):
        inner = expr.text.removeprefix("sizeof").strip()
        return measure(inner[1:-1].strip()) if inner.startswith("(") else None
    if isinstance(expr, Name):
        macro = macros(expr.text)
        if macro is None or macro.parameters is not None or not left:
            return None
        body = parse(macro.body, tokenize(macro.body))
        return _value(body, macros, measure, left - 1)
    if isinstance(expr, Cast):
        return _value(expr.operand, macros, measure, left)
    if isinstance(expr, Unary) and expr.operator in "+-~":
        value = _value(expr.operand, macros, measure, left)
        if value is None:
            return None
        return {"+": value, "-": -value, "~": ~value}[expr.operator]
    if isinstance(expr, Conditional):
        test = _value(expr.condition, macros, measure, left)
        if test is None:
            return None
        return _value(expr.then if test else expr.other, macros, measure, left)
    if isinstance(expr, Binary):
        return _binary(expr, macros, measure, left)
    return None


def _binary(expr: Binary, macros: Macros, measure: Measure, left: int) -> int | None:
    first, second = (_value(e, macros, measure, left) for e in (expr.left, expr.right))
    if first is None or second is None:
        return None
    if expr.operator in ("/", "%"):
        if first < 0 or second <= 0:
            return None
        return first // second if expr.operator == "/" else first % second
    if expr.operator in ("<<", ">>") and not 0 <= second < 64:
        return None
    operation = _OPERATIONS.get(expr.operator)
    return operation(first, second) if operation else None


def _literal(text: str) -> int | None:
    if text.startswith("'"):
        inner = text[1:-1]
        if len(inner) == 1:
            return ord(inner)
        return _ESCAPES.get(inner[1:]) if inner.startswith("\\") else None
    match = _NUMBER.match(text)
    if match is None:
        return None
    digits = match[1]
    octal = digits.startswith("0") and digits[1:].isdigit()
    return int(digits, 8 if octal else 0)


@lru_cache(maxsize=8192)
def macro_of(root: Path, file: str, name: str, far: bool = False) -> Macro | None:
    """A macro, if all headers that a file includes agree on it, at least on x86-64.

    Only searches the headers of `interface`, or with ``far`` all headers, which is slow.
    """
    headers = reachable(root, file) if far else interface(root, file)
    paths = [header.path for header in headers if name in header.defines]
    found = {macro for path in paths for macro in view(path).macros.get(name, ())}
    if len(found) > 1:
        found = {
            macro
            for path in paths
            for macro in view_on_x86_64(root, file, path).macros.get(name, ())
        }
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=4096)
def _macro_everywhere(root: Path, file: str, name: str) -> Macro | None:
    found = set(macros_named(root, file, name))
    return found.pop() if len(found) == 1 else None


@lru_cache(maxsize=64)
def interface(root: Path, file: str) -> tuple[Header, ...]:
    """A file and those of its headers that may define its user interface.

    These are uapi headers, headers in its own directory, and any that define ioctl commands.
    """
    folder = (root / file).parent
    return tuple(
        header
        for header in reachable(root, file)
        if header.is_interface or header.path.parent == folder
    )
