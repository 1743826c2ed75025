# SPDX-License-Identifier: GPL-2.0
"""Decide whether a memset(), memcpy() or the like in a window becomes a call."""

from __future__ import annotations

import re
from pathlib import Path

from hotcocci.c.constants import evaluate_least
from hotcocci.c.expression import Expr, Member, names
from hotcocci.c.headers import reachable
from hotcocci.c.parsing import parse_text
from hotcocci.c.syntax import Function
from hotcocci.c.text import size_of, size_of_declared, size_of_object
from hotcocci.windows.events import is_constant
from hotcocci.windows.hygiene import arch_of

# The most bytes that compilers expand inline: eight stores on powerpc, of which gcc for a 64-bit
# kernel makes 64 bytes (expand_block_clear() in gcc/config/rs6000), and 256 bytes on arm64.
_POWERPC_BYTES = 64
_BYTES = 256
_CURRENT = {"current": "struct task_struct *"}


def is_call(root: Path, file: str, function: Function, size: Expr | None) -> bool:
    """Whether a string function becomes a call, as its last argument, the size, tells.

    A constant size that cannot be computed is taken for a small one.
    """
    if size is None or not is_constant(size):
        return True
    text = function.source.text[size.start : size.end]
    known = evaluate_least(
        root, file, text, lambda o: _measured(root, file, function, o)
    )
    most = _POWERPC_BYTES if arch_of(file) == "powerpc" else _BYTES
    return known is not None and known > most


def _measured(root: Path, file: str, function: Function, operand: str) -> int | None:
    """The size of the operand of a sizeof; None if unknown."""
    known = size_of(root, file, operand)
    if known is not None:
        return known
    expr = parse_text(operand)
    variables = _CURRENT | _declared(function, names(expr))
    known = size_of_object(root, file, expr, variables)
    if known is None and isinstance(expr, Member):
        return _size_of_group(root, file, expr.field)
    return known


def _size_of_group(root: Path, file: str, name: str) -> int | None:
    """The size of the one struct_group() of that name in sight (include/linux/stddef.h)."""
    group = re.compile(rf"\bstruct_group\(\s*{re.escape(name)}\s*,([^()]*)\)")
    found = [
        body
        for header in reachable(root, file)
        if "struct_group(" in header.text
        for body in group.findall(header.text)
    ]
    if len(found) != 1:
        return None
    return size_of_declared(root, file, f"struct {{ {found[0]} }} group")


def _declared(function: Function, wanted: frozenset[str]) -> dict[str, str]:
    """The types of those names that a function declares as a structure or a pointer to one, once."""
    text = function.source.text[function.start : function.body.end]
    found = {}
    for name in wanted:
        declared = rf"\b((?:struct|union)\s+\w+)\s*(\*?)\s*{re.escape(name)}\s*[,;=)]"
        types = set(re.findall(declared, text))
        if len(types) == 1:
            found[name] = " ".join(types.pop()).strip()
    return found
