# SPDX-License-Identifier: GPL-2.0
"""Recognize expressions that do not store, calls included."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import Call, Expr, Name, Opaque, assigned, walk
from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.loads.chain_bodies import MOST_DEPTH, bodies
from hotcocci.rewrite.loads.chain_paths import ONCE

# Macros that only load or compute from their arguments
_COMPUTES = ONCE | frozenset(
    "likely unlikely rcu_dereference_protected unrcu_pointer container_of offsetof sizeof"
    " ARRAY_SIZE IS_ERR IS_ERR_OR_NULL ERR_PTR PTR_ERR BIT IS_ENABLED min max min_t max_t"
    " rcu_read_lock_held lockdep_is_held ERR_CAST PTR_ERR_OR_ZERO test_bit".split()
)


# A compound literal of values: (kgid_t){ __vfsgid_val(gid) }
_LITERAL = re.compile(r"\(\s*(?:struct\s+)?\w+\s*\)\s*\{([^{}]*)\}$")
_DESIGNATED = re.compile(r"\.\w+\s*=(?!=)")


@lru_cache(maxsize=65536)
def stores_nothing(root: Path, file: str, name: str, depth: int = 0) -> bool:
    """Whether each body of a macro or function is one expression without stores, calls included."""
    if name in _COMPUTES:
        return True
    found = bodies(root, file, name) if depth < MOST_DEPTH else ()
    return bool(found) and all(
        computes(root, file, body.value, depth) for body in found
    )


def computes(root: Path, file: str, expr: Expr, depth: int = 0) -> bool:
    """Whether an expression does not store, calls included."""
    if assigned(expr):
        return False
    for part in walk(expr):
        if isinstance(part, Opaque) and not _literal(root, file, part, depth):
            return False
        if isinstance(part, Call):
            inner = part.function.text if isinstance(part.function, Name) else ""
            if not inner or not stores_nothing(root, file, inner, depth + 1):
                return False
    return True


def literal(expr: Opaque) -> Expr | None:
    """The initializer of a compound literal as an expression; None for anything else."""
    match = _LITERAL.match(" ".join(expr.text.split()))
    return parse_text(_DESIGNATED.sub(" ", match[1])) if match else None


def _literal(root: Path, file: str, expr: Opaque, depth: int) -> bool:
    inside = literal(expr)
    if inside is None or isinstance(inside, Opaque):
        return False
    return depth < MOST_DEPTH and computes(root, file, inside, depth + 1)
