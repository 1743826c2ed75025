# SPDX-License-Identifier: GPL-2.0
"""Build the control-flow graph of a function, with conditions split into single tests.

A statement is built from the block that follows it, so a function is built from its end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    Member,
    Name,
    Opaque,
    Unary,
    calls,
    is_hint,
)
from hotcocci.c.flow import BasicBlock, Edge, Graph, Scope, forward, reachable
from hotcocci.c.parsing import parse
from hotcocci.c.source import NAME, Source, Token, closing, split
from hotcocci.c.syntax import (
    LABELS,
    Function,
    Statement,
    condition,
    declarations,
    expression,
    for_clauses,
)


@dataclass(frozen=True)
class _Context:
    """The targets of break and continue, and the enclosing scopes, of a statement."""

    breaks: BasicBlock | None = None
    continues: BasicBlock | None = None
    scopes: tuple[Scope, ...] = ()


@dataclass
class _Builder:
    """The state of building a whole function. ``upward`` are the jumps to earlier labels."""

    source: Source
    exit: BasicBlock
    labels: dict[str, BasicBlock] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=list)
    hints: list[Call] = field(default_factory=list)
    upward: list[BasicBlock] = field(default_factory=list)


def build_graph(function: Function) -> Graph:
    """Build the control-flow graph of a function."""
    end = BasicBlock(function.body.end - 1)
    b = _Builder(function.source, end)
    for statement in function.statements:
        if statement.kind == "label":
            name = _tokens(b, statement)[0].text
            b.labels[name] = BasicBlock(statement.start, edges=(Edge(end),))
    entry = _compound(b, function.body, end, _Context())
    for jump in b.upward:
        target = jump.edges[0].target
        if jump in reachable([target], forward):
            jump.edges = (Edge(target, back=True),)
    blocks = sorted(reachable([entry, *b.labels.values()]), key=lambda block: block.at)
    return Graph(
        function, entry, b.labels, tuple(blocks), tuple(b.scopes), tuple(b.hints)
    )


def _tokens(b: _Builder, statement: Statement) -> tuple[Token, ...]:
    return b.source.code_between(statement.start, statement.end)


def _block(
    where: _Context, at: int, expr: Expr | None, *targets: BasicBlock
) -> BasicBlock:
    return BasicBlock(at, where.scopes, expr, tuple(Edge(target) for target in targets))


def _compound(
    b: _Builder, body: Statement, then: BasicBlock, where: _Context
) -> BasicBlock:
    """The statements and initialisers of a compound statement."""
    parts: list[tuple[int, Statement | Expr]] = [(c.start, c) for c in body.children]
    for tokens in declarations(b.source, body):
        parts += [(e.start, e) for e in _initialised(b.source, tokens)]
    for at, part in sorted(parts, key=lambda p: -p[0]):
        if isinstance(part, Statement):
            then = _statement(b, part, then, where)
        else:
            then = _block(where, at, part, then)
    return then


def _initialised(source: Source, tokens: tuple[Token, ...]) -> list[Expr]:
    """The initialisers of a declaration as assignments; a macro that declares is a call."""
    if len(tokens) > 2 and tokens[0].kind == NAME and tokens[1].text == "(":
        if closing(tokens, 1) == len(tokens) - 2:
            return [parse(source.text, tokens[:-1])]
    found: list[Expr] = []
    for declarator in split(tokens[:-1], ","):
        left = split(declarator, "=")[0]
        value = declarator[len(left) + 1 :]
        name = next((t for t in reversed(left) if t.kind == NAME), None)
        if name is not None and value and value[0].text != "{":
            right = parse(source.text, value)
            target = Name(name.start, name.end, name.text)
            found.append(Binary(name.start, right.end, "=", target, right))
    return found


def _statement(
    b: _Builder, statement: Statement, then: BasicBlock, where: _Context
) -> BasicBlock:
    """The first block of a statement that continues at ``then``."""
    kind, at = statement.kind, statement.start
    if kind == "block":
        return _compound(b, statement, then, where)
    if kind in ("case", "default"):
        return _sequence(b, statement.children, then, where)
    if kind == "label":
        label = b.labels[_tokens(b, statement)[0].text]
        label.scopes = where.scopes
        label.edges = (Edge(_sequence(b, statement.children, then, where)),)
        return label
    if kind == "if":
        first = _branch(b, statement, 0, then, where)
        second = _branch(b, statement, 1, then, where)
        return _test(b, condition(b.source, statement), first, second, where)
    if kind == "switch":
        return _switch(b, statement, then, where)
    if kind in ("while", "do", "for"):
        return _loop(b, statement, then, where)
    if kind == "return":
        returned = len(_tokens(b, statement)) > 2
        return _block(where, at, expression(b.source, statement) if returned else None)
    if kind == "goto":
        return _goto(b, statement, where)
    if kind == "break":
        return _block(where, at, None, where.breaks or then)
    if kind == "continue":
        return _block(where, at, None, where.continues or then)
    if kind == "macro":
        return _macro(b, statement, then, where)
    if kind == "empty":
        return then
    if kind == "asm":
        names = frozenset(t.text for t in _tokens(b, statement) if t.kind == NAME)
        labels = (b.labels[name] for name in sorted(names & b.labels.keys()))
        return replace(_block(where, at, None, *labels, then), asm=names)
    return _evaluation(b, expression(b.source, statement), then, where)


def _evaluation(
    b: _Builder, expr: Expr, then: BasicBlock, where: _Context
) -> BasicBlock:
    """An expression whose value is not used, split where a part of it decides whether others are evaluated."""
    if isinstance(expr, Conditional) and expr.then is not expr.condition:
        first = _evaluation(b, expr.then, then, where)
        second = _evaluation(b, expr.other, then, where)
        return _test(b, expr.condition, first, second, where)
    if isinstance(expr, Binary) and expr.operator in ("&&", "||"):
        rest = _evaluation(b, expr.right, then, where)
        ways = (rest, then) if expr.operator == "&&" else (then, rest)
        return _test(b, expr.left, *ways, where)
    return _block(where, expr.start, expr, then)


def _sequence(
    b: _Builder, statements: Sequence[Statement], then: BasicBlock, where: _Context
) -> BasicBlock:
    for statement in reversed(statements):
        then = _statement(b, statement, then, where)
    return then


def _branch(
    b: _Builder, statement: Statement, number: int, then: BasicBlock, where: _Context
) -> BasicBlock:
    if len(statement.children) > number:
        return _statement(b, statement.children[number], then, where)
    return then


def _goto(b: _Builder, statement: Statement, where: _Context) -> BasicBlock:
    name = _tokens(b, statement)[1].text
    if name == "*":
        # Any label may have its address in a table.
        jumps = (_jump(b, statement, where, label) for label in b.labels.values())
        return _block(where, statement.start, None, *jumps)
    return _jump(b, statement, where, b.labels.get(name, b.exit))


def _jump(
    b: _Builder, statement: Statement, where: _Context, target: BasicBlock
) -> BasicBlock:
    jump = _block(where, statement.start, None, target)
    if target.at < jump.at:
        b.upward.append(jump)
    return jump


def _test(
    b: _Builder, expr: Expr, then: BasicBlock, other: BasicBlock, where: _Context
) -> BasicBlock:
    """Split a condition at !, &&, ||, comma, ?:, comparisons with 0, and branch hints."""
    if isinstance(expr, Unary) and expr.operator == "!":
        return _test(b, expr.operand, other, then, where)
    if isinstance(expr, Binary) and expr.operator == "&&":
        rest = _test(b, expr.right, then, other, where)
        return _test(b, expr.left, rest, other, where)
    if isinstance(expr, Binary) and expr.operator == "||":
        rest = _test(b, expr.right, then, other, where)
        return _test(b, expr.left, then, rest, where)
    if isinstance(expr, Binary) and expr.operator in ("==", "!="):
        zero, tested = expr.right, expr.left
        if _zero(expr.left):
            zero, tested = expr.left, expr.right
        if _zero(zero):
            if expr.operator == "==":
                then, other = other, then
            return _test(b, tested, then, other, where)
    if isinstance(expr, Binary) and expr.operator == ",":
        rest = _test(b, expr.right, then, other, where)
        return _block(where, expr.left.start, expr.left, rest)
    if isinstance(expr, Conditional) and expr.then is not expr.condition:
        first = _test(b, expr.then, then, other, where)
        second = _test(b, expr.other, then, other, where)
        return _test(b, expr.condition, first, second, where)
    if is_hint(expr):
        b.hints.append(expr)
        return _test(b, expr.arguments[0], then, other, where)
    edges = (Edge(then, True), Edge(other, False))
    return BasicBlock(expr.start, where.scopes, expr, edges)


def _zero(expr: Expr) -> bool:
    if isinstance(expr, Literal):
        return expr.text == "0"
    return expr.name in ("NULL", "false")


def _switch(
    b: _Builder, statement: Statement, then: BasicBlock, where: _Context
) -> BasicBlock:
    """Branch to every case, and past the switch if it has no default.

    What is a variable or a member is compared with one case after another.
    """
    inside = replace(where, breaks=then)
    statements = statement.children
    if len(statements) == 1 and statements[0].kind == "block":
        statements = statements[0].children
    cases: list[tuple[Expr, BasicBlock]] = []
    following = other = then
    for child in reversed(statements):
        following = _statement(b, child, following, inside)
        labels = [child]
        while labels[-1].kind in LABELS and labels[-1].children:
            labels.append(labels[-1].children[0])
        for label in labels:
            if label.kind == "default":
                other = following
            elif label.kind == "case":
                tokens = split(_tokens(b, label), ":")[0]
                cases.append((parse(b.source.text, tokens[1:]), following))
    value = condition(b.source, statement)
    several = not isinstance(value, (Name, Member)) or calls(value)
    if several or any(isinstance(case, Opaque) for case, _ in cases):
        targets = (target for _, target in reversed(cases))
        return _block(where, statement.start, value, *targets, other)
    for case, target in cases:
        test = Binary(case.start, case.end, "==", value, case)
        edges = (Edge(target, True), Edge(other, False))
        other = BasicBlock(case.start, where.scopes, test, edges)
    return other


def _loop(
    b: _Builder, statement: Statement, then: BasicBlock, where: _Context
) -> BasicBlock:
    at = statement.start
    head = _block(where, at, None)
    again = _again(head)
    if statement.kind == "do":
        tokens = _tokens(b, statement)
        body_end = statement.children[0].end if statement.children else at
        tail = tuple(t for t in tokens if t.start >= body_end)
        end = _test(b, parse(b.source.text, tail[2:-2]), again, then, where)
        inside = replace(where, breaks=then, continues=end)
        head.edges = (Edge(_sequence(b, statement.children, end, inside)),)
        return head
    first: tuple[Token, ...] = ()
    advance: tuple[Token, ...] = ()
    test: Expr | None = None
    if statement.kind == "while":
        test = condition(b.source, statement)
    else:
        first, tested, advance = for_clauses(b.source, statement)
        test = parse(b.source.text, tested) if tested else None
    step = _clause(b, advance, again, where)
    inside = replace(where, breaks=then, continues=step)
    body = _sequence(b, statement.children, step, inside)
    head.edges = (Edge(_test(b, test, body, then, where) if test else body),)
    return _clause(b, first, head, where)


def _again(head: BasicBlock) -> BasicBlock:
    """The end of an iteration of the loop at ``head``."""
    return BasicBlock(head.at, head.scopes, None, (Edge(head, back=True),))


def _clause(
    b: _Builder, tokens: tuple[Token, ...], then: BasicBlock, where: _Context
) -> BasicBlock:
    """A clause of a for; the type of a declaration is left out."""
    if not tokens:
        return then
    equals = next((i for i, t in enumerate(tokens) if t.text in ASSIGNMENTS), None)
    if equals is not None and equals > 1 and tokens[equals - 1].kind == NAME:
        if all(t.kind == NAME or t.text == "*" for t in tokens[:equals]):
            tokens = tokens[equals - 1 :]
    return _block(where, tokens[0].start, parse(b.source.text, tokens), then)


def _macro(
    b: _Builder, statement: Statement, then: BasicBlock, where: _Context
) -> BasicBlock:
    """A macro with a body: a scope, whose body runs once, or a loop."""
    tokens = b.source.code_between(statement.start, statement.children[0].start)
    last = closing(tokens, 1)
    call = parse(b.source.text, tokens[: last + 1] if last is not None else ())
    if is_scope(tokens[0].text) and isinstance(call, Call):
        scope = Scope(call, statement)
        b.scopes.append(scope)
        inside = _Context(then, then, (*where.scopes, scope))
        body = _sequence(b, statement.children, then, inside)
        return replace(_block(where, statement.start, call, body), enters=scope)
    head = _block(where, statement.start, None)
    again = _again(head)
    inside = replace(where, breaks=then, continues=again)
    body = _sequence(b, statement.children, again, inside)
    head.edges = (Edge(body), Edge(then))
    return _block(where, statement.start, call, head)


def is_scope(macro: str) -> bool:
    """Whether a macro with a body runs it once and cleans up, as in include/linux/cleanup.h."""
    return macro.startswith("scoped_")
