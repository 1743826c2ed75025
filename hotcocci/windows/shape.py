# SPDX-License-Identifier: GPL-2.0
"""Find violations visible in a single statement: UW11's side effects, UW18, UW20, UW23, UW24; and of scopes: UW13, UW16, UW17."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Expr,
    Literal,
    Name,
    SizeOf,
    assigned,
    is_hint,
    names,
    walk,
)
from hotcocci.c.flow import BasicBlock, Graph, Scope
from hotcocci.c.headers import arch_of
from hotcocci.c.syntax import LOOPS, Statement, enclosing, innermost
from hotcocci.windows.evaluations import evaluations, hygiene
from hotcocci.windows.events import BEGINS, SCOPES, accessor_of, argument
from hotcocci.windows.outcome import Violation

_SIZES = frozenset({"sizeof_field", "ARRAY_SIZE", "offsetof", "offsetofend"})
_HOOKS = frozenset({"might_fault", "might_sleep", "should_fail_usercopy"})


def violations(graph: Graph, root: Path, file: str) -> Iterator[Violation]:
    """Violations visible in single expressions and scopes of a function."""
    yield from _of_scopes(graph)
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


def _hinted(hint: Call) -> Iterator[Violation]:
    for part in walk(hint):
        if isinstance(part, Call) and part.callee in BEGINS:
            yield Violation(
                "UW18",
                part.start,
                f"{hint.callee}() around a begin: the branch profiling hook runs with user access open",
            )


def _side_effects(call: Call, root: Path, file: str) -> Iterator[Violation]:
    """Find arguments that change something, in the pointer or where they are evaluated twice."""
    accessor = accessor_of(call)
    pointer = argument(call, accessor.pointer) if accessor is not None else None
    if accessor is None or pointer is None:
        return
    name = call.callee
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
    name = call.callee
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
            f"{call.callee}() with a size only known at run time, without check_object_size() before the window",
        )


def _debug_hooks(block: BasicBlock, call: Call) -> Iterator[Violation]:
    scope = block.enters is not None and call is block.enters.call
    if call.callee in BEGINS or (scope and call.callee in SCOPES):
        yield Violation(
            "UW24",
            call.start,
            f"{call.callee}() has no might_fault() and no fault injection on most architectures",
        )


def _of_scopes(graph: Graph) -> Iterator[Violation]:
    """Violations in the scopes of a function."""
    for scope in graph.scopes:
        if scope.name not in SCOPES:
            continue
        yield from _identifier(scope)
        yield from _leaving(graph, scope)
        yield from _labels(graph, scope)


def _at(scope: Scope) -> int:
    return scope.statement.start


def _identifier(scope: Scope) -> Iterator[Violation]:
    pointer = argument(scope.call, 0)
    if pointer is not None and not isinstance(pointer, Name):
        yield Violation(
            "UW13",
            _at(scope),
            f"the pointer of {scope.name}() must be a plain identifier: the scope redeclares it",
        )


def _leaving(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find breaks and continues that only leave the loops inside the scope macro."""
    left = {"break": (*LOOPS, "switch"), "continue": LOOPS}
    for statement in graph.function.statements:
        kinds = left.get(statement.kind, ())
        meant = _enclosing(scope.statement, kinds)
        if meant is not None and _enclosing(statement, kinds) is scope.statement:
            word = "switch" if meant.kind == "switch" else "loop"
            yield Violation(
                "UW17",
                statement.start,
                f"{statement.kind} leaves only {scope.name}(), not the enclosing {word}",
                _at(scope),
            )


def _enclosing(statement: Statement, kinds: tuple[str, ...]) -> Statement | None:
    return next((s for s in enclosing(statement) if s.kind in kinds), None)


def _labels(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find fault labels inside the scope that they should lead out of."""
    own = argument(scope.call, -1)
    if isinstance(own, Name) and _within(graph, own.text, scope):
        yield Violation(
            "UW16", _at(scope), f"label {own.text} is inside the scope that jumps to it"
        )
    for call in _accesses(graph, scope):
        label = argument(call, -1)
        if isinstance(label, Name) and _within(graph, label.text, scope):
            yield Violation(
                "UW16",
                call.start,
                f"fault label {label.text} is inside the scope of this access",
                _at(scope),
            )


def _within(graph: Graph, label: str, scope: Scope) -> bool:
    place = graph.labels.get(label)
    return place is not None and scope in place.scopes


def _accesses(graph: Graph, scope: Scope) -> Iterator[Call]:
    """The accesses in a scope, including all macros named unsafe_*."""
    for block, part in graph.expressions():
        if scope in block.scopes and isinstance(part, Call):
            if part.callee.startswith("unsafe_"):
                yield part


def is_constant(size: Expr) -> bool:
    """Whether a size consists of numbers, sizeof and constants with upper-case names."""
    if isinstance(size, (Literal, SizeOf)):
        return True
    if isinstance(size, Name):
        return size.text.isupper()
    if isinstance(size, Call):
        return size.callee in _SIZES
    children = size.children()
    return bool(children) and all(is_constant(child) for child in children)
