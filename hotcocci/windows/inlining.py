# SPDX-License-Identifier: GPL-2.0
"""Find calls with user access open whose definitions are known: UW06, UW07, UW11."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hotcocci.c.expression import Call, Name, walk
from hotcocci.c.flow import Graph
from hotcocci.tree.uaccess_safe import PRECEDENTED, uaccess_safe
from hotcocci.engines.call_names import OPENS, is_copy, may_sleep, prints
from hotcocci.windows.events import accessor_of
from hotcocci.windows.outcome import OpenCall, Outcome, Violation
from hotcocci.windows.helpers import INLINE, INLINED, OUT_OF_LINE, kind_of

# Reported under other rules: UW10, UW22
_NAMED_OTHERWISE = frozenset({*OPENS, "access_ok"})


def violations(
    graph: Graph, outcome: Outcome, root: Path, file: str
) -> Iterator[Violation]:
    """Calls in windows to functions that are, or may be, out of line."""
    within = _in_arguments(graph)
    safe = uaccess_safe(root) | PRECEDENTED
    for call in sorted(outcome.open_calls, key=lambda c: (c.at, -c.begin)):
        kind = _kind(graph, call, root, file)
        if kind not in (INLINE, OUT_OF_LINE) or call.name in safe:
            continue
        name = f"{call.name}()" if call.name else "a function pointer"
        if kind == INLINE and call.name not in _NAMED_OTHERWISE:
            yield Violation(
                "UW07",
                call.at,
                f"{name} is not __always_inline: the compiler may emit a call with user access open",
                call.begin,
            )
        elif call.at in within:
            yield Violation(
                "UW11",
                within[call.at],
                f"{name} in an argument is called inside the window",
                call.begin,
            )
        if (
            kind == OUT_OF_LINE
            and call.name not in _NAMED_OTHERWISE
            and not may_sleep(call.name)
        ):
            yield Violation(
                "UW06", call.at, f"{name} is called with user access open", call.begin
            )


def _kind(graph: Graph, call: OpenCall, root: Path, file: str) -> str:
    if not call.name or may_sleep(call.name) or _is_variable(graph, call.name):
        return OUT_OF_LINE
    if is_copy(call.name):
        # The compiler expands copies of constant size inline.
        return INLINED if call.known_size else OUT_OF_LINE
    return OUT_OF_LINE if prints(call.name) else kind_of(root, file, call.name)


def _is_variable(graph: Graph, name: str) -> bool:
    """Whether a function is called through a parameter or a local variable."""
    function = graph.function
    text = function.source.text[function.start : function.body.end]
    return (
        re.search(rf"\(\s*\*\s*(?:const\s+)?{re.escape(name)}\s*\)\s*\(", text)
        is not None
    )


def _in_arguments(graph: Graph) -> dict[int, int]:
    """The offset of each call in an access's arguments, with the offset of the access."""
    found = {}
    for _, part in graph.expressions():
        if isinstance(part, Call) and accessor_of(part) is not None:
            for inner in (p for a in part.arguments for p in walk(a)):
                if isinstance(inner, Call) and isinstance(inner.function, Name):
                    found[inner.start] = part.start
    return found
