# SPDX-License-Identifier: GPL-2.0
"""The pointers that a window uses: which of them a scope can mask, and which code may rely on their range check."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Literal,
    Member,
    Name,
    SizeOf,
    Unary,
    assigned,
    assignment,
    names,
    root,
    uncast,
    walk,
)
from hotcocci.c.flow import BasicBlock, closure, reachable
from hotcocci.c.functions import span
from hotcocci.c.syntax import innermost
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.ua103_older_window.classic import Classic
from hotcocci.windows.events import accessor_of, argument

_CONVERSIONS = frozenset(
    {"compat_ptr", "ptr_to_compat", "u64_to_user_ptr", "untagged_addr"}
)
_UNCHECKED = re.compile(
    r"\b(?:__(?:get|put)_user|__copy_(?:from|to)_user\w*|__clear_user|unsafe_\w+)\s*\("
)


@dataclass(frozen=True)
class Pointers:
    """The pointer ``masked`` that a scope masks, and others that the window uses, which it does not mask."""

    masked: str
    near: tuple[str, ...] = ()


def pointers(window: Classic, begin: str, context: Context) -> Pointers | Refusal:
    """The pointers of a window that is opened for ``begin``."""
    source = context.source
    used: list[set[str]] = []
    for access in window.accesses:
        accessor = accessor_of(access)
        place = argument(access, accessor.pointer) if accessor is not None else None
        used.append({begin} if place is None else _objects(place))
    for part in parts(window, context):
        for inner in walk(part):
            if isinstance(inner, Unary) and inner.operator == "&":
                if inner.operand.name == begin:
                    return Refusal("pointer-derived", source.line_of(inner.start))
    others = _mentioned(window, context, _linked(begin, context) & context.user)
    accessed = set[str]().union(*used)
    if not others and accessed <= {begin}:
        return Pointers(begin)
    first = min(window.accesses, key=lambda call: call.start)
    if used[window.accesses.index(first)] != {begin} or not _is_always_made(
        first, window, context
    ):
        return Refusal("pointer-derived", source.line_of(first.start))
    known = {begin, *others}
    if others and not all(_is_source(other, begin, context) for other in others):
        # UW14: such a pointer has to be computed in the scope.
        return Refusal("pointer-derived", source.line_of(next(iter(others.values()))))
    if not others or not accessed & context.user <= known:
        return Refusal("pointer-derived", source.line_of(first.start))
    if any(moved(window, name, context) is not None for name in known):
        return Refusal("pointer-derived", source.line_of(first.start))
    return Pointers(begin, tuple(others))


def parts(window: Classic, context: Context) -> list[Expr]:
    """All expressions in the window, in source order."""
    found = {
        part.start: part
        for block, part in context.graph.expressions()
        if part is block.expr and window.holds(part.start)
    }
    return [found[at] for at in sorted(found)]


def moved(window: Classic, pointer: str, context: Context) -> int | None:
    """The place where the window changes a pointer; None if it does not."""
    for part in parts(window, context):
        for target in assigned(part):
            if target.name == pointer:
                return target.start
    return None


def _is_always_made(access: Call, window: Classic, context: Context) -> bool:
    """Whether an access is a statement of its own in the window, not in a branch or a loop."""
    statement = innermost(context.function, access.start)
    return (
        statement.start == access.start
        and statement.parent is window.begin.statement.parent
    )


def _mentioned(
    window: Classic, context: Context, linked: frozenset[str]
) -> dict[str, int]:
    """Which of these variables the window mentions, and where first."""
    found: dict[str, int] = {}
    for part in parts(window, context):
        for inner in walk(part):
            if inner.name in linked:
                found.setdefault(inner.name, inner.start)
    return found


def _objects(place: Expr) -> set[str]:
    """The variables that a pointer argument is computed from, without indexes."""
    place = uncast(place)
    if isinstance(place, Call):
        return {name for each in place.arguments for name in _objects(each)}
    if isinstance(place, Binary):
        whole = isinstance(place.right, (Literal, SizeOf))
        return _objects(place.left) if whole else set(names(place)) | {""}
    found = root(place)
    return {found.text} if isinstance(found, Name) else {""}


def _assignments(context: Context) -> list[tuple[str, frozenset[str]]]:
    """The variables that are assigned, each with those in its value."""
    made = (assignment(part) for _, part in context.graph.expressions())
    return [(one[0], names(one[1])) for one in made if one is not None]


def _is_source(other: str, pointer: str, context: Context) -> bool:
    """Whether a pointer is computed from another one, and not the other way round."""
    made = _assignments(context)
    return any(left == pointer and other in right for left, right in made) and not any(
        left == other and pointer in right for left, right in made
    )


def _linked(pointer: str, context: Context) -> frozenset[str]:
    """The other variables that the pointer is assigned from or to."""
    made = _assignments(context)

    def beside(name: str) -> Iterator[str]:
        for left, right in made:
            if name in right:
                yield left
            if name == left:
                yield from right

    return frozenset(closure([pointer], beside)) - {pointer}


def elsewhere(
    pointer: Expr,
    start: BasicBlock,
    allowed: Sequence[tuple[int, int]],
    context: Context,
) -> int | None:
    """The place where code after a block passes on a pointer, or the one it is a copy of.

    That is an argument of a call, a value stored in memory or a return value, outside of the ranges ``allowed``.
    """
    keys = _copies(pointer, context)
    objects = {key.partition("->")[0] for key in keys if "->" in key}
    for block in reachable(edge.target for edge in start.edges):
        if block.asm & keys:
            return block.at
        for given, whole in _passed_on(block):
            for part in walk(given):
                if any(low <= part.start and part.end <= high for low, high in allowed):
                    continue
                key = context.key(part)
                object_ = whole and part is given and key in objects
                if isinstance(part, (Name, Member)) and (key in keys or object_):
                    return part.start
    return None


def _passed_on(block: BasicBlock) -> Iterator[tuple[Expr, bool]]:
    """The expressions that a block gives to other code, and whether that is a call."""
    if block.expr is None:
        return
    if block.returns:
        yield block.expr, False
    for part in walk(block.expr):
        if isinstance(part, Call):
            for each in part.arguments:
                yield each, True
        elif isinstance(part, Binary) and part.operator == "=":
            if not isinstance(part.left, Name):
                yield part.right, False


def unchecked_caller(context: Context) -> int | None:
    """The place where a function of the file calls this one and accesses user memory without a check."""
    text, name = context.source.text, context.function.name
    own = range(context.function.start, context.body.end)
    for call in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        if call.start() in own:
            continue
        if _UNCHECKED.search(text, *span(text, call.start())):
            return call.start()
    return None


def _copies(pointer: Expr, context: Context) -> set[str]:
    """The expressions that hold the pointer: itself, and what it was assigned from or to."""
    key = context.key
    pairs = []
    for _, part in context.graph.expressions():
        if isinstance(part, Binary) and part.operator == "=":
            leaves = {key(e) for e in _leaves(part.right)}
            pairs.append((part.left, leaves))

    def beside(copy: str) -> Iterator[str]:
        for left, leaves in pairs:
            if copy in leaves:
                yield key(left)
            if left.name == copy:
                yield from leaves

    return set(closure([key(e) for e in _leaves(pointer)], beside))


def _leaves(expr: Expr) -> Iterator[Expr]:
    """The variables and members that a pointer is computed from."""
    if isinstance(expr, (Name, Member)):
        yield expr
    elif not isinstance(expr, Call):
        for child in expr.children():
            yield from _leaves(child)
    elif expr.callee in _CONVERSIONS:
        for child in expr.arguments:
            yield from _leaves(child)
