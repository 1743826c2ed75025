# SPDX-License-Identifier: GPL-2.0
"""Find accesses through a pointer that the window did not mask (UW14) or check (UW22)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeGuard

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
    uncast,
    walk,
)
from hotcocci.c.flow import Graph
from hotcocci.windows.effects import accessed_parameters, replaced_parameters
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
_AGAIN = "it was set again after the begin"
_ANOTHER = "the window was opened for another pointer"
# What makes a pointer of a number
_NUMBER = r"(?:u64_to_user_ptr\(|compat_ptr\(|\((?:unsigned long|uintptr_t)\)\(?)"
# The structure that has a pointer, and the indices of elements
_PLACE = re.compile(r"^\w+(?=->|\.)|(?<=\[)[^\]]*")
_OFFSET = re.compile(r"[+-]?\d+$")


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


def violations(
    graph: Graph, outcome: Outcome, root_: Path, file: str
) -> Iterator[Violation]:
    """Accesses through a pointer that its window did not mask, and no check covers."""
    uses = list(_uses(graph, outcome, root_, file))
    if not uses:
        return
    masking = frozenset(outcome.masking)
    replaced = partial(replaced_parameters, root_, file)
    origins = Origins(graph, masking, replaced)
    checked = _checked(graph, origins)
    limited, equal = _compared(graph)
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
        said = _unmasked(use, sources, origins, checked, masking)
        covered = anywhere | begun[use.begin] | checked
        unclear = UNKNOWN in covered or _may_be_equal(sources[0], covered, equal)
        if said is None and not unclear and _is_pointer(use, origins):
            other = (
                _unchecked(use, sources[0], origins, covered, limited, equal)
                or _other_member(use, sources[0], covered, graph, origins)
                or _replaced(use, origins, covered, limited)
            )
            if other is None and not checked & sources[0].keys():
                other = _past_one(use, origins, graph, equal) or _index_set(
                    use, origins, graph
                )
            if other is not None:
                what, why = other
                said = "UW22", f"the range of {what} was not checked: {why}"
        if said is not None:
            rule, message = said
            yield Violation(rule, use.at, message, use.begin)


def _is_pointer(use: _Use, origins: Origins) -> bool:
    base = root(use.pointers[0])
    return len(use.pointers) == 1 and (not use.helper or base.name in origins.user)


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


def _unmasked(
    use: _Use,
    sources: list[Sources],
    origins: Origins,
    checked: set[Node],
    masking: frozenset[str],
) -> tuple[str, str] | None:
    """The violation if a masked window is used through the pointer as it was before."""
    opener = use.opener
    name = opener.callee
    scoped = name in SCOPES
    # A helper may be given the address of the pointer.
    given = [a.operand for a in opener.arguments if name in masking and _is_address(a)]
    declared = given[0] if given else argument(opener, 0)
    if scoped and not isinstance(declared, Name):
        return None  # UW13
    if declared is None or not _masks(opener, masking):
        return None
    if any(_is_masked(found, use.begin) for found in sources):
        return None
    before = origins.of(declared, opener.start)
    # What was masked, or differs from it by the place of a member only
    near = {node for node, how in before.items() if how <= PART} - checked
    for pointer, found in zip(use.pointers, sources, strict=True):
        if any(how <= COMPUTED and node in near for node, how in found.items()):
            return "UW14", _told(pointer, found, declared, before, name, scoped)
    return None


def _is_address(expr: Expr) -> TypeGuard[Unary]:
    return isinstance(expr, Unary) and expr.operator == "&"


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
    pointer: Expr,
    found: Sources,
    declared: Expr,
    before: Sources,
    opener: str,
    scoped: bool,
) -> str:
    base = root(pointer)
    name = base.text if isinstance(base, Name) else "this pointer"
    if not scoped:
        return f"{name} is not masked: only the result of {opener}() is checked"
    outer = declared.text if isinstance(declared, Name) else "pointer"
    own = {node for node, how in before.items() if how == SAME and node.name == outer}
    if name != outer and own & found.keys():
        return (
            f"{name} was derived from {outer} outside the scope: only the scope's own "
            f"{outer} is checked"
        )
    return f"{name} is not masked: only the scope's own {outer} is checked"


def _unchecked(
    use: _Use,
    found: Sources,
    origins: Origins,
    covered: set[Node],
    limited: set[str],
    equal: set[frozenset[str]],
) -> tuple[str, str] | None:
    """The pointer that no check in the function covers, and why; None if one does, as for what follows."""
    (pointer,) = use.pointers
    base = root(pointer)
    while isinstance(base, Call) and base.callee in CONVERSIONS and base.arguments:
        base = root(base.arguments[0])
    if not isinstance(base, Name) or limited & {node.name for node in found}:
        return None
    other = _other_element(use, found, covered, origins, equal)
    if other is not None:
        return other
    if _stored(pointer) or covered & found.keys():
        return None
    if any(_is_other_object(node, base.text) for node in found):
        return None
    opened = argument(use.opener, 0)
    again = opened is not None and base.text in names(opened)
    return base.text, _AGAIN if again else _ANOTHER


def _replaced(
    use: _Use, origins: Origins, covered: set[Node], limited: set[str]
) -> tuple[str, str] | None:
    """The pointer that an assignment after the begin, on some paths to the access, has changed."""
    base = root(use.pointers[0])
    if not isinstance(base, Name) or _stored(use.pointers[0]):
        return None
    for place, found in origins.assigned(base.text, use.at):
        # Without a source it is NULL, or what a macro made it.
        if (
            place > use.begin
            and (len(found) > 1 or place in origins.fetched)
            and not covered & found.keys()
            and not limited & {node.name for node in found}
            and not any(
                n.kind == "unknown"
                or n.name == "NULL"
                or _is_other_object(n, base.text)
                for n in found
            )
        ):
            return base.text, "it may have been set again after the begin"
    return None


def _is_other_object(node: Node, pointer: str) -> bool:
    """Whether a value is the address of an object other than the pointer itself, which a callee was given to set it."""
    return node.kind == "object" and node.name != pointer


def _past_one(
    use: _Use, origins: Origins, graph: Graph, equal: set[frozenset[str]]
) -> tuple[str, str] | None:
    """The object accessed if the window is for one object, ``sizeof(*p)``, and the access is to another at p."""
    opener, pointer = use.opener, use.pointers[0]
    name = opener.callee
    if name not in BEGINS or BEGINS[name].masked or len(opener.arguments) < 2:
        return None
    base, size = opener.arguments[-2:]
    function, text = graph.function, graph.function.source.text
    one = canonical(text[size.start : size.end])
    array, number = _element(base, text)
    if array and one in _sizes(base, array, number, text):
        for other, index in (_element(part, text) for part in walk(pointer)):
            if other == array and _differ(index, number, use, origins, equal):
                opened = f"the window was opened for {array}[{number}]"
                return f"{array}[{index}]", opened
    if not isinstance(base, Name) or use.helper or one != f"sizeof(*{base.text})":
        return None
    # Not constants, which may be 0
    variables = {*re.findall(r"\w+", text[function.start : function.body.start])}
    variables |= origins.variables
    if any(
        isinstance(part, Index)
        and part.object.name == base.text
        and part.index.name in variables
        for part in walk(pointer)
    ):
        return f"another {base.text}[]", "the window was opened for one element"
    inner = root(pointer)
    if inner.name == base.text:
        end = max(argument.end for argument in use.pointers)
        moves = origins.moved(base.text, use.at)
        if any(not use.at <= place < end for place in moves):
            return base.text, "it moved after the begin"
    return None


def _sizes(base: Expr, array: str, number: str, text: str) -> set[str]:
    """The ways to write the size of the element, or of its member, that a begin is for."""
    found = {f"sizeof(*{array})", f"sizeof({array}[{number}])"}
    if isinstance(base, Unary) and isinstance(base.operand, Member):
        place = canonical(text[base.operand.start : base.operand.end])
        member = place.removeprefix(f"{array}[{number}].")
        found |= {f"sizeof({place})", f"sizeof({array}->{member})"}
    return found


def _element(expr: Expr, text: str) -> tuple[str, str]:
    """The array and the index in ``&p[i]``, ``&p[i].m`` and ``p + i``; empty for anything else."""
    inner = expr.operand if isinstance(expr, Unary) else expr
    while isinstance(inner, Member) and inner.operator == ".":
        inner = inner.object
    if isinstance(inner, Index):
        array, index = inner.object, inner.index
    elif isinstance(inner, Binary) and inner.operator == "+":
        array, index = inner.left, inner.right
    else:
        return "", ""
    return array.name, canonical(text[index.start : index.end])


def _index_set(use: _Use, origins: Origins, graph: Graph) -> tuple[str, str] | None:
    """An element or member whose range was checked, if its index or structure was set since the begin."""
    text = graph.function.source.text

    def spelled(part: Expr) -> str:
        return canonical(text[part.start : part.end])

    elements = {
        spelled(part)
        for argument in use.opener.arguments
        for part in walk(argument)
        if isinstance(part, Index)
    }
    members = {
        spelled(base)
        for base in map(uncast, use.opener.arguments[-2:][:1])
        if isinstance(base, Member) or _is_load(base)
    }
    for part in walk(use.pointers[0]):
        if isinstance(part, Index) and spelled(part) in elements:
            what, deciding = "element", names(part.index)
        elif isinstance(part, Member) and spelled(part) in members:
            what, deciding = "member", frozenset({root(part).name})
        elif _is_load(part) and spelled(part) in members:
            what, deciding = "pointer", names(part)
        else:
            continue
        for name in sorted(deciding):
            # What a helper opens is not known where it is called.
            inside = use.opener.callee not in BEGINS
            places = origins.changed(name, use.at)
            if any(not inside or use.begin < place < use.at for place in places):
                return f"this {what}", f"{name} was set after the begin"
    return None


def _is_load(expr: Expr) -> bool:
    return isinstance(expr, Unary) and expr.operator == "*"


def _other_element(
    use: _Use,
    found: Sources,
    covered: set[Node],
    origins: Origins,
    equal: set[frozenset[str]],
) -> tuple[str, str] | None:
    """The pointer in a table or structure that is used, if only that of another one like it was checked."""
    loads = [n for n, how in found.items() if n.kind == "load" and how <= COMPUTED]
    if len(loads) != 1 or loads[0] in covered:
        return None
    name = loads[0].name
    for other in (n.name for n in covered if n.kind == "load"):
        opened = name, f"the window was opened for {other}"
        if _PLACE.sub("", other) == _PLACE.sub("", name):
            pairs = zip(_PLACE.findall(name), _PLACE.findall(other), strict=True)
            if any(_differ(*pair, use, origins, equal) for pair in pairs):
                return opened
        member = _MEMBER.search(other)
        # The same member of a structure that this one points to
        if member is not None and name.endswith(member[0]):
            if name.startswith(f"{other[: member.start()]}->") and name != other:
                return opened
    return None


def _differ(
    one: str, other: str, use: _Use, origins: Origins, equal: set[frozenset[str]]
) -> bool:
    """Whether two indices differ: numbers, one variable with two numbers added, or two that nothing sets."""
    if one == other:
        return False
    variables = {_OFFSET.sub("", one), _OFFSET.sub("", other)}
    numbers = [name.isdigit() for name in (one, other)]
    if any(numbers) and any(origins.moved(name, use.at) for name in (one, other)):
        # Of a loop's variable, only one value is this number.
        return frozenset((one, other)) not in equal
    if len(variables) == 1:
        (variable,) = variables
        return not variable or (
            variable.isidentifier() and not origins.moved(variable, use.at)
        )
    return not variables & origins.variables and all(
        name.isidentifier() for name in (one, other)
    )


def _other_member(
    use: _Use, found: Sources, covered: set[Node], graph: Graph, origins: Origins
) -> tuple[str, str] | None:
    """The member that is used, a pointer or one as a number, if only another one was checked."""
    loads = [n for n, how in found.items() if n.kind == "load" and how <= COMPUTED]
    if len(loads) != 1 or loads[0] in covered:
        return None
    name = loads[0].name
    function = graph.function
    text = function.source.text[function.start : function.body.end]
    number = re.search(_NUMBER + re.escape(name) + r"(?!\w)", canonical(text))
    if number is None and found[loads[0]] > PART:
        return None
    holder = _MEMBER.sub("", name)
    others = {n.name for n in covered if n.kind == "load"}
    if holder not in {_MEMBER.sub("", other) for other in others}:
        return None
    if name not in others:
        return name, _ANOTHER
    again = (at for text, at in origins.stores if text == name)
    return (name, _AGAIN) if any(use.begin < at < use.at for at in again) else None


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
        (isinstance(part, Member) and part.operator == "->") or _is_load(part)
        for part in walk(pointer)
    )
    indirect = any(
        isinstance(part, (Index, Member))
        and isinstance(part.object, Member)
        and not (isinstance(part, Member) and part.operator == ".")
        for part in walk(pointer)
    )
    outer = pointer
    while isinstance(outer, (Cast, Binary)):
        outer = outer.operand if isinstance(outer, Cast) else outer.left
    return arrows > 1 or indirect or isinstance(outer, Member)


def _compared(graph: Graph) -> tuple[set[str], set[frozenset[str]]]:
    """Names compared with an address limit such as TASK_SIZE, and pairs compared for equality, anywhere in the function."""
    limited: set[str] = set()
    equal: set[frozenset[str]] = set()
    text = graph.function.source.text
    for _, part in graph.expressions():
        if not isinstance(part, Binary):
            continue
        if part.operator in ("<", ">", "<=", ">="):
            limits = {n.lower() for n in names(part.right)}
            if any(word in limit for limit in limits for word in _LIMITS):
                limited |= names(part.left)
        elif part.operator in ("==", "!="):
            sides = (part.left, part.right)
            equal.add(frozenset(canonical(text[e.start : e.end]) for e in sides))
    # A test of x is one of x == 0.
    zeroes = (block.expr for block in graph.blocks if block.is_test)
    equal |= {frozenset((e.name, "0")) for e in zeroes if isinstance(e, Name)}
    return limited, {pair for pair in equal if "NULL" not in pair}


def _may_be_equal(
    found: Sources, covered: set[Node], equal: set[frozenset[str]]
) -> bool:
    """Whether what is used was compared with what was checked, or their structures were."""
    return any(
        frozenset(pair) in equal
        for used in found
        for other in covered
        for pair in zip(*(_and_holder(n.name) for n in (used, other)))
    )


def _and_holder(name: str) -> tuple[str, str]:
    return name, re.split(r"->|\.|\[", name)[0]
