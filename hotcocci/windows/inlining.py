# SPDX-License-Identifier: GPL-2.0
"""Calls made with user access open, as far as definitions can be found: UW07, UW11."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotcocci.c.expression import Call, Name, walk
from hotcocci.windows.events import accessor_of
from hotcocci.windows.flow import Outcome, Violation
from hotcocci.windows.graph import Graph, nodes
from hotcocci.windows.helpers import INLINE, OUT_OF_LINE, kind_of


def violations(
    drawn: Graph, outcome: Outcome, root: Path, file: str
) -> Iterator[Violation]:
    """Calls in windows of functions that are, or may be, out of line."""
    within = _in_arguments(drawn)
    for call in sorted(outcome.open_calls, key=lambda c: c.at):
        kind = kind_of(root, file, call.name)
        if kind == INLINE:
            yield Violation(
                "UW07",
                call.at,
                f"{call.name}() is only static inline: the compiler may put it out of line",
                call.begin,
            )
        elif kind == OUT_OF_LINE and call.at in within:
            yield Violation(
                "UW11",
                within[call.at],
                f"{call.name}() is called in an argument, which is evaluated inside the window",
                call.begin,
            )


def _in_arguments(drawn: Graph) -> dict[int, int]:
    """The calls in arguments of accesses, by where they stand, with the access."""
    found = {}
    for node in nodes(drawn):
        for part in walk(node.expr) if node.expr is not None else ():
            if isinstance(part, Call) and accessor_of(part) is not None:
                for inner in (p for a in part.arguments for p in walk(a)):
                    if isinstance(inner, Call) and isinstance(inner.function, Name):
                        found[inner.start] = part.start
    return found
