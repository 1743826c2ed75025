# SPDX-License-Identifier: GPL-2.0
"""The size of a copy in bytes, as far as its third argument shows, and which run-time sizes deserve code of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from hotcocci.c.expression import Literal, SizeOf
from hotcocci.c.model import BYTES, Layout
from hotcocci.c.parsing import parse_text
from hotcocci.c.text import layout, size_of, size_of_object
from hotcocci.c.typed import type_of

# A type name with optional stars, not a computation nor a variable of unknown type.
_TYPE = re.compile(r"^[A-Za-z_]\w*(?:\s+\w+)*(?:\s*\*)*$")
_SIZEOF = re.compile(r"^sizeof\b\s*(?P<operand>.*)$", re.DOTALL)
# Larger copies are what copy_from_user() is for.
MOST_BYTES = 64
# A size of fewer than one copy in so many is left to the general copy.
SHARE = 40
# Each size adds code.
MOST_SIZES = 6


def is_constant(size: str) -> bool:
    """Whether a size is a ``sizeof`` or a number."""
    tree = parse_text(size)
    return (
        isinstance(tree, SizeOf)
        and bool(_SIZEOF.match(size))
        or isinstance(tree, Literal)
    )


def size_layout(
    root: Path, file: str, size: str, variables: Mapping[str, str]
) -> Layout | None:
    """The layout of the operand of ``sizeof``; bytes without a type for a number.

    None if the headers do not define it, or the size is neither.
    """
    tree = parse_text(size)
    if isinstance(tree, Literal):
        try:
            number = int(tree.text.rstrip("uUlL"), 0)
        except ValueError:
            return None
        return Layout(BYTES, (number,) * 3, (1, 1, 1))
    type_ = measured(root, file, size, variables)
    return layout(root, file, type_) if type_ is not None else None


def size_bytes(
    root: Path, file: str, size: str, variables: Mapping[str, str]
) -> int | None:
    """The size of the operand of ``sizeof`` if it has no layout; see `size_of`."""
    type_ = measured(root, file, size, variables)
    return size_of(root, file, type_) if type_ is not None else None


def measured(
    root: Path, file: str, size: str, variables: Mapping[str, str]
) -> str | None:
    """The type of the operand of ``sizeof``, None if it is unknown."""
    operand = _operand(size)
    if operand is None:
        return None
    type_ = type_of(root, file, parse_text(operand), variables)
    if type_ is None and not _TYPE.match(operand):
        return None
    return type_ or operand


def bytes_of(
    root: Path, file: str, size: str, variables: Mapping[str, str]
) -> int | None:
    """The size of the operand of ``sizeof``, also if its type has no name; see `size_of`."""
    operand = _operand(size)
    if operand is None:
        return None
    known = size_of_object(root, file, parse_text(operand), variables)
    return known or size_bytes(root, file, size, variables)


def _operand(size: str) -> str | None:
    """What ``sizeof`` is applied to, without parentheses; None if it is no ``sizeof``."""
    found = _SIZEOF.match(size)
    if not isinstance(parse_text(size), SizeOf) or found is None:
        return None
    operand = found["operand"].strip()
    while operand.startswith("(") and operand.endswith(")"):
        operand = operand[1:-1].strip()
    return operand


def frequent(sizes: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The sizes to copy inline, smallest first, of a table of sizes and how often each occurs.

    They are 4 bytes and multiples of 8 up to `MOST_BYTES`, each of one copy in `SHARE` or more; the most
    frequent ones if there are more than `MOST_SIZES`.
    """
    total = sum(count for size, count in sizes if size)
    fit = [
        (count, -size)
        for size, count in sizes
        if (size == 4 or 0 < size <= MOST_BYTES and size % 8 == 0)
        and count * SHARE >= total
    ]
    return tuple(sorted(-size for _, size in sorted(fit)[-MOST_SIZES:]))
