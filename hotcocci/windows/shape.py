# SPDX-License-Identifier: GPL-2.0
"""What the form of a statement shows: UW11's side effects, UW18, UW20, UW23, UW24."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Name,
    names,
    walk,
)
from hotcocci.c.syntax import innermost
from hotcocci.windows.events import accessor_of, argument, is_constant
from hotcocci.windows.outcome import Violation
from hotcocci.windows.graph import ENTER, Graph, Node, is_hint, nodes
from hotcocci.windows.hygiene import hygiene
from hotcocci.windows.vocabulary import BEGINS

_HOOKS = frozenset({"might_fault", "might_sleep", "should_fail_usercopy"})


def violations(drawn: Graph, root: Path, file: str) -> Iterator[Violation]:
    """The violations of a function that the form of its expressions shows."""
    function = drawn.function
    code = function.source.code_between(function.body.start, function.body.end)
    words = {token.text for token in code}
    for hint in drawn.hints:
        yield from _hinted(hint)
    for node in nodes(drawn):
        for call in _calls(node):
            if is_hint(call):
                yield from _hinted(call)
            yield from _side_effects(call)
            yield from _unhygienic(drawn, call, root, file)
            if "check_object_size" not in words:
                yield from _hardening(call)
            if not words & _HOOKS:
                yield from _debug_hooks(node, call)


def _calls(node: Node) -> Iterator[Call]:
    for part in walk(node.expr) if node.expr is not None else ():
        if isinstance(part, Call):
            yield part


def _named(call: Call) -> str:
    return call.function.text if isinstance(call.function, Name) else ""


def _hinted(hint: Call) -> Iterator[Violation]:
    for part in walk(hint):
        if isinstance(part, Call) and _named(part) in BEGINS:
            yield Violation(
                "UW18",
                part.start,
                f"{_named(hint)}() around a begin: with branch profiling its hook runs with user access open",
            )


def _side_effects(call: Call) -> Iterator[Violation]:
    """An assignment in the pointer. ``p++`` is no such: no definition in the tree repeats it."""
    accessor = accessor_of(call)
    pointer = argument(call, accessor.pointer) if accessor is not None else None
    if pointer is None:
        return
    if any(isinstance(p, Binary) and p.operator in ASSIGNMENTS for p in walk(pointer)):
        yield Violation(
            "UW11",
            call.start,
            f"the pointer of {_named(call)}() has a side effect, and may be evaluated twice",
        )


def _unhygienic(drawn: Graph, call: Call, root: Path, file: str) -> Iterator[Violation]:
    """An accessor that is a branch by itself, or is given a name of its own."""
    name = _named(call)
    if not name.startswith("unsafe_"):
        return
    said = hygiene(root, file, name)
    captured = sorted(n for a in call.arguments for n in names(a) if n in said.locals)
    if captured:
        yield Violation(
            "UW20",
            call.start,
            f"{name}() is given {captured[0]}, which an architecture's definition declares for itself",
        )
    where = said.bare_if or said.semicolon
    node = innermost(drawn.function, call.start)
    parent = node.parent
    if where and parent is not None and parent.kind == "if":
        if len(parent.children) > 1 and parent.children[0] is node:
            how = "an if" if said.bare_if else "two statements"
            yield Violation(
                "UW20",
                call.start,
                f"{name}() before an else needs braces: {where} makes {how} of it",
            )


def _hardening(call: Call) -> Iterator[Violation]:
    accessor = accessor_of(call)
    if accessor is None or accessor.size is None:
        return
    size = argument(call, accessor.size)
    if size is not None and not is_constant(size):
        yield Violation(
            "UW23",
            call.start,
            f"{_named(call)}() of a size known only at run time, and no check_object_size() before the window",
        )


def _debug_hooks(node: Node, call: Call) -> Iterator[Violation]:
    opens = _named(call) in BEGINS or (node.kind == ENTER and call is node.expr)
    if opens:
        yield Violation(
            "UW24",
            call.start,
            f"{_named(call)}(): no might_fault() and no fault injection here on most architectures",
        )
