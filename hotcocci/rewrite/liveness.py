# SPDX-License-Identifier: GPL-2.0
"""Tell whether a variable may be read again: a local from the function's flow graph, any other from names."""

from collections.abc import Iterator, Sequence

from hotcocci.c.expression import (
    Call,
    Expr,
    Literal,
    Member,
    Name,
    Unary,
    assignment,
    changed,
    is_hint,
    root,
)
from hotcocci.c.flow import BasicBlock, reachable, solve
from hotcocci.c.source import Part, Token, called, closing, is_member
from hotcocci.c.syntax import LOOPS, Statement, enclosing
from hotcocci.rewrite.base import spine
from hotcocci.rewrite.context import Context, stored
from hotcocci.rewrite.statements import UserAccess

_FREES = (["kfree"], ["kvfree"], ["kfree_sensitive"], ["vfree"])


def reads_after(context: Context, name: str, statement: Statement) -> bool:
    """Whether the value that a variable has after a statement may be read later.

    True as well for a variable that cannot be followed: its address is taken, it is not
    local, or an expression that mentions it is not in the control-flow graph.
    """
    if not is_followed(context, name):
        return True
    inside = [b for b in context.graph.blocks if _holds(statement, b)]
    return not inside or _is_read(context, name, _leaving(context, statement, inside))


def may_read(lvalue: Expr, tokens: Sequence[Token]) -> bool:
    """Whether code may read an object: ``kfree(p)`` does not read ``p->a``, but others may after an unlock."""
    name, pointed = root(lvalue).name, _is_pointed_to(lvalue)
    texts = [token.text for token in tokens]
    for index, text in enumerate(texts):
        if name and text == name and not is_member(tokens, index):
            around = texts[max(index - 2, 0) : index + 2]
            freed = around[:1] in _FREES and around[1:] == ["(", name, ")"]
            if not (pointed and freed):
                return True
    return False


def reader(access: UserAccess, tokens: Sequence[Token], context: Context) -> str | None:
    """The way that code may read a stored value: by its name, its object's or, if it is a local, through a pointer."""
    tokens = _evaluated(tokens)
    lvalue, value = stored(access.value), context.of(access.value)
    if may_read(lvalue, tokens):
        name = root(lvalue).name
        return (
            f"may read {value}"
            if name == value
            else f"uses {name}: it may read {value}"
        )
    follows = any(t.text in ("->", "*", "[") for t in tokens) or any(called(tokens))
    if follows and context.is_local(lvalue) and not dies(access, context):
        return f"may read {value} through a pointer"
    return None


def _evaluated(tokens: Sequence[Token]) -> list[Token]:
    """Code without what ``sizeof(ev)`` names, which is not read."""
    found: list[Token] = []
    end = 0
    for index, token in enumerate(tokens):
        if token.start < end:
            continue
        found.append(token)
        if [t.text for t in tokens[index : index + 2]] == ["sizeof", "("]:
            last = closing(tokens, index + 1)
            end = tokens[last].end if last is not None else end
    return found


def dies(access: UserAccess, context: Context) -> bool:
    """Whether nobody sees what an access stores after the function: it is in a variable to which nothing points."""
    pointed = context.is_pointed_to(root(stored(access.value)).name, access.start)
    return context.is_local(access.value) and not pointed


def reads(name: str, statement: Part, context: Context) -> bool:
    """Whether code mentions a variable other than to assign it."""
    tokens = context.source.code_between(statement.start, statement.end)
    return any(
        token.text == name and not is_member(tokens, index)
        for index, token in enumerate(tokens)
        if [after.text for after in tokens[index + 1 : index + 2]] != ["="]
    )


def _is_pointed_to(lvalue: Expr) -> bool:
    """Whether an lvalue is in what a name points to, as ``p->a.b[i]``."""
    members = (each for each in spine(lvalue) if isinstance(each, Member))
    return any(each.object.name and each.operator == "->" for each in members)


def reads_at_label(context: Context, name: str, label: str) -> bool:
    """Whether the value that a variable has at a jump to a label may be read after it."""
    block = context.graph.labels.get(label)
    if block is None or not is_followed(context, name):
        return True
    return _is_read(context, name, [block])


def constant_before(context: Context, name: str, start: int, end: int) -> str | None:
    """The constant that a variable has wherever control reaches the code from ``start`` to ``end``.

    That of an assignment, or 0 if a condition found it so; the code leaves the function if the variable is not 0
    at its end. None if it may have others, or cannot be followed.
    """

    def next_states(
        block: BasicBlock, value: str | None
    ) -> Iterator[tuple[BasicBlock, str | None]]:
        for part in block.parts() if not start <= block.at < end else ():
            if any(e.name == name for e in _changed(part)):
                made = assignment(part)
                value = _constant(context, made[1]) if made is not None else None
        value = None if name in block.asm else value
        for edge in block.edges:
            found = block.name == name and edge.value is False
            yield edge.target, "0" if found else value

    if not is_followed(context, name):
        return None
    reached = solve([(context.graph.entry, None)], next_states)
    first = min((b.at for b in context.graph.blocks if b.at >= start), default=None)
    values = {value for block, value in reached if block.at == first}
    return values.pop() if len(values) == 1 else None


def _constant(context: Context, value: Expr) -> str | None:
    """The text of a number or a name, None for any other value."""
    plain = (
        value.operand if isinstance(value, Unary) and value.operator == "-" else value
    )
    return context.key(value) if isinstance(plain, (Name, Literal)) else None


def _changed(expr: Expr) -> tuple[Expr, ...]:
    """The variables that an expression may assign, without its parts: a call may be of a macro, as get_user()."""
    if isinstance(expr, Call):
        return () if is_hint(expr) else expr.arguments
    return changed(expr)


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
    declarators = {v.name.start for v in context.variables if v.name.text == name}
    return all(
        token.start in declarators
        or any(start <= token.start < end for start, end in spans)
        for token in context.mentions(name)
    )


def _holds(statement: Statement, block: BasicBlock) -> bool:
    return statement.start <= block.at < statement.end


def _leaving(
    context: Context, statement: Statement, inside: Sequence[BasicBlock]
) -> list[BasicBlock]:
    """The points where control continues after a statement, unless it jumps elsewhere."""
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
    around = (s for s in enclosing(jump) if s.kind in (*LOOPS, "switch"))
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
    variable, value = assignment(block.expr) or ("", None)
    if value is None or variable != name:
        return False
    return not context.mentions(name, value.start, value.end)
