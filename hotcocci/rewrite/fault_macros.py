# SPDX-License-Identifier: GPL-2.0
"""Macros that decide what follows a fault, such as one that returns if its argument is not 0."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.preprocessed import macros_named
from hotcocci.c.source import NAME
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.statements import RunStatement

# break and continue mostly belong to loops of the macro.
_JUMP = re.compile(r"\b(?:return|goto)\b")
_CALLED = re.compile(r"\b[A-Za-z_]\w*(?=\()")
# How deep macros are followed into others
_DEPTH = 2


def deciding_macro(statement: RunStatement, context: Context) -> str | None:
    """A macro in a statement, outside its accesses, that jumps or returns; None without one."""
    root, file = context.options.root, context.source.file
    for token in context.source.code_between(statement.start, statement.end):
        inside = any(a.start <= token.start < a.end for a in statement.accesses)
        if token.kind == NAME and not inside and _jumps(root, file, token.text, _DEPTH):
            return token.text
    return None


@lru_cache(maxsize=1024)
def _jumps(root: Path, file: str, name: str, depth: int) -> bool:
    """Whether the nearest definition of a macro has a jump, or another macro that has."""
    nearest = next(macros_named(root, file, name), None)
    if nearest is None:
        return False
    words = set(_CALLED.findall(nearest.body)) - {name}
    return bool(_JUMP.search(nearest.body)) or any(
        depth > 0 and _jumps(root, file, word, depth - 1) for word in sorted(words)
    )
