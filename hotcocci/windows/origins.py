# SPDX-License-Identifier: GPL-2.0
"""Find out what the pointers of a function were computed from, following its control flow."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Member,
    Name,
    Opaque,
    Postfix,
    Unary,
    canonical,
    names,
    root,
)
from hotcocci.c.flow import BasicBlock, Graph, Scope
from hotcocci.windows.events import BEGINS, SCOPES, accessor_of

# How a value is related to one that it was computed from
SAME = 0  # a copy or a cast
PART = 1  # the address of a member or element
COMPUTED = 2  # arithmetic
TOUCHED = 3  # the result of a call that got it, or loaded through it

ENTRY = -1
_STEPS = ("++", "--", "+=", "-=")
# Before the name of a variable, in an environment: where it was moved, and where it was set, since a begin
_MOVES = "moves of "
_SETS = "sets of "
# They change the type or the upper bits of an address, and which bytes it names stays the same.
CONVERSIONS = frozenset(
    "compat_ptr ptr_to_compat u64_to_user_ptr untagged_addr ptr_to_u64 as_user_ptr READ_ONCE "
    "likely unlikely".split()
)
_ROUNDING = frozenset(
    "ALIGN ALIGN_DOWN PTR_ALIGN PTR_ALIGN_DOWN round_up round_down rounddown roundup".split()
)
# They store through their argument at this index what user memory has: a value of its own.
_FETCHES = {"get_user": 0, "__get_user": 0, "copy_from_user": 0, "__copy_from_user": 0}
_MASKS = "mask_user_address"
_USER = re.compile(r"__user\s*\*\s*(?:const\s+)?,?\s*(?:const\s+)?(\w+)\b(?!\s*\[)")


@dataclass(frozen=True)
class Node:
    """A value: a definition of a variable, ``ENTRY`` for that on entry, or another source.

    ``kind`` is "variable", "masked", "load", "call", "object" or "unknown"; ``name`` is the
    variable or the text, ``at`` the offset.
    """

    kind: str
    name: str
    at: int


UNKNOWN = Node("unknown", "", 0)
ANY_MASK = Node("masked", "", 0)

Environment = Mapping[str, frozenset[int]]
Sources = Mapping[Node, int]
"""The values that one was computed from, with the closest relation to each."""


@dataclass(frozen=True)
class _Definition:
    value: Expr | None
    env: Environment
    scopes: tuple[Scope, ...]


class Origins:
    """The sources of every value of a function.

    ``user`` are its variables declared __user, ``variables`` those that it sets, ``masking`` the helpers
    that return what they masked. ``replaced`` tells which arguments of a function it stores a value
    through, and none of what was there. ``stores`` are the targets of its assignments, with their offsets,
    ``fetched`` the offsets of the variables that values of user memory are stored in.
    """

    def __init__(
        self,
        graph: Graph,
        masking: frozenset[str],
        replaced: Callable[[str], frozenset[int]],
    ) -> None:
        self._graph = graph
        self._masking = masking
        self._replaced = replaced
        function = graph.function
        text = function.source.text
        self._text = text
        head = text[function.start : function.body.end]
        self.user = frozenset(_USER.findall(head))
        targets = (
            part.left
            for _, part in graph.expressions()
            if isinstance(part, Binary) and part.operator in ASSIGNMENTS
        )
        self.stores = [(canonical(text[t.start : t.end]), t.start) for t in targets]
        self._stored = {text for text, _ in self.stores}
        self._definitions: dict[Node, _Definition] = {}
        self.variables: set[str] = set()
        self.fetched: set[int] = set()
        self._fresh: set[int] = set()
        self._at: dict[int, tuple[dict[str, frozenset[int]], tuple[Scope, ...]]] = {}
        self._solve()

    def of(self, expr: Expr, at: int) -> Sources:
        """The sources of an expression where the call at an offset is made."""
        if at not in self._at:
            return {UNKNOWN: SAME}
        env, scopes = self._at[at]
        return self._sources(list(self._value(expr, env, scopes)))

    def assigned(self, name: str, at: int) -> Iterator[tuple[int, Sources]]:
        """The assignments to a variable that may reach the call at an offset, with the sources of each.

        One of two values chosen by a condition counts as two.
        """
        env, scopes = self._at.get(at, ({}, ()))
        if _redeclaring(name, scopes) is None:
            for place in env.get(name, frozenset()) - {ENTRY}:
                node = Node("variable", name, place)
                made = self._definitions.get(node)
                if made is None or not isinstance(made.value, Conditional):
                    yield place, self._sources([(node, SAME)])
                    continue
                for way in (made.value.then, made.value.other):
                    values = list(self._value(way, made.env, made.scopes))
                    yield place, {node: SAME, **self._sources(values)}

    def moved(self, name: str, at: int) -> frozenset[int]:
        """The place that may have moved a variable, as by ``p++``, since the begin before the call at an offset."""
        env, _ = self._at.get(at, ({}, ()))
        return env.get(_MOVES + name, frozenset()) - {ENTRY}

    def changed(self, name: str, at: int) -> frozenset[int]:
        """The place that may have moved or set a variable since the begin before the call at an offset."""
        env, _ = self._at.get(at, ({}, ()))
        first = Node("variable", name, ENTRY)
        others = (
            place
            for place, found in self.assigned(name, at)
            if place in env.get(_SETS + name, ()) and found.get(first) != SAME
        )
        return self.moved(name, at).union(others)

    def _sources(self, waiting: list[tuple[Node, int]]) -> Sources:
        """The values that these are, and those that they were computed from."""
        found: dict[Node, int] = {}
        while waiting:
            node, how = waiting.pop()
            if found.get(node, TOUCHED + 1) <= how:
                continue
            found[node] = how
            made = self._definitions.get(node)
            if made is None or made.value is None:
                continue
            own = Node("object", node.name, 0)
            for n, more in self._value(made.value, made.env, made.scopes):
                waiting.append((n, max(how, more)))
                if n == own and node.at not in self._fresh:
                    # A callee that has the address of a variable knows what is in it.
                    before = made.env.get(node.name, frozenset({ENTRY}))
                    waiting += [
                        (Node("variable", n.name, at), TOUCHED) for at in before
                    ]
        return found

    def _solve(self) -> None:
        graph = self._graph
        labels = graph.labels
        entered = {edge.target for block in graph.blocks for edge in block.edges}
        entered |= {labels[n] for b in graph.blocks for n in self._jumps(b)}
        everything: dict[str, frozenset[int]] = {}
        starts: dict[BasicBlock, dict[str, frozenset[int]]] = {graph.entry: {}}
        # A label that only a macro jumps to is reached from anywhere.
        hidden = [block for block in labels.values() if block not in entered]
        waiting = [*hidden, graph.entry]
        while waiting:
            block = waiting.pop()
            env = dict(starts.get(block, {}))
            if block in hidden:
                env = _joined(env, everything)
            before = dict(env)
            self._run(block, env)
            everything = _joined(everything, env)
            # A fault may lead from the middle of the expression.
            faulted = _joined(before, env)
            following = [(edge.target, env) for edge in block.edges]
            following += [(labels[name], faulted) for name in self._jumps(block)]
            for target, state in following:
                known = starts.get(target)
                joined = state if known is None else _joined(known, state)
                if known is None or joined != known:
                    starts[target] = dict(joined)
                    waiting.append(target)

    def _jumps(self, block: BasicBlock) -> Iterator[str]:
        """The labels that a block names, as those of faults are."""
        for part in block.parts():
            if part.name in self._graph.labels:
                yield part.name

    def _run(self, block: BasicBlock, env: dict[str, frozenset[int]]) -> None:
        if block.expr is not None:
            looping = isinstance(block.expr, Call) and block.enters is None
            self._evaluate(block.expr, env, block.scopes)
            if looping and len(block.edges) == 1 and _is_loop(block.edges[0].target):
                # for_each_...(p, list): the macro assigns to its arguments.
                for name in names(block.expr):
                    self._define(name, block.at, None, env, block.scopes, may=True)

    def _evaluate(
        self, expr: Expr, env: dict[str, frozenset[int]], scopes: tuple[Scope, ...]
    ) -> None:
        """Apply the assignments in an expression, and remember what its calls see."""
        for child in dict.fromkeys(expr.children()):
            self._evaluate(child, env, scopes)
        if isinstance(expr, Binary) and expr.operator == "=":
            if isinstance(expr.left, Name):
                self._define(expr.left.text, expr.start, expr.right, env, scopes)
        elif isinstance(expr, (Binary, Postfix, Unary)) and expr.operator in _STEPS:
            stepped = expr.left if isinstance(expr, Binary) else expr.operand
            if isinstance(stepped, Name):
                key = _MOVES + stepped.text
                env[key] = env.get(key, frozenset()) | {expr.start}
        elif isinstance(expr, Call):
            if expr.callee in BEGINS:
                for name in {n for a in expr.arguments for n in names(a)}:
                    env[_MOVES + name] = env[_SETS + name] = frozenset()
            known = self._at.get(expr.start, ({}, scopes))[0]
            seen = _joined(known, env) if expr.start in self._at else dict(env)
            self._at[expr.start] = (seen, scopes)
            self._call(expr, env, scopes)

    def _call(
        self, call: Call, env: dict[str, frozenset[int]], scopes: tuple[Scope, ...]
    ) -> None:
        """Apply what a call stores in variables."""
        name = call.callee
        accessor = accessor_of(call)
        place = 1 - accessor.pointer if accessor else _FETCHES.get(name)
        if accessor is not None and accessor.direction == "write":
            return
        if name == "swap" and all(isinstance(a, Name) for a in call.arguments):
            before = dict(env)
            pairs = zip(call.arguments, reversed(call.arguments), strict=True)
            for swapped, value in pairs:
                after = dict(before)
                self._define(swapped.name, swapped.start, value, after, scopes)
                env[swapped.name] = after[swapped.name]
            return
        for number, argument in enumerate(call.arguments):
            target: Expr = argument
            if isinstance(argument, Unary) and argument.operator == "&":
                target = argument.operand
            elif number != place and name != "swap":
                continue
            if number == place and isinstance(target, Name):
                self._define(target.text, target.start, None, env, scopes)
                self.fetched.add(target.start)
            elif isinstance(target, Name):
                self._define(target.text, target.start, call, env, scopes, may=True)
                if number in self._replaced(name):
                    self._fresh.add(target.start)

    def _define(
        self,
        name: str,
        at: int,
        value: Expr | None,
        env: dict[str, frozenset[int]],
        scopes: tuple[Scope, ...],
        may: bool = False,
    ) -> None:
        self.variables.add(name)
        node = Node("variable", name, at)
        before = self._definitions.get(node)
        seen = dict(env) if before is None else _joined(before.env, env)
        self._definitions[node] = _Definition(value, seen, scopes)
        kept = env.get(name, frozenset({ENTRY})) if may else frozenset()
        env[name] = kept | {at}
        env[_MOVES + name] = frozenset()
        env[_SETS + name] = env.get(_SETS + name, frozenset()) | {at}

    def _value(
        self, expr: Expr, env: Environment, scopes: tuple[Scope, ...]
    ) -> Iterator[tuple[Node, int]]:
        """The values that an expression is computed from directly."""
        if isinstance(expr, Name):
            scope = _redeclaring(expr.text, scopes)
            if scope is not None:
                yield Node("masked", "", scope.statement.start), SAME
                return
            for at in env.get(expr.text, frozenset({ENTRY})):
                yield Node("variable", expr.text, at), SAME
        elif isinstance(expr, (Cast, Postfix)):
            yield from self._value(expr.operand, env, scopes)
        elif isinstance(expr, Unary) and expr.operator == "&":
            yield from self._address(expr.operand, env, scopes)
        elif isinstance(expr, Conditional):
            yield from self._value(expr.then, env, scopes)
            yield from self._value(expr.other, env, scopes)
        elif isinstance(expr, Binary) and expr.operator in ("=", ","):
            yield from self._value(expr.right, env, scopes)
        elif isinstance(expr, Call):
            yield from self._result(expr, env, scopes)
        elif isinstance(expr, (Member, Index)) or (
            isinstance(expr, Unary) and expr.operator == "*"
        ):
            yield from self._loaded(expr, env, scopes)
        elif isinstance(expr, Opaque):
            yield UNKNOWN, SAME
        else:
            for child in expr.children():
                for node, how in self._value(child, env, scopes):
                    yield node, max(how, COMPUTED)

    def _loaded(
        self, expr: Expr, env: Environment, scopes: tuple[Scope, ...]
    ) -> Iterator[tuple[Node, int]]:
        """The sources of a member or element, which in user memory is an array: its address."""
        base = root(expr)
        if base.name in self.user:
            for node, how in self._value(base, env, scopes):
                yield node, max(how, PART)
            return
        text = canonical(self._text[expr.start : expr.end])
        stored = text in self._stored
        yield Node("load", text, expr.start if stored else 0), SAME
        for node, _ in self._value(base, env, scopes):
            yield node, TOUCHED

    def _address(
        self, expr: Expr, env: Environment, scopes: tuple[Scope, ...]
    ) -> Iterator[tuple[Node, int]]:
        """The sources of the address of an object."""
        if isinstance(expr, Name):
            yield Node("object", expr.text, 0), SAME
            return
        if isinstance(expr, Member) and expr.operator == ".":
            inner = self._address(expr.object, env, scopes)
        elif isinstance(expr, (Member, Index)):
            inner = self._value(expr.object, env, scopes)
        elif isinstance(expr, Unary) and expr.operator == "*":
            yield from self._value(expr.operand, env, scopes)
            return
        else:
            inner = self._value(expr, env, scopes)
        for node, how in inner:
            yield node, max(how, PART)

    def _result(
        self, call: Call, env: Environment, scopes: tuple[Scope, ...]
    ) -> Iterator[tuple[Node, int]]:
        name = call.callee
        if name in BEGINS or name in self._masking:
            yield Node("masked", "", call.start), SAME
            return
        if name == _MASKS:
            yield ANY_MASK, SAME
            return
        how = SAME if name in CONVERSIONS else TOUCHED
        if name in _ROUNDING:
            how = COMPUTED
        if how == TOUCHED:
            yield Node("call", name, call.start), SAME
        for argument in call.arguments:
            for node, more in self._value(argument, env, scopes):
                yield node, max(how, more)


def _is_loop(block: BasicBlock) -> bool:
    """Whether a block is the head of a macro's loop, which no condition ends."""
    return block.expr is None and len(block.edges) > 1


def _redeclaring(name: str, scopes: tuple[Scope, ...]) -> Scope | None:
    """The innermost scope that declares a pointer of this name."""
    for scope in reversed(scopes):
        if scope.name in SCOPES and scope.call.arguments:
            first = scope.call.arguments[0]
            if first.name == name:
                return scope
    return None


def _joined(one: Environment, other: Environment) -> dict[str, frozenset[int]]:
    entry = frozenset({ENTRY})
    return {
        name: one.get(name, entry) | other.get(name, entry)
        for name in one.keys() | other.keys()
    }
