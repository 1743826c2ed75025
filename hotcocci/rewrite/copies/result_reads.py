# SPDX-License-Identifier: GPL-2.0
"""Find reads of the number of uncopied bytes that a copy returned."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.c.expression import (
    Binary,
    Conditional,
    Expr,
    Literal,
    Name,
    Unary,
    is_hint,
    names,
)
from hotcocci.c.flow import BasicBlock, Edge, reachable
from hotcocci.c.flow_builder import build_graph
from hotcocci.rewrite.copies.calls import Copy

KEEPS = ("=", "|=", "+=")


def count_is_read(copy: Copy, name: str) -> bool:
    """Whether a copy's result in a variable may be read, other than to test it for zero.

    Only paths with a nonzero result count: on success an access returns zero as well.
    """
    blocks = build_graph(copy.context.function).blocks
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
        if isinstance(expr.left, Name) and expr.left.text == name:
            return ()
    return block.edges


def _tests(name: str, block: BasicBlock) -> bool:
    return block.is_test and isinstance(block.expr, Name) and block.expr.text == name


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
        zero = isinstance(tree.right, Literal) and tree.right.text == "0"
        if tree.operator in ("||", "&&"):
            return all(only_tested(name, s, True) for s in (tree.left, tree.right))
        if tree.operator in ("!=", "==") and zero:
            return only_tested(name, tree.left, True)
        if tree.operator in KEEPS and isinstance(tree.left, Name):
            return only_tested(name, tree.right)
    if is_hint(tree):
        return only_tested(name, tree.arguments[0], tested)
    return all(only_tested(name, child) for child in tree.children())
