# SPDX-License-Identifier: GPL-2.0
"""Build the control-flow graph of a function, with conditions split into single tests.

Fault edges of accesses are left out: `hotcocci.windows.flow` follows their labels, which SmPL's
control flow does not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Conditional,
    Expr,
    Literal,
    Name,
    Unary,
)
from hotcocci.c.parsing import parse
from hotcocci.c.source import NAME, Source, Token, closing
from hotcocci.c.syntax import (
    Function,
    Statement,
    condition,
    declarations,
    expression,
)
from hotcocci.windows.vocabulary import HINTS, SCOPES

EXPRESSION = "expression"
TEST = "test"
RETURN = "return"
ENTER = "enter"
ASM = "asm"
JOIN = "join"

# Macros whose body runs once (include/linux/cleanup.h)
ONCE = frozenset({"scoped_guard", "scoped_cond_guard", "scoped_class"})


@dataclass(frozen=True, eq=False)
class Scope:
    """A scoped window: the macro call that heads it, and the whole statement."""

    call: Call
    statement: Statement

    @property
    def name(self) -> str:
        """The macro's name."""
        assert isinstance(self.call.function, Name)
        return self.call.function.text


@dataclass(eq=False)
class Node:
    """A statement or test. A test continues at ``then`` or ``other``, all else at ``then``.

    ``scopes`` are the enclosing scoped windows, outermost first. ``words`` are the names in an
    asm statement, which may change or jump to any of them.
    """

    kind: str
    at: int
    scopes: tuple[Scope, ...] = ()
    expr: Expr | None = None
    then: Node | None = None
    other: Node | None = None
    scope: Scope | None = None
    words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Graph:
    """A function's control flow from ``entry``, with the node of each label.

    ``hints`` are the branch hints in its conditions, which have no nodes of their own.
    """

    function: Function
    entry: Node
    labels: dict[str, Node]
    scopes: tuple[Scope, ...]
    hints: tuple[Call, ...]


@dataclass(frozen=True)
class _Around:
    """The context of a statement: the targets of break and continue, and the scopes."""

    breaks: Node | None = None
    continues: Node | None = None
    scopes: tuple[Scope, ...] = ()


@dataclass
class _Builder:
    source: Source
    function: Function
    exit: Node
    labels: dict[str, Node] = field(default_factory=dict)
    found: list[Scope] = field(default_factory=list)
    hints: list[Call] = field(default_factory=list)


def graph(function: Function) -> Graph:
    """Build the control-flow graph of a function."""
    source = function.source
    leave = Node(RETURN, function.body.end - 1)
    builder = _Builder(source, function, leave)
    for node in function.statements:
        if node.kind == "label":
            builder.labels[_first(source, node).text] = Node(JOIN, node.start)
    entry = _block(builder, function.body, leave, _Around())
    return Graph(
        function, entry, builder.labels, tuple(builder.found), tuple(builder.hints)
    )


def nodes(drawn: Graph) -> Iterator[Node]:
    """All nodes reachable from the entry or a label, each once."""
    seen: set[int] = set()
    waiting: list[Node | None] = [drawn.entry, *drawn.labels.values()]
    while waiting:
        node = waiting.pop()
        if node is not None and id(node) not in seen:
            seen.add(id(node))
            waiting += [node.then, node.other]
            yield node


def _first(source: Source, node: Statement) -> Token:
    return source.code_between(node.start, node.end)[0]


def _block(b: _Builder, block: Statement, then: Node, around: _Around) -> Node:
    """Chain the statements and initialisers of a block, starting from the last."""
    parts: list[tuple[int, Statement | Expr]] = [(c.start, c) for c in block.children]
    for tokens in declarations(b.source, block):
        parts += [(e.start, e) for e in _initialised(b.source, tokens)]
    for _, part in sorted(parts, key=lambda p: -p[0]):
        if isinstance(part, Statement):
            then = _statement(b, part, then, around)
        else:
            then = Node(EXPRESSION, part.start, around.scopes, part, then)
    return then


def _initialised(source: Source, tokens: tuple[Token, ...]) -> list[Expr]:
    """The initialisers of a declaration as assignments.

    A call of a macro defined in the file is listed here too: SmPL expands it and so does not
    report the call as a statement.
    """
    found: list[Expr] = []
    if len(tokens) > 2 and tokens[0].kind == NAME and tokens[1].text == "(":
        if closing(tokens, 1) == len(tokens) - 2:
            return [parse(source.text, tokens[:-1])]
    depth = 0
    start: int | None = None
    for index, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth == 0 and token.text == "=" and start is None:
            start = index
        elif depth == 0 and token.text in (",", ";") and start is not None:
            name = next((t for t in reversed(tokens[:start]) if t.kind == NAME), None)
            value = parse(source.text, tokens[start + 1 : index])
            if name is not None and tokens[start + 1].text != "{":
                left = Name(name.start, name.end, name.text)
                found.append(Binary(name.start, value.end, "=", left, value))
            start = None
    return found


def _statement(b: _Builder, node: Statement, then: Node, around: _Around) -> Node:
    """The first node of a statement that continues at ``then``."""
    source = b.source
    if node.kind == "block":
        return _block(b, node, then, around)
    if node.kind in ("label", "case", "default"):
        inner = _sequence(b, node.children, then, around)
        if node.kind != "label":
            return inner
        place = b.labels[_first(source, node).text]
        place.scopes, place.then = around.scopes, inner
        return place
    if node.kind == "if":
        first = _branch(b, node, 0, then, around)
        second = _branch(b, node, 1, then, around)
        return _test(b, condition(source, node), first, second, around)
    if node.kind == "switch":
        return _switch(b, node, then, around)
    if node.kind in ("while", "do", "for"):
        return _loop(b, node, then, around)
    if node.kind == "return":
        tokens = source.code_between(node.start, node.end)
        value = expression(source, node) if len(tokens) > 2 else None
        return Node(RETURN, node.start, around.scopes, value)
    if node.kind == "goto":
        tokens = source.code_between(node.start, node.end)
        target = b.labels.get(tokens[1].text) if len(tokens) > 1 else None
        return Node(JOIN, node.start, around.scopes, None, target or b.exit)
    if node.kind == "break":
        return Node(JOIN, node.start, around.scopes, None, around.breaks or then)
    if node.kind == "continue":
        return Node(JOIN, node.start, around.scopes, None, around.continues or then)
    if node.kind == "macro":
        return _macro(b, node, then, around)
    if node.kind == "empty":
        return then
    if node.kind == "asm":
        tokens = source.code_between(node.start, node.end)
        words = frozenset(t.text for t in tokens if t.kind == NAME)
        return Node(ASM, node.start, around.scopes, None, then, words=words)
    return Node(EXPRESSION, node.start, around.scopes, expression(source, node), then)


def _sequence(b: _Builder, nodes: list[Statement], then: Node, around: _Around) -> Node:
    for node in reversed(nodes):
        then = _statement(b, node, then, around)
    return then


def _branch(
    b: _Builder, node: Statement, number: int, then: Node, around: _Around
) -> Node:
    if not node.children and number == 0:
        return _unseen_body(b, node, then, around)
    if len(node.children) <= number:
        return then
    return _statement(b, node.children[number], then, around)


def _unseen_body(b: _Builder, node: Statement, then: Node, around: _Around) -> Node:
    """The body of an if that calls a macro defined in the file: see `_initialised`."""
    tokens = b.source.code_between(node.start, node.end)
    last = closing(tokens, 1)
    body = tokens[last + 1 : -1] if last is not None else ()
    if len(body) < 3 or body[0].kind != NAME or body[1].text != "(":
        return then
    expr = parse(b.source.text, body)
    return Node(EXPRESSION, body[0].start, around.scopes, expr, then)


def _test(b: _Builder, expr: Expr, then: Node, other: Node, around: _Around) -> Node:
    """Split a condition at !, &&, ||, comma, ?:, comparisons with 0, and branch hints."""
    if isinstance(expr, Unary) and expr.operator == "!":
        return _test(b, expr.operand, other, then, around)
    if isinstance(expr, Binary) and expr.operator == "&&":
        rest = _test(b, expr.right, then, other, around)
        return _test(b, expr.left, rest, other, around)
    if isinstance(expr, Binary) and expr.operator == "||":
        rest = _test(b, expr.right, then, other, around)
        return _test(b, expr.left, then, rest, around)
    if isinstance(expr, Binary) and expr.operator in ("==", "!=") and _zero(expr.right):
        if expr.operator == "==":
            then, other = other, then
        return _test(b, expr.left, then, other, around)
    if isinstance(expr, Binary) and expr.operator == ",":
        rest = _test(b, expr.right, then, other, around)
        return Node(EXPRESSION, expr.left.start, around.scopes, expr.left, rest)
    if isinstance(expr, Conditional) and expr.then is not expr.condition:
        first = _test(b, expr.then, then, other, around)
        second = _test(b, expr.other, then, other, around)
        return _test(b, expr.condition, first, second, around)
    if is_hint(expr):
        b.hints.append(expr)
        return _test(b, expr.arguments[0], then, other, around)
    return Node(TEST, expr.start, around.scopes, expr, then, other)


def _zero(expr: Expr) -> bool:
    if isinstance(expr, Literal):
        return expr.text == "0"
    return isinstance(expr, Name) and expr.text in ("NULL", "false")


def is_hint(expr: Expr) -> TypeGuard[Call]:
    """Whether an expression is likely() or unlikely()."""
    return (
        isinstance(expr, Call)
        and isinstance(expr.function, Name)
        and expr.function.text in HINTS
        and len(expr.arguments) == 1
    )


def _switch(b: _Builder, node: Statement, then: Node, around: _Around) -> Node:
    """Branch to every case, and past the switch if it has no default."""
    inside = _Around(then, around.continues, around.scopes)
    starts: list[Node] = []
    default = False
    following = then
    for child in reversed(_cases(node)):
        following = _statement(b, child, following, inside)
        labelled = child
        while labelled.kind in ("case", "default", "label"):
            if labelled.kind in ("case", "default"):
                default = default or labelled.kind == "default"
                starts.append(following)
                break
            if not labelled.children:
                break
            labelled = labelled.children[0]
    first = then if not default else Node(JOIN, node.start, around.scopes)
    for start in starts:
        first = Node(TEST, node.start, around.scopes, None, start, first)
    return Node(EXPRESSION, node.start, around.scopes, condition(b.source, node), first)


def _cases(node: Statement) -> list[Statement]:
    if len(node.children) == 1 and node.children[0].kind == "block":
        return node.children[0].children
    return node.children


def _loop(b: _Builder, node: Statement, then: Node, around: _Around) -> Node:
    source = b.source
    head = Node(JOIN, node.start, around.scopes)
    tokens = source.code_between(node.start, node.end)
    if node.kind == "do":
        body_end = node.children[0].end if node.children else node.start
        tail = [t for t in tokens if t.start >= body_end]
        test = parse(source.text, tuple(tail[2:-2]))
        again = _test(b, test, head, then, around)
        head.then = _sequence(b, node.children, again, _inside(around, then, again))
        return head
    if node.kind == "while":
        body = _sequence(b, node.children, head, _inside(around, then, head))
        head.then = _test(b, condition(source, node), body, then, around)
        return head
    init, test_tokens, step = _header(tokens)
    advance = _evaluated(source, step, head, around)
    body = _sequence(b, node.children, advance, _inside(around, then, advance))
    if test_tokens:
        test = parse(source.text, test_tokens)
        head.then = _test(b, test, body, then, around)
    else:
        head.then = body
    return _evaluated(source, init, head, around)


def _inside(around: _Around, breaks: Node, continues: Node) -> _Around:
    return _Around(breaks, continues, around.scopes)


def _header(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]]:
    """The three clauses of a for."""
    last = closing(tokens, 1)
    inside = tokens[2:last]
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in inside:
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == ";" and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    parts += [[], [], []]
    return tuple(parts[0]), tuple(parts[1]), tuple(parts[2])


def _evaluated(
    source: Source, tokens: tuple[Token, ...], then: Node, around: _Around
) -> Node:
    """A clause of a for as a node; the type of a declaration is left out."""
    if not tokens:
        return then
    equals = next((i for i, t in enumerate(tokens) if t.text in ASSIGNMENTS), None)
    if equals is not None and equals > 1 and tokens[equals - 1].kind == NAME:
        if all(t.kind == NAME or t.text == "*" for t in tokens[:equals]):
            tokens = tokens[equals - 1 :]
    expr = parse(source.text, tokens)
    return Node(EXPRESSION, tokens[0].start, around.scopes, expr, then)


def _macro(b: _Builder, node: Statement, then: Node, around: _Around) -> Node:
    """A macro with a body: a scoped window, a guard, or a loop."""
    tokens = b.source.code_between(node.start, node.children[0].start)
    last = closing(tokens, 1)
    head = parse(b.source.text, tokens[: last + 1] if last is not None else ())
    name = tokens[0].text
    if name in SCOPES and isinstance(head, Call):
        scope = Scope(head, node)
        b.found.append(scope)
        inside = _Around(then, then, (*around.scopes, scope))
        body = _sequence(b, node.children, then, inside)
        return Node(ENTER, node.start, around.scopes, head, body, None, scope)
    if name in ONCE:
        inner = _Around(then, then, around.scopes)
        return Node(
            EXPRESSION,
            node.start,
            around.scopes,
            head,
            _sequence(b, node.children, then, inner),
        )
    start = Node(JOIN, node.start, around.scopes)
    body = _sequence(b, node.children, start, _inside(around, then, start))
    start.then = Node(TEST, node.start, around.scopes, None, body, then)
    return Node(EXPRESSION, node.start, around.scopes, head, start)
