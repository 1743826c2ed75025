# SPDX-License-Identifier: GPL-2.0
"""Find calls with user access open whose definitions are known: UW06, UW07, UW11."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import Call, Name, walk
from hotcocci.c.flow import Graph
from hotcocci.c.source import Token, called
from hotcocci.tree.uaccess_safe import PRECEDENTED, uaccess_safe
from hotcocci.engines.call_names import OPENS, is_copy, may_sleep, prints
from hotcocci.windows.effects import definitions
from hotcocci.windows.events import accessor_of
from hotcocci.windows.outcome import OpenCall, Outcome, Violation
from hotcocci.windows.helpers import INLINE, INLINED, OUT_OF_LINE, kind_of

# Reported under other rules: UW10, UW22
_NAMED_OTHERWISE = frozenset({*OPENS, "access_ok"})
# After one of these, what follows may not run, or it may be code for the compiler only.
_BRANCHES = frozenset(
    "if for while do switch goto asm __asm__ ? && || sizeof typeof __typeof__ # #if #ifdef "
    "__builtin_choose_expr __builtin_constant_p _Generic".split()
)
_DEPTH = 4


def violations(
    graph: Graph, outcome: Outcome, root: Path, file: str
) -> Iterator[Violation]:
    """Calls in windows to functions that are, or may be, out of line."""
    within = _in_arguments(graph)
    safe = uaccess_safe(root) | PRECEDENTED
    for call in sorted(outcome.open_calls, key=lambda c: (c.at, -c.begin)):
        kind = _kind(graph, call, root, file)
        if call.name in safe:
            continue
        name = f"{call.name}()" if call.name else "a function pointer"
        if kind in (INLINE, INLINED) and call.name not in _NAMED_OTHERWISE:
            inner = always_calls(root, file, call.name)
            if inner is not None:
                text = f"{name} calls {inner}() with user access open"
                yield Violation("UW06", call.at, text, call.begin)
                continue
        if kind not in (INLINE, OUT_OF_LINE):
            continue
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


@lru_cache(maxsize=4096)
def always_calls(root: Path, file: str, name: str, depth: int = _DEPTH) -> str | None:
    """An out-of-line function that an inline one calls on every path; None if none is known.

    It must be so in every definition in sight.
    """
    found: list[str | None] = []
    for _, body in definitions(root, file, name) if depth else ():
        found.append(None)
        for inner in _unconditional(body):
            kind = kind_of(root, file, inner)
            safe = inner in uaccess_safe(root) or is_copy(inner) or may_sleep(inner)
            if safe or inner == name:
                continue
            if kind in (INLINE, INLINED):
                found[-1] = always_calls(root, file, inner, depth - 1)
            elif kind == OUT_OF_LINE:
                found[-1] = inner
            if found[-1] is not None:
                break
    return found[0] if found and None not in found else None


def _unconditional(body: tuple[Token, ...]) -> Iterator[str]:
    """The functions called before a body can take another way, in an expression without one."""
    words = [token.text for token in body]
    end = next((i for i, w in enumerate(words) if w in _BRANCHES), len(body))
    for token in called(body[:end]):
        yield token.text
