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
    Literal,
    Name,
    Unary,
    canonical,
    is_hint,
    names,
    walk,
)
from hotcocci.c.flow import BasicBlock, Edge, reachable
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.syntax import Statement, condition, evaluated, innermost
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Called
from hotcocci.rewrite.exits import FAULT, Exit, read_exit
from hotcocci.rewrite.liveness import is_followed, reads_after

KEEPS = ("=", "|=", "+=")

_TESTS = ("if", "while")


def refusal(copy: Called) -> str | None:
    """Why an access cannot replace the result of a copy, None if it can."""
    statement = innermost(copy.context.function, copy.start)
    tree = evaluated(copy.context.source, statement)
    if tree is None or statement.kind == "switch":
        return "result-unclear"
    path = _path_to_call(tree, copy)
    if path is None:
        return "result-unclear"
    return _used(path, statement, copy)


def made_errno(copy: Called) -> Expr | None:
    """``copy() ? -EFAULT : 0``, which is the return value of an access."""
    statement = innermost(copy.context.function, copy.start)
    tree = evaluated(copy.context.source, statement)
    path = _path_to_call(tree, copy) if tree is not None else None
    parent = path[-2] if path is not None and len(path) > 1 else None
    if not isinstance(parent, Conditional) or parent.start != copy.start:
        return None
    branches = (copy.text(parent.then), copy.text(parent.other))
    return parent if tuple(map(canonical, branches)) == (FAULT, "0") else None


def _path_to_call(tree: Expr, copy: Called) -> list[Expr] | None:
    """The expressions from the statement's own down to the call."""
    if isinstance(tree, Call) and tree.function.start == copy.start:
        return [tree]
    for child in tree.children():
        below = _path_to_call(child, copy)
        if below is not None:
            return [tree, *below]
    return None


def _used(path: list[Expr], statement: Statement, copy: Called) -> str | None:
    """Walk up from the call until its value is tested, discarded or stored."""
    child: Expr = path[-1]
    for parent in reversed(path[:-1]):
        verdict = _use_in(parent, child, copy, statement)
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


def _use_in(
    parent: Expr, child: Expr, copy: Called, statement: Statement
) -> str | None:
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
        zero = isinstance(parent.right, Literal) and parent.right.text == "0"
        if parent.operator in ("!=", "==") and zero and child is parent.left:
            return "tested"
        if parent.operator in KEEPS and child is parent.right:
            return _stored(parent.left, copy, statement)
        if parent.operator == "|":
            return None
    return "count-used"


def _stored(target: Expr, copy: Called, statement: Statement) -> str | None:
    """Why the stored result cannot be that of an access, None if it can."""
    if not isinstance(target, Name) or target.text not in _declared(copy.context):
        return "count-used"
    name = target.text
    if _only_compared(name, copy, statement):
        return None
    if count_is_read(copy, name) or not is_followed(copy.context, name):
        return "count-used"
    return None


def _only_compared(name: str, copy: Called, statement: Statement) -> bool:
    """Whether a variable that stores the result is only ever compared with zero."""
    context = copy.context
    return _returned_at_once(name, context, statement) or _only_tested(name, context)


def _returned_at_once(name: str, context: Context, statement: Statement) -> bool:
    """Whether it is ``ret = copy(); if (ret) return -EFAULT;`` and ret is not read later."""
    block = statement.parent
    if block is None or block.kind not in ("block", "switch"):
        return False
    after = [child for child in block.children if child.start >= statement.end]
    if not after or after[0].kind != "if" or len(after[0].children) != 1:
        return False
    test = after[0]
    if not only_tested(name, condition(context.source, test), tested=True):
        return False
    exit_ = read_exit(context.source, test.children[0])
    if exit_ is None or exit_.target is not None and _reads_at(name, exit_, context):
        return False
    within = context.mentions(name, test.children[0].start, test.end)
    return not within and not reads_after(context, name, test)


def _reads_at(name: str, exit_: Exit, context: Context) -> bool:
    """Whether a variable is mentioned after the label that an exit jumps to."""
    place = context.labels.get(exit_.target or "")
    return place is None or bool(context.mentions(name, place, context.body.end))


def _only_tested(name: str, context: Context) -> bool:
    """Whether a function only sets and tests a variable and never uses its value otherwise."""
    seen = 0
    for statement in context.function.statements:
        tree = evaluated(context.source, statement)
        if tree is None:
            continue
        if not only_tested(name, tree, statement.kind in _TESTS):
            return False
        seen += sum(isinstance(p, Name) and p.text == name for p in walk(tree))
    declared = sum(
        t.text == name and after.text in (",", ";", "=")
        for d in context.declared
        for t, after in zip(d, d[1:], strict=False)
    )
    # One more mention: another declaration, a macro, or a loop header.
    return len(context.mentions(name, context.body.start, context.body.end)) == (
        seen + declared
    )


def _declared(context: Context) -> frozenset[str]:
    """The non-static local variables."""
    return frozenset(
        t.text
        for d in context.declared
        if d[0].text != "static"
        for t, after in zip(d, d[1:], strict=False)
        if after.text in (",", ";", "=")
    )


def count_is_read(copy: Called, name: str) -> bool:
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
