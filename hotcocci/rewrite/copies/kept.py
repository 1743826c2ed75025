# SPDX-License-Identifier: GPL-2.0
"""Whether anything reads the bytes left that a copy stores in a variable."""

from __future__ import annotations

from hotcocci.c.expression import (
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    Name,
    Unary,
    names,
)
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.windows.graph import TEST, Node, graph, nodes

KEEPS = ("=", "|=", "+=")
LIKELY = ("unlikely", "likely")


def count_is_read(copy: Copy, name: str) -> bool:
    """Whether a path from a copy may read its result in a variable, other than to test it for zero.

    Only paths on which the result is not zero count: on the others an access gives zero as well.
    """
    steps = list(nodes(graph(copy.context.function)))
    holders = [n for n in steps if n.expr is not None and _holds(n.expr, copy)]
    if not holders:
        return True
    seen: set[int] = set()
    waiting: list[Node | None] = []
    for node in holders:
        waiting += [node.then] if node.kind == TEST else [node.then, node.other]
    while waiting:
        step = waiting.pop()
        if step is None or id(step) in seen:
            continue
        seen.add(id(step))
        if name in step.words:
            return True
        if step.expr is not None and name in names(step.expr):
            if step.kind == TEST and isinstance(step.expr, Name):
                waiting.append(step.then)
                continue
            if not only_tested(name, step.expr):
                return True
            if _overwrites(name, step.expr):
                continue
        waiting += [step.then, step.other]
    return False


def _holds(expr: Expr, copy: Copy) -> bool:
    return expr.start <= copy.start < expr.end


def _overwrites(name: str, expr: Expr) -> bool:
    return (
        isinstance(expr, Binary)
        and expr.operator == "="
        and isinstance(expr.left, Name)
        and expr.left.text == name
    )


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
    if isinstance(tree, Call) and isinstance(tree.function, Name):
        if tree.function.text in LIKELY:
            return all(only_tested(name, a, tested) for a in tree.arguments)
    return all(only_tested(name, child) for child in tree.children())
