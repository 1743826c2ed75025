# SPDX-License-Identifier: GPL-2.0
"""Find the return statement that a path reaches, from the last line it is known to have executed.

Compilers merge returns: the code after a missing end is often just the common exit of the function.
The source then tells which return is nearest.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from hotcocci.c.source import NAME, Source, Token, closing

# Costs of passing a statement that has no code on the path
SILENT = 0
CHEAP = 1
CALLS = 20
NEVER = 10_000

ENDS = re.compile(r"\w*(?:access_end|access_restore)$")
BEGINS = re.compile(r"\w*access_begin$")
UNSAFE = re.compile(r"(?:unsafe_|scoped_user_)\w+$")
# Words before a parenthesis that are not calls
WORDS = frozenset("if for while switch return sizeof likely unlikely".split())
LOOPS = ("for", "while", "switch")


@dataclass
class _Node:
    """A statement or condition; ``successors`` are those without a fault, ``fault`` those on a fault."""

    first: int
    last: int
    kind: str
    cost: int = CHEAP
    successors: list[_Node] = field(default_factory=list)
    fault: list[_Node] = field(default_factory=list)
    labels: tuple[str, ...] = ()


class _Targets(NamedTuple):
    """What follows a statement, and the targets of break and continue in it."""

    after: _Node
    on_break: _Node
    on_continue: _Node


class _Unreadable(Exception):
    """The text is not a function body: a macro or an #ifdef hides a brace."""


def exits(source: Source, line: int, fault: bool = False, shown: int = 0) -> int:
    """The line of the return, or of the closing brace, reached from a line.

    ``fault`` is true if a faulting access left the line. ``shown`` is the line of the return
    whose code runs next, or 0. As equal returns share code, it is only used if it can be
    reached, or if the text cannot be parsed.
    """
    graph = _graph(source, line)
    return graph.exit(line, fault, shown) if graph else shown or line


def leads(source: Source, start: int, line: int) -> bool:
    """Whether a line can be executed after another in its function, or is the same statement.

    True if the text cannot be parsed.
    """
    graph = _graph(source, start)
    return graph is None or graph.leads(start, line)


def _graph(source: Source, line: int) -> _Graph | None:
    """The function around a line; None if it cannot be parsed."""
    place = around(source, line)
    return _read(source.text, *place) if place else None


@lru_cache(maxsize=64)
def _read(text: str, start: int, end: int) -> _Graph | None:
    """The function with its braces on these lines; None if it cannot be parsed."""
    source = Source("", text)
    low, high = source.line_starts[start - 1], source.line_starts[end - 1] + 1
    try:
        return _Graph(Source("", text, low, high))
    except (_Unreadable, IndexError, RecursionError):
        return None


def around(source: Source, line: int) -> tuple[int, int] | None:
    """The lines of the braces of the function around a line, which kernel style puts in column 0."""
    count = len(source.line_starts)
    if not 1 <= line <= count:
        return None
    start = line
    while start > 0 and not source.line(start).startswith("{"):
        if start < line and source.line(start).startswith("}"):
            return None
        start -= 1
    end = line
    while end <= count and not source.line(end).startswith("}"):
        end += 1
    return (start, end) if start > 0 and end <= count else None


class _Graph:
    """The successors through one function."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tokens = source.code
        self._nodes: list[_Node] = []
        self._labels: dict[str, _Node] = {}
        self._switches: list[_Node] = []
        brace = self._tokens[-1]
        self._end = self._node(brace, brace, "end", SILENT)
        self._gotos: list[tuple[_Node, str]] = []
        after = self._statement(0, _Targets(self._end, self._end, self._end))[1]
        if after != len(self._tokens):
            raise _Unreadable
        for node, label in self._gotos:
            if label in self._labels:
                node.successors.append(self._labels[label])
        for node in self._nodes:
            node.fault = [self._labels[n] for n in node.labels if n in self._labels]

    def exit(self, line: int, fault: bool, shown: int) -> int:
        """See `exits`."""
        there = [n for n in self._nodes if n.first <= line <= n.last]
        if not there:
            return shown or line
        for node in there:
            if node.kind in ("return", "end"):
                return node.first
        narrow = min(n.last - n.first for n in there)
        start = [n for n in there if n.last - n.first == narrow][-1]
        # Without asm goto with outputs, a fault is an ordinary branch.
        successors = (
            start.fault if fault and start.fault else start.successors + start.fault
        )
        reached = self._reached(successors)
        near = {there: cost for there, cost in reached.items() if cost < CALLS}
        if shown:
            holder = next(
                (
                    n.first
                    for n in self._nodes
                    if n.kind == "return" and n.first <= shown <= n.last
                ),
                shown,
            )
            if holder in near or not near:
                return holder
        # No return is near: it is hidden in a macro on the line itself.
        return min(near, key=lambda r: near[r]) if near else line

    def leads(self, start: int, line: int) -> bool:
        """See `leads`."""
        todo = [n for n in self._nodes if n.first <= start <= n.last]
        goals = {id(n) for n in self._nodes if n.first <= line <= n.last}
        if not todo or not goals:
            return True
        seen: set[int] = set()
        while todo:
            node = todo.pop()
            if id(node) in goals:
                return True
            if id(node) not in seen:
                seen.add(id(node))
                todo += node.successors + node.fault
        return False

    def _reached(self, successors: Sequence[_Node]) -> dict[int, int]:
        """The lines of all returns after these nodes, with the cost to reach them."""
        queue = [(0, number, node) for number, node in enumerate(successors)]
        number = len(queue)
        seen: set[int] = set()
        found: dict[int, int] = {}
        while queue:
            cost, _, node = heapq.heappop(queue)
            if node.kind in ("return", "end"):
                found.setdefault(node.first, cost)
            if id(node) in seen:
                continue
            seen.add(id(node))
            for other in node.successors:
                number += 1
                heapq.heappush(queue, (cost + node.cost, number, other))
        return found

    def _node(self, first: Token, last: Token, kind: str, cost: int) -> _Node:
        node = _Node(
            self._source.line_of(first.start),
            self._source.line_of(last.start),
            kind,
            cost,
        )
        self._nodes.append(node)
        return node

    def _statement(self, at: int, to: _Targets) -> tuple[_Node, int]:
        """The entry of the statement at a token, and the index of the token after it."""
        token = self._tokens[at]
        if token.text == "{":
            return self._block(at, to)
        if token.text == "if":
            return self._if(at, to)
        if token.text in LOOPS:
            return self._loop(at, self._closing(at + 1), to)
        if token.text == "do":
            return self._do(at, to)
        if token.text in ("case", "default"):
            colon = next(
                i for i in range(at, len(self._tokens)) if self._tokens[i].text == ":"
            )
            entry, following = self._statement(colon + 1, to)
            if self._switches:
                self._switches[-1].successors.append(entry)
            return entry, following
        if (
            token.kind == NAME
            and self._text(at + 1) == ":"
            and self._text(at + 2) != ":"
        ):
            if self._text(at + 2) == "}":
                self._labels[token.text] = to.after
                return to.after, at + 2
            entry, following = self._statement(at + 2, to)
            self._labels[token.text] = entry
            return entry, following
        if token.kind == NAME and self._text(at + 1) == "(":
            close = self._closing(at + 1)
            if self._text(close + 1) == "{":
                return self._loop(at, close, to)
        return self._simple(at, to)

    def _block(self, at: int, to: _Targets) -> tuple[_Node, int]:
        """Statements in order; joints link each to the next, which is parsed later."""
        close = self._closing(at)
        entry: _Node | None = None
        before: _Node | None = None
        position = at + 1
        while position < close:
            onward = _Node(0, 0, "joint", SILENT)
            start, position = self._statement(position, to._replace(after=onward))
            if before is not None:
                before.successors.append(start)
            entry = entry or start
            before = onward
        if before is not None:
            before.successors.append(to.after)
        return entry or to.after, close + 1

    def _if(self, at: int, to: _Targets) -> tuple[_Node, int]:
        close = self._closing(at + 1)
        node = self._condition(at, close)
        taken, position = self._statement(close + 1, to)
        other = to.after
        if position < len(self._tokens) and self._text(position) == "else":
            other, position = self._statement(position + 1, to)
        node.successors = [taken, other]
        inside = self._tokens[at + 2 : close]
        begins = [i for i, t in enumerate(inside) if BEGINS.match(t.text)]
        if begins and inside[0].text == "!" and begins[0] == 1:
            # The window is open, so the begin succeeded.
            node.successors = [other]
        return node, position

    def _loop(self, at: int, close: int, to: _Targets) -> tuple[_Node, int]:
        node = self._condition(at, close)
        word = self._text(at)
        after = to.after
        back = node if word in ("for", "while") else after
        again = to.on_continue if word == "switch" else back
        if word == "switch":
            self._switches.append(node)
        body, position = self._statement(close + 1, _Targets(back, after, again))
        if word == "switch":
            self._switches.pop()
            inside = {t.text for t in self._tokens[close:position]}
            if "default" not in inside:
                node.successors.append(after)
        elif word in ("for", "while"):
            node.successors = [after, body]
        else:
            node.successors = [body]
        return node, position

    def _do(self, at: int, to: _Targets) -> tuple[_Node, int]:
        onward = _Node(0, 0, "joint", SILENT)
        body, position = self._statement(at + 1, _Targets(onward, to.after, onward))
        if self._text(position) != "while":
            raise _Unreadable
        close = self._closing(position + 1)
        node = self._condition(position, close)
        node.successors = [to.after, body]
        onward.successors = [node]
        return body, close + 2

    def _condition(self, at: int, close: int) -> _Node:
        node = self._node(self._tokens[at], self._tokens[close], "condition", CHEAP)
        inside = self._tokens[at : close + 1]
        node.cost, node.labels = _weight(inside), _labels(inside)
        return node

    def _simple(self, at: int, to: _Targets) -> tuple[_Node, int]:
        """A statement up to its semicolon."""
        last = at
        while self._text(last) != ";":
            if self._text(last) in ("(", "[", "{"):
                last = self._closing(last)
            elif self._text(last) == "}":
                raise _Unreadable
            last += 1
        inside = self._tokens[at:last]
        word = self._text(at)
        if word == "return":
            return self._node(
                self._tokens[at], self._tokens[last], word, SILENT
            ), last + 1
        node = self._node(self._tokens[at], self._tokens[last], "simple", CHEAP)
        if word == "goto":
            node.cost = SILENT
            self._gotos.append((node, self._text(at + 1)))
        elif word == "break":
            node.cost, node.successors = SILENT, [to.on_break]
        elif word == "continue":
            node.cost, node.successors = SILENT, [to.on_continue]
        else:
            node.cost, node.successors = _weight(inside), [to.after]
            node.labels = _labels(inside)
        return node, last + 1

    def _text(self, at: int) -> str:
        return self._tokens[at].text

    def _closing(self, at: int) -> int:
        found = closing(self._tokens, at)
        if found is None:
            raise _Unreadable
        return found


def _weight(tokens: Sequence[Token]) -> int:
    """The cost of passing a statement: how unlikely it is that it has no code on the path."""
    if any(ENDS.match(t.text) for t in tokens):
        return NEVER
    calls = any(
        t.kind == NAME and t.text not in WORDS and following.text == "("
        for t, following in zip(tokens, tokens[1:], strict=False)
    )
    return CALLS if calls else CHEAP


def _labels(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The labels of the accesses in a statement: their last arguments."""
    found = []
    for index, token in enumerate(tokens):
        if UNSAFE.match(token.text) and tokens[index + 1 : index + 2]:
            close = closing(tokens, index + 1)
            if close is not None and tokens[close - 1].kind == NAME:
                found.append(tokens[close - 1].text)
    return tuple(found)
