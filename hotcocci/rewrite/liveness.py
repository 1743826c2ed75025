# SPDX-License-Identifier: GPL-2.0
"""Tell whether a local variable may be read again, from the function's flow graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Expr,
    Literal,
    Name,
    Postfix,
    Unary,
    is_hint,
    walk,
)
from hotcocci.c.flow import BasicBlock, reachable, solve
from hotcocci.c.source import split
from hotcocci.c.syntax import Statement, enclosing
from hotcocci.rewrite.context import Context

_BREAKABLE = ("for", "while", "do", "switch", "macro")


def reads_after(context: Context, name: str, statement: Statement) -> bool:
    """Whether the value that a variable has after a statement may be read later.

    True as well for a variable that cannot be followed: its address is taken, it is not
    local, or an expression that mentions it is not in the control-flow graph.
    """
    if not is_followed(context, name):
        return True
    inside = [b for b in context.graph.blocks if _holds(statement, b)]
    return not inside or _is_read(context, name, _leaving(context, statement, inside))


def reads_at_label(context: Context, name: str, label: str) -> bool:
    """Whether the value that a variable has at a jump to a label may be read after it."""
    block = context.graph.labels.get(label)
    if block is None or not is_followed(context, name):
        return True
    return _is_read(context, name, [block])


def is_zero_before(context: Context, name: str, start: int, end: int) -> bool:
    """Whether a variable is 0 wherever control reaches the code at an offset.

    It was set to 0, or a condition found it so. False for a variable that cannot be followed.
    ``end`` is where the code ends that leaves the function if the variable is not 0 there.
    """

    def next_states(block: BasicBlock, zero: bool) -> Iterator[tuple[BasicBlock, bool]]:
        outside = block.expr is not None and not start <= block.at < end
        for part in walk(block.expr) if outside and block.expr is not None else ():
            if any(isinstance(e, Name) and e.text == name for e in _changed(part)):
                zero = _is_zero(part)
        zero = zero and name not in block.asm
        tested = isinstance(block.expr, Name) and block.expr.text == name
        for edge in block.edges:
            yield edge.target, zero or (tested and edge.value is False)

    if not is_followed(context, name):
        return False
    reached = solve([(context.graph.entry, False)], next_states)
    first = min((b.at for b in context.graph.blocks if b.at >= start), default=None)
    found = [zero for block, zero in reached if block.at == first]
    return bool(found) and all(found)


def _changed(expr: Expr) -> tuple[Expr, ...]:
    """What an expression itself may assign, without its parts: a call may be of a macro, as get_user()."""
    if isinstance(expr, Binary) and expr.operator in ASSIGNMENTS:
        return (expr.left,)
    if isinstance(expr, (Unary, Postfix)) and expr.operator in ("++", "--"):
        return (expr.operand,)
    return expr.arguments if isinstance(expr, Call) and not is_hint(expr) else ()


def _is_zero(expr: Expr) -> bool:
    """Whether an expression assigns 0."""
    if not isinstance(expr, Binary) or expr.operator != "=":
        return False
    return isinstance(expr.right, Literal) and expr.right.text == "0"


def is_followed(context: Context, name: str) -> bool:
    """Whether every use of a variable is in the graph, and under this name."""
    if name in context.static_names or context.declared_times(name) != 1:
        return False
    tokens = [token.text for token in context.tokens]
    if any(
        before == "&" and text == name and after != "->"
        for before, text, after in zip(tokens, tokens[1:], tokens[2:])
    ):
        return False
    spans = [
        (b.expr.start, b.expr.end) for b in context.graph.blocks if b.expr is not None
    ]
    declarators = _declarators(context, name)
    return all(
        token.start in declarators
        or any(start <= token.start < end for start, end in spans)
        for token in context.mentions(name, context.body.start, context.body.end)
    )


def _declarators(context: Context, name: str) -> set[int]:
    """Where declarations introduce a name, as opposed to initialisers that use it."""
    return {
        token.start
        for declaration in context.declared
        for declarator in split(declaration[:-1], ",")
        for token in split(declarator, "=")[0]
        if token.text == name
    }


def _holds(statement: Statement, block: BasicBlock) -> bool:
    return statement.start <= block.at < statement.end


def _leaving(
    context: Context, statement: Statement, inside: Sequence[BasicBlock]
) -> list[BasicBlock]:
    """Where control continues after a statement, unless the statement jumps elsewhere."""
    jumps = {s.start for s in context.function.statements if _jumps(s, statement)}
    return [
        edge.target
        for block in inside
        if block.expr is not None or block.at not in jumps
        for edge in block.edges
        if not _holds(statement, edge.target)
    ]


def _jumps(jump: Statement, statement: Statement) -> bool:
    """Whether ``jump`` leaves ``statement`` other than by its end."""
    if jump.kind == "goto":
        return True
    if jump.kind not in ("break", "continue"):
        return False
    around = (s for s in enclosing(jump) if s.kind in _BREAKABLE)
    return not next(around, statement).inside(statement.start, statement.end)


def _is_read(context: Context, name: str, starts: list[BasicBlock]) -> bool:
    blocks = reachable(
        starts, lambda block: () if _sets(context, name, block) else block.edges
    )
    return any(
        block.expr is not None
        and not _sets(context, name, block)
        and bool(context.mentions(name, block.expr.start, block.expr.end))
        for block in blocks
    )


def _sets(context: Context, name: str, block: BasicBlock) -> bool:
    """Whether a block assigns a variable without reading it."""
    expr = block.expr
    return (
        isinstance(expr, Binary)
        and expr.operator == "="
        and isinstance(expr.left, Name)
        and expr.left.text == name
        and not context.mentions(name, expr.right.start, expr.right.end)
    )
