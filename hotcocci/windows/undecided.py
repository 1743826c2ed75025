# SPDX-License-Identifier: GPL-2.0
"""Find conditions that decide whether a window is open, in a way that cannot be followed.

In ``if (n) begin … for (i = 0; i < n; i++) access … if (n) end``, no path has the access without
the begin, but nothing that is known of the variables says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from hotcocci.c.expression import Call, Name, assigned, names, root, walk
from hotcocci.c.flow import BasicBlock, Edge, Graph, reachable
from hotcocci.windows.events import Helper, begin_of
from hotcocci.windows.state import CLOSED, OPEN, State
from hotcocci.windows.vocabulary import ACCESSORS, BEGINS, ENDS


def undecided(
    graph: Graph,
    reached: Iterable[tuple[BasicBlock, State]],
    helpers: Mapping[str, Helper],
    is_known: Callable[[BasicBlock, State], bool],
) -> BasicBlock | None:
    """The first condition that tells an open window from a closed one; None if there is none.

    It is reached in both states, decides whether the window is used or ended, and has a name in
    common with another condition, or with what another sets, that decides whether it is opened.
    ``is_known`` tells whether a condition's value is known in a state.
    """
    windows: dict[BasicBlock, set[tuple[str, int]]] = {}
    for block, state in reached:
        if len(block.edges) > 1 and not is_known(block, state):
            windows.setdefault(block, set()).add((state.window.kind, state.window.at))
    conditions = [b for b in graph.blocks if len(b.edges) > 1 and b.expr is not None]
    decided = {b: _decided_by(b) for b in conditions}
    for block in conditions:
        own = decided[block]
        before = [
            (kind, at)
            for kind, at in windows.get(block, ())
            if not any(b.holds(at) for b in own)
        ]
        opened = {at for kind, at in before if kind == OPEN}
        closed = any(kind == CLOSED for kind, _ in before)
        assert block.expr is not None
        if not (opened and closed) or begin_of(block.expr, helpers) is not None:
            continue
        if not _uses(own, helpers):
            continue
        tested = names(block.expr)
        others = (b for b in conditions if b is not block)
        if any(
            tested & _told(other, decided[other], opened, helpers) for other in others
        ):
            return block
    return None


def _decided_by(block: BasicBlock) -> frozenset[BasicBlock]:
    """The blocks that only some of the edges of a condition lead to."""
    sides = [frozenset(reachable([edge.target], _forward)) for edge in block.edges]
    return frozenset.union(*sides) - frozenset.intersection(*sides)


def _forward(block: BasicBlock) -> list[Edge]:
    return [edge for edge in block.edges if not edge.back]


def _uses(blocks: Iterable[BasicBlock], helpers: Mapping[str, Helper]) -> bool:
    for name in _called(blocks):
        helper = helpers.get(name, Helper())
        if name in ACCESSORS or name in ENDS or helper.directions or helper.ends:
            return True
    return False


def _called(blocks: Iterable[BasicBlock]) -> Iterator[str]:
    for block in blocks:
        for part in walk(block.expr) if block.expr is not None else ():
            if isinstance(part, Call) and isinstance(part.function, Name):
                yield part.function.text


def _told(
    block: BasicBlock,
    decided: frozenset[BasicBlock],
    opened: set[int],
    helpers: Mapping[str, Helper],
) -> frozenset[str]:
    """The names that tell which way a condition went, if a begin depends on it."""
    assert block.expr is not None
    begin = begin_of(block.expr, helpers) is not None
    if not begin and not any(b.holds(at) for b in decided for at in opened):
        return frozenset()
    set_there = (
        root(target)
        for b in decided
        if b.expr is not None
        for target in assigned(b.expr)
    )
    found = frozenset(t.text for t in set_there if isinstance(t, Name))
    return found if begin else found | (names(block.expr) - BEGINS.keys())
