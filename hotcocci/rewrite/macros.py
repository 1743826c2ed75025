# SPDX-License-Identifier: GPL-2.0
"""Tell what a name that looks like a variable or a number does, where it is a macro without parameters."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import Macro, macros_named
from hotcocci.c.expression import Call, Expr, Index, Member, Opaque, assigned, walk
from hotcocci.c.parsing import parse_text
from hotcocci.rewrite.base import only_computes
from hotcocci.rewrite.context import Context

# get_current() is inline and only loads.
_LOADS = frozenset(("current", "get_current"))
# Deeper nesting is a cycle.
_MOST = 8


def acting(expr: Expr, context: Context) -> str | None:
    """The name of a macro in an expression that calls something or assigns, as ``#define NOW ktime_get()``."""
    for name in _plain_names(expr):
        if not context.owns(name) and _acts(*context.where, name, False, _MOST):
            return name
    return None


def is_constant(name: str, context: Context) -> bool:
    """Whether a name has one value, as an enumerator or a macro of numbers in capitals has."""
    return name.isupper() and not _varies(*context.where, name, _MOST)


def _plain_names(expr: Expr) -> list[str]:
    """The names in an expression that nothing calls."""
    called = {id(part.function) for part in walk(expr) if isinstance(part, Call)}
    return [part.name for part in walk(expr) if part.name and id(part) not in called]


def _bodies(root: Path, file: str, name: str, called: bool) -> tuple[Macro, ...]:
    """The definitions of a macro, with parameters if it is called."""
    found = set(macros_named(root, file, name))
    return tuple(m for m in found if called == (m.parameters is not None))


@lru_cache(maxsize=4096)
def _acts(root: Path, file: str, name: str, called: bool, left: int) -> bool:
    if name in _LOADS or only_computes(name) or name.startswith("__builtin_"):
        return False
    found = _bodies(root, file, name, called)
    return (called and not found) or any(_does(root, file, m.body, left) for m in found)


def _does(root: Path, file: str, body: str, left: int) -> bool:
    """Whether the body of a macro calls a function or assigns; one that joins words makes a number, as UL(1)."""
    if not body or "##" in body:
        return False
    tree = parse_text(body)
    if not left or isinstance(tree, Opaque) or assigned(tree):
        return True
    callees = (part.callee for part in walk(tree) if isinstance(part, Call))
    return any(_acts(root, file, name, True, left - 1) for name in callees) or any(
        _acts(root, file, name, False, left - 1) for name in _plain_names(tree)
    )


@lru_cache(maxsize=4096)
def _varies(root: Path, file: str, name: str, left: int) -> bool:
    found = _bodies(root, file, name, False)
    return not left or any(_changes(root, file, m.body, left) for m in found)


def _changes(root: Path, file: str, body: str, left: int) -> bool:
    """Whether the body of a macro is made of more than numbers and other macros of numbers."""
    tree = parse_text(body)
    memory = any(isinstance(part, (Member, Index, Opaque)) for part in walk(tree))
    return (
        memory
        or _does(root, file, body, left)
        or any(
            not name.isupper() or _varies(root, file, name, left - 1)
            for name in _plain_names(tree)
        )
    )
