# SPDX-License-Identifier: GPL-2.0
"""The uses of a copy's result: the number of uncopied bytes, where an access returns -EFAULT.

If it is only tested for zero, both work.
"""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Name,
    Unary,
    canonical,
    is_hint,
    names,
)
from hotcocci.c.flow import BasicBlock, Edge, reachable
from hotcocci.c.syntax import Statement, evaluated, innermost
from hotcocci.rewrite.copies.calls import Called
from hotcocci.rewrite.exits import FAULT
from hotcocci.rewrite.liveness import is_followed

KEEPS = ("=", "|=", "+=")

_TESTS = ("if", "while")


def refusal(copy: Called) -> str | None:
    """Why an access cannot replace the result of a copy, None if it can."""
    statement = innermost(copy.context.function, copy.start)
    path = _path(statement, copy)
    if not path or statement.kind == "switch":
        return "result-unclear"
    return _used(path, statement, copy)


def made_errno(copy: Called) -> Expr | None:
    """``copy() ? -EFAULT : 0``, which is the return value of an access."""
    path = _path(innermost(copy.context.function, copy.start), copy)
    parent = path[-2] if len(path) > 1 else None
    if not isinstance(parent, Conditional) or parent.start != copy.start:
        return None
    branches = (copy.text(parent.then), copy.text(parent.other))
    return parent if tuple(map(canonical, branches)) == (FAULT, "0") else None


def _path(statement: Statement, copy: Called) -> list[Expr]:
    """The expressions from the statement's own down to the call; none if it is not evaluated there."""

    def down(tree: Expr) -> list[Expr]:
        if isinstance(tree, Call) and tree.function.start == copy.start:
            return [tree]
        below = next(filter(None, map(down, tree.children())), [])
        return [tree, *below] if below else []

    tree = evaluated(copy.context.source, statement)
    return down(tree) if tree is not None else []


def _used(path: list[Expr], statement: Statement, copy: Called) -> str | None:
    """Walk up from the call until its value is tested, discarded or stored."""
    child: Expr = path[-1]
    for parent in reversed(path[:-1]):
        verdict = _use_in(parent, child, copy)
        if verdict == "tested":
            return None
        if verdict is not None:
            return verdict
        child = parent
    if statement.kind in _TESTS:
        return None
    if statement.kind == "return":
        return "count-used"
    return None  # an expression statement: the result is discarded


def _use_in(parent: Expr, child: Expr, copy: Called) -> str | None:
    """``tested``, a reason, or None if the parent passes the value on."""
    if isinstance(parent, Unary) and parent.operator == "!":
        return "tested"
    if isinstance(parent, Conditional):
        if parent.then is parent.condition:
            return "count-used"  # copy ?: other
        return "tested" if child is parent.condition else None
    if isinstance(parent, Cast):
        return None if parent.type.strip() == "void" else "count-used"
    if isinstance(parent, Call):
        return None if is_hint(parent) else "count-used"
    if isinstance(parent, Binary):
        if parent.operator in ("||", "&&"):
            return "tested"
        zero = parent.right.is_zero
        if parent.operator in ("!=", "==") and zero and child is parent.left:
            return "tested"
        if parent.operator in KEEPS and child is parent.right:
            return _stored(parent.left, copy)
        if parent.operator == "|":
            return None
    return "count-used"


def _stored(target: Expr, copy: Called) -> str | None:
    """Why the stored result cannot be that of an access, None if it can."""
    context, name = copy.context, target.name
    given = any(token.text == name for token in context.header)
    known = name in context.names and not given and is_followed(context, name)
    return None if known and not count_is_read(copy, name) else "count-used"


def count_is_read(copy: Called, name: str) -> bool:
    """Whether a copy's result in a variable may be read, other than to test it for zero.

    Only paths with a nonzero result count: on success an access returns zero as well.
    """
    blocks = copy.context.graph.blocks
    copying = [block for block in blocks if block.holds(copy.start)]
    if not copying:
        return True
    starts = [edge.target for block in copying for edge in _nonzero(block)]
    reached = reachable(starts, lambda block: _unchanged(name, block))
    return any(_reads(name, block) for block in reached)


def _nonzero(block: BasicBlock) -> list[Edge]:
    return [edge for edge in block.edges if edge.value is not False]


def _unchanged(name: str, block: BasicBlock) -> Sequence[Edge]:
    """The edges on which a variable may be unchanged and nonzero."""
    if _tests(name, block):
        return _nonzero(block)
    expr = block.expr
    if isinstance(expr, Binary) and expr.operator == "=":
        if expr.left.name == name:
            return ()
    return block.edges


def _tests(name: str, block: BasicBlock) -> bool:
    return block.is_test and block.name == name


def _reads(name: str, block: BasicBlock) -> bool:
    """Whether a block uses a variable other than to test it for zero."""
    if name in block.asm:
        return True
    expr = block.expr
    if expr is None or name not in names(expr) or _tests(name, block):
        return False
    return not only_tested(name, expr)


def only_tested(name: str, tree: Expr, tested: bool = False) -> bool:
    """Whether every mention in an expression sets the variable or tests it for zero."""
    if isinstance(tree, Name):
        return tree.text != name or tested
    if isinstance(tree, Unary) and tree.operator == "!":
        return only_tested(name, tree.operand, True)
    if isinstance(tree, Conditional):
        tested = tree.then is not tree.condition
        return only_tested(name, tree.condition, tested) and all(
            only_tested(name, part) for part in (tree.then, tree.other)
        )
    if isinstance(tree, Binary):
        zero = tree.right.is_zero
        if tree.operator in ("||", "&&"):
            return all(only_tested(name, s, True) for s in (tree.left, tree.right))
        if tree.operator in ("!=", "==") and zero:
            return only_tested(name, tree.left, True)
        if tree.operator in KEEPS and isinstance(tree.left, Name):
            return only_tested(name, tree.right)
    if is_hint(tree):
        return only_tested(name, tree.arguments[0], tested)
    return all(only_tested(name, child) for child in tree.children())
