# SPDX-License-Identifier: GPL-2.0
"""Macros that decide what follows a fault, such as one that returns if its argument is not 0."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.source import NAME, closing
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.statements import RunStatement

_JUMP = re.compile(r"\b(?:return|goto|break|continue)\b")


def deciding_macro(statement: RunStatement, context: Context) -> str | None:
    """The macro that an access is an argument of, or one in the statement that jumps; None without any."""
    tokens = context.source.code_between(statement.start, statement.end)
    accesses = statement.accesses
    for index, token in enumerate(tokens):
        if token.kind != NAME or any(a.start <= token.start < a.end for a in accesses):
            continue
        body = _definition(context.options.root, context.source.file, token.text)
        if body is None:
            continue
        last = closing(tokens, index + 1) if body.startswith("(") else None
        around = last is not None and any(
            token.start < a.start < tokens[last].start for a in accesses
        )
        if around or _JUMP.search(body):
            return token.text
    return None


@lru_cache(maxsize=256)
def _definition(root: Path, file: str, name: str) -> str | None:
    """The text after a macro's name, its parameters included, in the nearest file that defines it."""
    define = re.compile(
        rf"^[ \t]*#[ \t]*define[ \t]+{name}\b((?:.*\\\n)*.*)$", re.MULTILINE
    )
    for header in reachable(root, file):
        found = define.search(header.text) if name in header.text else None
        if found is not None:
            return found[1]
    return None
