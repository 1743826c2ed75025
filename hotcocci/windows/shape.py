# SPDX-License-Identifier: GPL-2.0
"""Find violations visible in a single statement: UW11's side effects, UW18, UW20, UW23, UW24."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Name,
    assigned,
    is_hint,
    names,
    walk,
)
from hotcocci.c.flow import BasicBlock, Graph
from hotcocci.c.syntax import innermost
from hotcocci.windows.events import accessor_of, argument, is_constant
from hotcocci.windows.outcome import Violation
from hotcocci.windows.evaluations import evaluations
from hotcocci.windows.hygiene import arch_of, hygiene
from hotcocci.windows.vocabulary import BEGINS, SCOPES

_HOOKS = frozenset({"might_fault", "might_sleep", "should_fail_usercopy"})


def violations(graph: Graph, root: Path, file: str) -> Iterator[Violation]:
    """Violations visible in single expressions of a function."""
    function = graph.function
    code = function.source.code_between(function.body.start, function.body.end)
    words = {token.text for token in code}
    for hint in graph.hints:
        yield from _hinted(hint)
    for block, call in graph.expressions():
        if not isinstance(call, Call):
            continue
        if is_hint(call):
            yield from _hinted(call)
        yield from _side_effects(call, root, file)
        yield from _unhygienic(graph, call, root, file)
        if "check_object_size" not in words:
            yield from _hardening(call)
        if not words & _HOOKS:
            yield from _debug_hooks(block, call)


def _named(call: Call) -> str:
    return call.function.text if isinstance(call.function, Name) else ""


def _hinted(hint: Call) -> Iterator[Violation]:
    for part in walk(hint):
        if isinstance(part, Call) and _named(part) in BEGINS:
            yield Violation(
                "UW18",
                part.start,
                f"{_named(hint)}() around a begin: the branch profiling hook runs with user access open",
            )


def _side_effects(call: Call, root: Path, file: str) -> Iterator[Violation]:
    """Find arguments that change something, in the pointer or where they are evaluated twice."""
    accessor = accessor_of(call)
    pointer = argument(call, accessor.pointer) if accessor is not None else None
    if accessor is None or pointer is None:
        return
    name = _named(call)
    if any(isinstance(p, Binary) and p.operator in ASSIGNMENTS for p in walk(pointer)):
        yield Violation(
            "UW11",
            call.start,
            f"the pointer argument of {name}() has a side effect and may be evaluated twice",
        )
        return
    own = arch_of(file)
    for arch, counts in evaluations(root, name).items():
        for place, (value, count) in enumerate(zip(call.arguments, counts)):
            if count > 1 and own in ("", arch) and assigned(value):
                what = "pointer" if value is pointer else f"argument {place + 1}"
                yield Violation(
                    "UW11",
                    call.start,
                    f"{name}() evaluates its {what} {count} times on {arch}, and it has a side effect",
                )
                return


def _unhygienic(graph: Graph, call: Call, root: Path, file: str) -> Iterator[Violation]:
    """Find accessors that break an else, or whose argument clashes with a variable of the macro."""
    name = _named(call)
    if not name.startswith("unsafe_"):
        return
    said = hygiene(root, file, name)
    captured = sorted(n for a in call.arguments for n in names(a) if n in said.locals)
    if captured:
        yield Violation(
            "UW20",
            call.start,
            f"argument {captured[0]} of {name}() clashes with a variable in an architecture's definition",
        )
    where = said.bare_if or said.semicolon
    statement = innermost(graph.function, call.start)
    parent = statement.parent
    if where and parent is not None and parent.kind == "if":
        if len(parent.children) > 1 and parent.children[0] is statement:
            how = "an if" if said.bare_if else "two statements"
            yield Violation(
                "UW20",
                call.start,
                f"{name}() before an else needs braces: {where} defines it as {how}",
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
            f"{_named(call)}() with a size only known at run time, without check_object_size() before the window",
        )


def _debug_hooks(block: BasicBlock, call: Call) -> Iterator[Violation]:
    scope = block.enters is not None and call is block.enters.call
    if _named(call) in BEGINS or (scope and _named(call) in SCOPES):
        yield Violation(
            "UW24",
            call.start,
            f"{_named(call)}() has no might_fault() and no fault injection on most architectures",
        )
