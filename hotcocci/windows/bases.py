# SPDX-License-Identifier: GPL-2.0
"""Find accesses through a pointer that the window did not mask (UW14) or check (UW22)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Member,
    Name,
    Unary,
    canonical,
    names,
    root,
    walk,
)
from hotcocci.c.flow import Graph
from hotcocci.windows.effects import accessed_parameters
from hotcocci.windows.events import BEGINS, SCOPES, accessor_of, argument
from hotcocci.windows.origins import (
    ANY_MASK,
    COMPUTED,
    CONVERSIONS,
    PART,
    SAME,
    UNKNOWN,
    Node,
    Origins,
    Sources,
)
from hotcocci.windows.outcome import Outcome, Violation

_LIMITS = ("task_size", "tasksize", "user_ptr_max", "user_limit")
_CHECKS = frozenset({"access_ok", "__access_ok"})
_MEMBER = re.compile(r"(?:->|\.)\w+$")
# What makes a pointer of a number
_NUMBER = r"(?:u64_to_user_ptr\(|compat_ptr\(|\((?:unsigned long|uintptr_t)\)\(?)"
_ELEMENT = re.compile(r"\[([^\]]*)\]")
_OFFSET = re.compile(r"[+-]?\d+$")
# Why a range was not checked
_SET_AGAIN = "it was set again after the begin"
_OTHER = "the window was opened for another pointer"


@dataclass(frozen=True)
class _Use:
    """User memory accessed through one of these ``pointers`` at a call, in the window of ``opener``.

    ``begin`` is the offset of the window. The ``pointers`` of a ``helper`` are arguments, which need
    not be user pointers.
    """

    at: int
    begin: int
    opener: Call
    pointers: tuple[Expr, ...]
    helper: bool = False


@dataclass(frozen=True)
class _Function:
    """What is known of a function: where its pointers come from, and which are checked anywhere in it.

    ``checked`` are those in access_ok(), ``covered`` also those that one window covers, ``limited`` the names
    that are compared with a limit, ``masking`` the helpers that mask.
    """

    graph: Graph
    origins: Origins
    masking: frozenset[str]
    checked: set[Node]
    limited: set[str]
    covered: set[Node] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The text of its file."""
        return self.graph.function.source.text

    def of(self, expr: Expr) -> str:
        """An expression without white space."""
        return canonical(self.text[expr.start : expr.end])


def violations(
    graph: Graph, outcome: Outcome, root_: Path, file: str
) -> Iterator[Violation]:
    """Accesses through a pointer that its window did not mask, and no check covers."""
    uses = list(_uses(graph, outcome, root_, file))
    if not uses:
        return
    masking = frozenset(outcome.masking)
    origins = Origins(graph, masking)
    own = _Function(graph, origins, masking, _checked(graph, origins), _compared(graph))
    openers = dict(_openers(graph)) | {use.begin: use.opener for use in uses}
    begun = {at: _begun(at, opener, origins) for at, opener in openers.items()}
    # A mask checks what the begin or the scope makes of the pointer, and nothing outside.
    anywhere = set[Node]().union(
        *(
            {Node("masked", "", at)} if _masks(openers[at], masking) else found
            for at, found in begun.items()
        )
    )
    for use in uses:
        sources = [origins.of(pointer, use.at) for pointer in use.pointers]
        if any(UNKNOWN in found for found in sources):
            continue
        said = _unmasked(use, sources, own)
        if said is not None:
            yield Violation("UW14", use.at, said, use.begin)
            continue
        here = replace(own, covered=anywhere | begun[use.begin] | own.checked)
        user = not use.helper or root(use.pointers[0]).name in origins.user
        if UNKNOWN not in here.covered and len(use.pointers) == 1 and user:
            missed = _missed(use, sources[0], here)
            if missed is not None:
                said = "the range of {} was not checked: {}".format(*missed)
                yield Violation("UW22", use.at, said, use.begin)


def _uses(graph: Graph, outcome: Outcome, root_: Path, file: str) -> Iterator[_Use]:
    """The accesses in the function's own windows, and the helpers that make some there."""
    calls = {part.start: part for part in graph.calls()}
    openers = {at: call for at, call in calls.items()}
    openers |= {scope.statement.start: scope.call for scope in graph.scopes}
    for at, begin in sorted(outcome.accesses):
        call = calls.get(at)
        if call is None or begin not in openers:
            continue
        accessor = accessor_of(call)
        if accessor is None:
            yield _Use(at, begin, openers[begin], call.arguments, helper=True)
            continue
        pointer = argument(call, accessor.pointer)
        if pointer is not None:
            yield _Use(at, begin, openers[begin], (pointer,))
    own = range(graph.function.start, graph.function.body.end)
    for made in sorted(outcome.open_calls, key=lambda c: (c.at, c.begin, c.name)):
        call = calls.get(made.at)
        if call is None or made.begin not in openers or made.begin not in own:
            continue
        if not call.callee or call.callee != made.name:
            continue
        for place in sorted(accessed_parameters(root_, file, made.name)):
            pointer = argument(call, place)
            if pointer is not None:
                yield _Use(
                    made.at, made.begin, openers[made.begin], (pointer,), helper=True
                )


def _unmasked(use: _Use, sources: list[Sources], own: _Function) -> str | None:
    """The message if a masked window is used through the pointer as it was before."""
    opener = use.opener
    declared = argument(opener, 0)
    if opener.callee in SCOPES and not isinstance(declared, Name):
        return None  # UW13
    if declared is None or not _masks(opener, own.masking):
        return None
    if any(_is_masked(found, use.begin) for found in sources):
        return None
    before = own.origins.of(declared, opener.start)
    # What was masked, or differs from it by the place of a member only
    near = {node for node, how in before.items() if how <= PART} - own.checked
    for pointer, found in zip(use.pointers, sources, strict=True):
        if any(how <= COMPUTED and node in near for node, how in found.items()):
            return _told(pointer, found, declared, before, opener.callee)
    return None


def _masks(opener: Call, masking: frozenset[str]) -> bool:
    """Whether a begin, a scope or a helper masks its pointer, on some architectures at least."""
    name = opener.callee
    return name in masking or name in SCOPES or (name in BEGINS and BEGINS[name].masked)


def _is_masked(sources: Sources, begin: int) -> bool:
    return any(
        node.kind == "masked" and (node == ANY_MASK or node.at == begin)
        for node in sources
    )


def _told(
    pointer: Expr, found: Sources, declared: Expr, before: Sources, opener: str
) -> str:
    base = root(pointer)
    name = base.text if isinstance(base, Name) else "this pointer"
    if opener not in SCOPES:
        return f"{name} is not masked: only the result of {opener}() is checked"
    outer = declared.text if isinstance(declared, Name) else "pointer"
    own = {node for node, how in before.items() if how == SAME and node.name == outer}
    if name != outer and own & found.keys():
        return (
            f"{name} was derived from {outer} outside the scope: only the scope's own "
            f"{outer} is checked"
        )
    return f"{name} is not masked: only the scope's own {outer} is checked"


_Missed = tuple[str, str] | None
"""What is accessed though its range was not checked, and why; None if that is not so."""


def _missed(use: _Use, found: Sources, own: _Function) -> _Missed:
    missed = _unchecked(use, found, own) or _other_member(use, found, own)
    missed = missed or _replaced(use, own)
    if missed is None and not own.checked & found.keys():
        missed = _past_one(use, own) or _index_set(use, own)
    return missed


def _unchecked(use: _Use, found: Sources, own: _Function) -> _Missed:
    """A pointer that no check in the function covers."""
    (pointer,) = use.pointers
    base = root(pointer)
    while isinstance(base, Call) and base.callee in CONVERSIONS and base.arguments:
        base = root(base.arguments[0])
    if not isinstance(base, Name) or own.limited & {node.name for node in found}:
        return None
    other = _other_element(use, found, own)
    if other is not None:
        return other, "the window was opened for another element"
    if _stored(pointer) or own.covered & found.keys():
        return None
    if any(node.kind == "object" for node in found):
        return None
    opened = argument(use.opener, 0)
    again = opened is not None and base.text in names(opened)
    return base.text, _SET_AGAIN if again else _OTHER


def _replaced(use: _Use, own: _Function) -> _Missed:
    """A pointer that an assignment after the begin, on some paths to the access, made an unchecked one."""
    base = root(use.pointers[0])
    if not isinstance(base, Name) or _stored(use.pointers[0]):
        return None
    for place, found in own.origins.assigned(base.text, use.at):
        # Without a source it is NULL, or what a macro made it.
        if (
            place > use.begin
            and (len(found) > 1 or place in own.origins.fetched)
            and not own.covered & found.keys()
            and not own.limited & {node.name for node in found}
            and not any(
                n.kind in ("object", "unknown") or n.name == "NULL" for n in found
            )
        ):
            return base.text, "it may have been set again after the begin"
    return None


def _past_one(use: _Use, own: _Function) -> _Missed:
    """Another object at p than the one, ``sizeof(*p)``, that the window is for."""
    opener, pointer = use.opener, use.pointers[0]
    name = opener.callee
    if name not in BEGINS or BEGINS[name].masked or len(opener.arguments) < 2:
        return None
    base, size = opener.arguments[-2:]
    function, one = own.graph.function, own.of(size)
    array, number = _element(base, own)
    if array and one in (f"sizeof(*{array})", f"sizeof({array}[{number}])"):
        for other, index in (_element(part, own) for part in walk(pointer)):
            if other == array and _differ(index, number, use, own.origins):
                why = f"the window was opened for {array}[{number}]"
                return f"{array}[{index}]", why
    if not isinstance(base, Name) or use.helper or one != f"sizeof(*{base.text})":
        return None
    # Not constants, which may be 0
    variables = {*re.findall(r"\w+", own.text[function.start : function.body.start])}
    variables |= own.origins.variables
    if any(
        isinstance(part, Index)
        and part.object.name == base.text
        and part.index.name in variables
        for part in walk(pointer)
    ):
        return f"another {base.text}[]", "the window was opened for one element"
    if root(pointer).name == base.text:
        moves = own.origins.moved(base.text, use.at)
        if any(not use.at <= place < pointer.end for place in moves):
            return base.text, "it moved after the begin"
    return None


def _element(expr: Expr, own: _Function) -> tuple[str, str]:
    """The array and the index in ``&p[i]`` and ``p + i``; empty for anything else."""
    inner = expr.operand if isinstance(expr, Unary) else expr
    if isinstance(inner, Index):
        array, index = inner.object, inner.index
    elif isinstance(inner, Binary) and inner.operator == "+":
        array, index = inner.left, inner.right
    else:
        return "", ""
    return array.name, own.of(index)


def _index_set(use: _Use, own: _Function) -> _Missed:
    """An element whose index was set since the begin, which checked its range."""
    opened = {
        own.of(part)
        for argument in use.opener.arguments
        for part in walk(argument)
        if isinstance(part, Index)
    }
    for part in walk(use.pointers[0]):
        if isinstance(part, Index) and own.of(part) in opened:
            for name in sorted(names(part.index)):
                places = {place for place, _ in own.origins.assigned(name, use.at)}
                if any(use.begin < place < use.at for place in places):
                    return "this element", f"{name} was set after the begin"
    return None


def _other_element(use: _Use, found: Sources, own: _Function) -> str | None:
    """The pointer in a table that is used, if only the one in another element was checked."""
    load = _load(found, own)
    if load is None or not _ELEMENT.search(load.name):
        return None
    alike = _ELEMENT.sub("[]", load.name)
    indices = _ELEMENT.findall(load.name)
    for other in (n.name for n in own.covered if n.kind == "load"):
        if _ELEMENT.sub("[]", other) == alike:
            pairs = zip(indices, _ELEMENT.findall(other), strict=True)
            if any(_differ(*pair, use, own.origins) for pair in pairs):
                return load.name
    return None


def _differ(one: str, other: str, use: _Use, origins: Origins) -> bool:
    """Whether two indices differ: numbers, one variable with two numbers added, or two that nothing sets."""
    if one == other:
        return False
    variables = {_OFFSET.sub("", one), _OFFSET.sub("", other)}
    if len(variables) == 1:
        (variable,) = variables
        return not variable or (
            variable.isidentifier() and not origins.moved(variable, use.at)
        )
    return not variables & origins.variables and all(
        name.isidentifier() for name in (one, other)
    )


def _other_member(use: _Use, found: Sources, own: _Function) -> _Missed:
    """A member that is a pointer, or one as a number, where only another one was checked."""
    load = _load(found, own)
    if load is None:
        return None
    name, function = load.name, own.graph.function
    text = canonical(own.text[function.start : function.body.end])
    number = re.search(_NUMBER + re.escape(name) + r"(?!\w)", text)
    if number is None and found[load] > PART:
        return None
    others = {n.name for n in own.covered if n.kind == "load"}
    if _MEMBER.sub("", name) not in {_MEMBER.sub("", other) for other in others}:
        return None
    if name not in others:
        return name, _OTHER
    again = (at for text, at in own.origins.stores if text == name)
    return (name, _SET_AGAIN) if any(use.begin < at < use.at for at in again) else None


def _load(found: Sources, own: _Function) -> Node | None:
    """The only value in memory that a pointer comes from, if no check covers it."""
    loads = [n for n, how in found.items() if n.kind == "load" and how <= COMPUTED]
    return loads[0] if len(loads) == 1 and loads[0] not in own.covered else None


def _openers(graph: Graph) -> Iterator[tuple[int, Call]]:
    """All begins and scopes of a function, with the offsets of their windows."""
    for call in graph.calls():
        if call.callee in BEGINS:
            yield call.start, call
    for scope in graph.scopes:
        if scope.name in SCOPES:
            yield scope.statement.start, scope.call


def _begun(at: int, opener: Call, origins: Origins) -> set[Node]:
    """The values whose range a begin, a scope or a helper that opens a window has checked."""
    name = opener.callee
    arguments = opener.arguments
    if name in BEGINS:
        # Before 5.0 the direction came first (96d4f267e40f).
        arguments = arguments[-2:][:1]
    elif name in SCOPES:
        arguments = arguments[:1]
    found = {n for a in arguments for n in origins.of(a, opener.start)}
    return found | {Node("masked", "", at)}


def _checked(graph: Graph, origins: Origins) -> set[Node]:
    """The values whose range access_ok() has checked anywhere in the function."""
    found: set[Node] = set()
    for call in graph.calls():
        # Until 5.0 a type came first.
        pointers = call.arguments[-2:][:1]
        if call.callee in _CHECKS:
            found |= {n for p in pointers for n in origins.of(p, call.start)}
    return found


def _stored(pointer: Expr) -> bool:
    """Whether the user pointer is itself a field: the code that stored it may have checked it.

    True for ``&t->rseq.usrptr->ip``, false for ``&u->ip``.
    """
    arrows = sum(
        (isinstance(part, Member) and part.operator == "->")
        or (isinstance(part, Unary) and part.operator == "*")
        for part in walk(pointer)
    )
    indirect = any(
        isinstance(part, Index) and isinstance(part.object, Member)
        for part in walk(pointer)
    )
    outer = pointer
    while isinstance(outer, (Cast, Binary)):
        outer = outer.operand if isinstance(outer, Cast) else outer.left
    return arrows > 1 or indirect or isinstance(outer, Member)


def _compared(graph: Graph) -> set[str]:
    """Names compared with an address limit such as TASK_SIZE anywhere in the function."""
    found: set[str] = set()
    for _, part in graph.expressions():
        if isinstance(part, Binary) and part.operator in ("<", ">", "<=", ">="):
            limits = {n.lower() for n in names(part.right)}
            if any(word in limit for limit in limits for word in _LIMITS):
                found |= names(part.left)
    return found
