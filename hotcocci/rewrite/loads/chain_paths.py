# SPDX-License-Identifier: GPL-2.0
"""The dependent loads of an expression, each with the structure it reads.

``a->b.c->d`` is two loads: ``a->b.c``, then ``d`` through it. ``current`` is one, as on
x86-64 (counted as one in Torvalds, 'acl_permission_check: disgusting performance',
2011-05-12), and so is the base of a per-cpu variable. Macros and functions that are one
expression are expanded; if configurations differ, the body with most loads counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Member,
    Name,
    SizeOf,
    Unary,
    walk,
)
from hotcocci.c.flow_builder import build_graph
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.chain_bodies import MOST_DEPTH, Body, applied, bodies
from hotcocci.rewrite.loads.chain_text import text_of
from hotcocci.c.types import Type, is_record, member, parsed, pointed

CURRENT = "current"
# Only the task itself changes these: a call between two loads does not.
CREDENTIALS = frozenset({"current->cred", "current->real_cred"})
_TASK = Type("struct task_struct", 1)
# Loads that must stay as written: each is performed, and none may be merged.
ONCE = frozenset(
    "READ_ONCE __READ_ONCE READ_ONCE_NOCHECK data_race ACCESS_ONCE rcu_dereference rcu_dereference_bh"
    " rcu_dereference_sched rcu_dereference_check rcu_dereference_raw rcu_dereference_raw_check"
    " rcu_access_pointer rtnl_dereference lockless_dereference srcu_dereference"
    " rcu_dereference_bh_check rcu_dereference_sched_check".split()
)
# Plain loads (include/linux/rcupdate.h).
_PLAIN = frozenset(
    "rcu_dereference_protected likely unlikely unrcu_pointer __builtin_expect".split()
)
_ACQUIRE = frozenset({"smp_load_acquire"})
_CPU_READ = frozenset("this_cpu_read __this_cpu_read raw_cpu_read".split())
_CPU_POINTER = frozenset("this_cpu_ptr raw_cpu_ptr per_cpu_ptr get_cpu_ptr".split())


@dataclass(frozen=True)
class Load:
    """One load: ``key`` spells the object read, ``owner`` is the structure it is read from.

    ``start`` and ``end`` are its range in the function; a load inside an expanded macro
    or function has the offset of its call and is not ``written``. ``once`` loads may
    not be merged. ``type`` is that of the value, None if unknown.
    """

    key: str
    owner: str
    field: str
    start: int
    end: int
    written: bool
    once: bool = False
    type: Type | None = None


@dataclass(frozen=True)
class Chain:
    """Loads that each depend on the one before; ``root`` is the base of the first."""

    root: str
    loads: tuple[Load, ...]
    start: int
    end: int


@dataclass(frozen=True)
class _Object:
    """An object: its spelling, the loads for its address, and its type.

    The value of a ``is_value`` object needs no load, like that of a local.
    """

    key: str
    root: str
    loads: tuple[Load, ...]
    type: Type | None
    is_value: bool
    owner: str = ""
    field: str = ""
    once: bool = False


@dataclass(frozen=True)
class Reader:
    """Reads the expressions of one function; ``types`` are those of its variables.

    ``accessors`` are functions of other files whose bodies are known, by name.
    """

    root: Path
    file: str
    types: Mapping[str, str]
    accessors: Mapping[str, Body] = field(default_factory=dict)

    def chains(self, expr: Expr) -> list[Chain]:
        """Every maximal chain of an expression, in source order."""
        return sorted(self._visit(expr, None, 0), key=lambda c: (c.start, -c.end))

    def _visit(self, expr: Expr, at: Expr | None, depth: int) -> Iterator[Chain]:
        """``at`` is the call whose expansion contains the expression, None if it is in the source."""
        if isinstance(expr, SizeOf):
            return
        if isinstance(expr, Binary) and expr.operator == "=":
            yield from self._address(expr.left, at, depth)
            yield from self._visit(expr.right, at, depth)
            return
        if isinstance(expr, Unary) and expr.operator == "&":
            yield from self._address(expr.operand, at, depth)
            return
        if isinstance(expr, (Member, Index, Call, Name)) or _dereferences(expr):
            place = self._place(expr, at, depth)
            if place is not None:
                loads = self._value(place, expr, at)
                if loads:
                    where = at or expr
                    yield Chain(place.root, loads, where.start, where.end)
                yield from self._operands(expr, at, depth)
                return
        if isinstance(expr, Call):
            inner = self._expanded_chains(expr, at, depth)
            if inner is not None:
                yield from inner
                return
        children = expr.children()
        if isinstance(expr, Conditional) and expr.then is expr.condition:
            children = (expr.condition, expr.other)
        if isinstance(expr, Call) and isinstance(expr.function, Name):
            children = expr.arguments
        for child in children:
            yield from self._visit(child, at, depth)

    def object(self, expr: Expr) -> Load | None:
        """The object an expression names, as a load of it; None for a variable or if it is not a chain."""
        place = self._place(expr, None, 0)
        return _load(place, expr, None) if place and not place.is_value else None

    def _address(self, expr: Expr, at: Expr | None, depth: int) -> Iterator[Chain]:
        """The loads for the address of an object that is not read itself."""
        place = self._place(expr, at, depth)
        if place is not None and place.loads:
            where = at or expr
            yield Chain(place.root, place.loads, where.start, where.end)
        yield from self._operands(expr, at, depth)

    def _operands(self, expr: Expr, at: Expr | None, depth: int) -> Iterator[Chain]:
        """The indexes along a chain, and the arguments of an unknown call at its root."""
        while True:
            if isinstance(expr, Index):
                yield from self._visit(expr.index, at, depth)
                expr = expr.object
            elif isinstance(expr, Member):
                expr = expr.object
            elif isinstance(expr, (Unary, Cast)):
                expr = expr.operand
            elif isinstance(expr, Call):
                if not self._known(expr):
                    for argument in expr.arguments:
                        yield from self._visit(argument, at, depth)
                return
            else:
                if not isinstance(expr, Name):
                    yield from self._visit(expr, at, depth)
                return

    def _known(self, call: Call) -> bool:
        name = text_of(call.function)
        special = ONCE | _PLAIN | _ACQUIRE | _CPU_READ | _CPU_POINTER
        return name in special or bool(self._bodies(name))

    def _bodies(self, name: str) -> tuple[Body, ...]:
        found = bodies(self.root, self.file, name)
        return found or tuple(b for n, b in self.accessors.items() if n == name)

    def _expanded_chains(
        self, call: Call, at: Expr | None, depth: int
    ) -> list[Chain] | None:
        """The chains in the body of a called function; None if the body is unknown."""
        if depth >= MOST_DEPTH or not isinstance(call.function, Name):
            return None
        best: list[Chain] | None = None
        for body in self._bodies(call.function.text):
            inside = applied(body, call)
            if inside is None or _calls(inside, call.function.text):
                continue
            found = list(self._visit(inside, at or call, depth + 1))
            if best is None or _total(found) > _total(best):
                best = found
        return best

    def _value(self, place: _Object, expr: Expr, at: Expr | None) -> tuple[Load, ...]:
        """The loads for a value: those of its address and its own."""
        if place.is_value or place.type is None or place.type.bounds:
            return place.loads
        if is_record(self.root, self.file, place.type) is not False:
            return place.loads
        return (*place.loads, _load(place, expr, at))

    def _dereferenced(self, expr: Expr, at: Expr | None, depth: int) -> _Object | None:
        """The object that a pointer points to."""
        if isinstance(expr, Unary) and expr.operator == "&":
            return self._place(expr.operand, at, depth)
        place = self._place(expr, at, depth)
        if place is None:
            return None
        target = pointed(place.type) if place.type else None
        if place.is_value or (place.type and place.type.bounds):
            return replace(place, type=target, is_value=False)
        return replace(
            place,
            loads=(*place.loads, _load(place, expr, at)),
            type=target,
            once=False,
        )

    def _place(self, expr: Expr, at: Expr | None, depth: int) -> _Object | None:
        """The object that an expression names; None if it is not a chain."""
        if isinstance(expr, Name):
            return self._named(expr, at)
        if isinstance(expr, Member):
            if expr.operator == "->":
                owner = self._dereferenced(expr.object, at, depth)
            else:
                owner = self._place(expr.object, at, depth)
            if owner is None:
                return None
            type_ = None
            if owner.type is not None:
                type_ = member(self.root, self.file, owner.type, expr.field)
            name = owner.type.name if owner.type is not None else ""
            if name == "void":
                # A function whose return type differs from that of its expression
                name = ""
            return replace(
                owner,
                key=f"{owner.key}{expr.operator}{expr.field}",
                type=type_,
                owner=name or owner.owner if expr.operator == "." else name,
                field=expr.field,
            )
        if isinstance(expr, Index):
            place = self._place(expr.object, at, depth)
            if place is None:
                return None
            if place.type is not None and place.type.pointer:
                place = self._dereferenced(expr.object, at, depth)
                assert place is not None, "it was found above"
            elif place.type is not None:
                place = replace(place, type=pointed(place.type))
            return replace(place, key=f"{place.key}[{text_of(expr.index)}]")
        if _dereferences(expr):
            assert isinstance(expr, Unary), "a dereference has one operand"
            place = self._dereferenced(expr.operand, at, depth)
            return replace(place, key=f"*{place.key}") if place else None
        if isinstance(expr, Cast):
            place = self._place(expr.operand, at, depth)
            if place is None or not expr.type.endswith("*"):
                return None
            loads = self._value(place, expr.operand, at)
            key = f"(({expr.type}){place.key})"
            return replace(
                place, key=key, loads=loads, type=parsed(expr.type), is_value=True
            )
        if isinstance(expr, Call) and isinstance(expr.function, Name):
            return self._called(expr, expr.function.text, at, depth)
        return None

    def _named(self, expr: Name, at: Expr | None) -> _Object | None:
        if expr.text == CURRENT and CURRENT not in self.types:
            where = at or expr
            load = Load(CURRENT, "", CURRENT, where.start, where.end, at is None)
            return _Object(CURRENT, CURRENT, (load,), _TASK, is_value=True)
        known = self.types.get(expr.text)
        type_ = parsed(known) if known else None
        return _Object(expr.text, expr.text, (), type_, is_value=True)

    def _called(
        self, call: Call, name: str, at: Expr | None, depth: int
    ) -> _Object | None:
        if name in ONCE | _PLAIN and call.arguments:
            place = self._place(call.arguments[0], at, depth)
            return replace(place, once=name in ONCE) if place else None
        if name in _ACQUIRE and len(call.arguments) == 1:
            place = self._dereferenced(call.arguments[0], at, depth)
            return replace(place, once=True) if place else None
        if name in _CPU_READ | _CPU_POINTER and call.arguments:
            return self._per_cpu(call, name, at, depth)
        return self._expanded(call, name, at, depth)

    def _per_cpu(
        self, call: Call, name: str, at: Expr | None, depth: int
    ) -> _Object | None:
        where = at or call
        inner = call.arguments[0]
        place: _Object | None
        if name in _CPU_READ:
            place = self._place(inner, at, depth)
            target = place.type if place else None
        else:
            place = self._dereferenced(inner, at, depth)
            target = (
                replace(place.type, stars=place.type.stars + 1)
                if place and place.type
                else None
            )
        loads = place.loads if place else ()
        key = text_of(call)
        load = Load(key, "", "", where.start, where.end, at is None, once=True)
        return _Object(key, key, (*loads, load), target, is_value=True)

    def _expanded(
        self, call: Call, name: str, at: Expr | None, depth: int
    ) -> _Object | None:
        """The object that a macro or a single-expression function names; otherwise a root of its own."""
        best: _Object | None = None
        for body in self._bodies(name) if depth < MOST_DEPTH else ():
            inside = applied(body, call)
            if inside is None or _calls(inside, name):
                continue
            place = self._place(inside, at or call, depth + 1)
            if place is not None and (best is None or _has_more_loads(place, best)):
                best = place
        return best


def _has_more_loads(one: _Object, other: _Object) -> bool:
    """Whether one object needs more loads than another, its own included."""
    return len(one.loads) + (not one.is_value) > len(other.loads) + (not other.is_value)


def _total(chains: list[Chain]) -> int:
    return sum(len(chain.loads) for chain in chains)


def _calls(expr: Expr, name: str) -> bool:
    return any(isinstance(e, Name) and e.text == name for e in walk(expr))


def _dereferences(expr: Expr) -> bool:
    return isinstance(expr, Unary) and expr.operator == "*"


def _load(place: _Object, expr: Expr, at: Expr | None) -> Load:
    where = at or expr
    return Load(
        place.key,
        place.owner,
        place.field,
        where.start,
        where.end,
        at is None,
        place.once,
        place.type,
    )


def chains_of(context: Context, reader: Reader) -> list[Chain]:
    """The chains of a function in source order, without duplicates at one offset."""
    exprs = (block.expr for block in build_graph(context.function).blocks)
    found = (c for expr in exprs if expr is not None for c in reader.chains(expr))
    return sorted(dict.fromkeys(found), key=lambda c: (c.start, -c.end))
