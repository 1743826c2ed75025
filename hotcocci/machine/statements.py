# SPDX-License-Identifier: GPL-2.0
"""Find the return statement that a path reaches, from the last line it is known to have executed.

Compilers merge returns: the code after a missing end is often just the common exit of the function.
The source then tells which return is nearest.
"""

import heapq
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from hotcocci.c.flow import BasicBlock, Graph, closure
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.functions import END as END_OF_FUNCTION
from hotcocci.c.functions import head
from hotcocci.c.source import NAME, Source, Token, closing
from hotcocci.c.syntax import read_function

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


def exits(source: Source, line: int, fault: bool = False, shown: int = 0) -> int:
    """The line of the return, or of the closing brace, reached from a line.

    ``fault`` is true if a faulting access left the line. ``shown`` is the line of the return whose code runs next,
    or 0. As equal returns share code, it is only used if it can be reached, or if the text cannot be parsed.
    """
    graph = _graph(source, line)
    there = _on(source, graph, line) if graph else []
    if graph is None or not there:
        return shown or line
    for block in there:
        if block.returns:
            return source.line_of(block.at)
    start = min(reversed(there), key=lambda block: len(_lines(source, block)))
    faults = _faults(source, graph, start)
    # Without asm goto with outputs, a fault is an ordinary branch.
    ordinary = [] if fault and faults else _followers(start)
    costs = _reached(source, [*ordinary, *faults])
    near = {there: cost for there, cost in costs.items() if cost < CALLS}
    if shown:
        returns = [block for block in _on(source, graph, shown) if block.returns]
        holder = source.line_of(returns[0].at) if returns else shown
        if holder in near or not near:
            return holder
    # No return is near: it is hidden in a macro on the line itself.
    return min(near, key=lambda r: near[r]) if near else line


def leads(source: Source, start: int, line: int) -> bool:
    """Whether a line can be executed after another in its function, or is the same statement.

    True if the text cannot be parsed.
    """
    graph = _graph(source, start)
    if graph is None:
        return True
    begun, goals = _on(source, graph, start), _on(source, graph, line)

    def following(block: BasicBlock) -> list[BasicBlock]:
        return [*_followers(block), *_faults(source, graph, block)]

    unknown = not begun or not goals
    return unknown or not set(closure(begun, following)).isdisjoint(goals)


def _graph(source: Source, line: int) -> Graph | None:
    """The function around a line; None if it cannot be parsed."""
    place = around(source, line)
    return _read(source.text, *place) if place else None


@lru_cache(maxsize=64)
def _read(text: str, start: int, end: int) -> Graph | None:
    """The function with its braces on these lines; None if it cannot be parsed."""
    starts = Source("", text).line_starts
    low, high = starts[start - 1], starts[end - 1] + 1
    try:
        function = read_function(Source("", text, low, high), "", low, high, ())
        return build_graph(function) if function is not None else None
    except RecursionError:
        return None


def around(source: Source, line: int) -> tuple[int, int] | None:
    """The lines of the braces of the function around a line, which kernel style puts in column 0."""
    if not 1 <= line <= len(source.line_starts):
        return None
    at = source.line_starts[line - 1]
    found = head(source.text, at + source.text.startswith("{", at))
    end = source.text.find(END_OF_FUNCTION, max(at - 1, 0)) + 1
    return (
        (source.line_of(found[1] + 1), source.line_of(end)) if found and end else None
    )


def _lines(source: Source, block: BasicBlock) -> range:
    """The lines of a block."""
    end = block.expr.end if block.expr is not None else block.at + 1
    return range(source.line_of(block.at), source.line_of(end - 1) + 1)


def _on(source: Source, graph: Graph, line: int) -> list[BasicBlock]:
    """The blocks on a line; if there are none, as for a declaration, the next one."""
    own = [block for block in graph.blocks if line in _lines(source, block)]
    behind = (block for block in graph.blocks if source.line_of(block.at) > line)
    return own or [*islice(behind, 1)]


def _code(source: Source, block: BasicBlock) -> Sequence[Token]:
    if block.expr is None:
        return ()
    return source.code_between(block.expr.start, block.expr.end)


def _followers(block: BasicBlock) -> list[BasicBlock]:
    """The blocks after one if nothing faults; the window is open, so a begin succeeded."""
    begins = block.expr is not None and BEGINS.match(block.expr.callee)
    return [e.target for e in block.edges if not begins or e.value is not False]


def _faults(source: Source, graph: Graph, block: BasicBlock) -> list[BasicBlock]:
    """The blocks after one if an access in it faults."""
    labels = _labels(_code(source, block))
    return [graph.labels[name] for name in labels if name in graph.labels]


def _reached(source: Source, blocks: Iterable[BasicBlock]) -> dict[int, int]:
    """The lines of all returns after these blocks, with the cost to reach them."""
    queue = [(0, number, block) for number, block in enumerate(blocks)]
    number = len(queue)
    seen: set[BasicBlock] = set()
    found: dict[int, int] = {}
    while queue:
        cost, _, block = heapq.heappop(queue)
        if block.returns:
            found.setdefault(source.line_of(block.at), cost)
        if block in seen:
            continue
        seen.add(block)
        cost += _weight(_code(source, block))
        for other in _followers(block):
            number += 1
            heapq.heappush(queue, (cost, number, other))
    return found


def _weight(tokens: Sequence[Token]) -> int:
    """The cost of passing a statement: how unlikely it is that it has no code on the path."""
    if any(ENDS.match(t.text) for t in tokens):
        return NEVER
    if not tokens:
        return SILENT
    names = (
        t for t, after in zip(tokens, tokens[1:], strict=False) if after.text == "("
    )
    calls = any(t.kind == NAME and t.text not in WORDS for t in names)
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
