# SPDX-License-Identifier: GPL-2.0
"""The loads of the task's credentials in a function, their replacements, and those that a path repeats after a call.

The accessors are those of include/linux/cred.h; a tree may lack some of them.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice, takewhile

from hotcocci.c.expression import Call, Conditional, Expr, Name, Opaque, SizeOf, walk
from hotcocci.c.flow import BasicBlock, Graph, solve
from hotcocci.c.flow_builder import is_scope
from hotcocci.c.source import NAME, Source, Token, closing, tokenize
from hotcocci.c.syntax import (
    LOOPS,
    Function,
    Statement,
    enclosing,
    evaluated,
    innermost,
)
from hotcocci.rewrite.context import Context
from hotcocci.rules.rulebook import implementation_of

SUBJECTIVE = "current->cred"
OBJECTIVE = "current->real_cred"
NAMESPACE = "current_user_ns"

# Accessors of one field: current_cred()->FIELD
FIELDS = {
    "current_uid": "uid",
    "current_gid": "gid",
    "current_euid": "euid",
    "current_egid": "egid",
    "current_suid": "suid",
    "current_sgid": "sgid",
    "current_fsuid": "fsuid",
    "current_fsgid": "fsgid",
    "current_cap": "cap_effective",
    "current_user": "user",
    "current_ucounts": "ucounts",
    NAMESPACE: "user_ns",
}
# Accessors whose value is stored itself, where a function uses no other: its type
VALUES = {
    NAMESPACE: "struct user_namespace *",
    **{name: "kuid_t " for name in FIELDS if name.endswith("uid")},
    **{name: "kgid_t " for name in FIELDS if name.endswith("gid")},
}
# Accessors of the credentials themselves, or of objects they hold a reference to; not
# get_current_groups(), whose users give back what it took
WHOLE = {
    "current_cred": "{}",
    "current_real_cred": "{}",
    "get_current_cred": "get_cred({})",
    "get_current_user": "get_uid({}->user)",
}
# Those that take a reference: compilers treat the atomic as a change of any memory
COUNTING = frozenset({"get_current_cred", "get_current_user"})
# Functions that store to their first argument
STORES = frozenset(
    "rcu_assign_pointer rcu_replace_pointer RCU_INIT_POINTER xchg cmpxchg swap WRITE_ONCE"
    " smp_store_release".split()
)
MEMBER = "current"
CALLS = implementation_of("LD301").names
# The state of a path: no load yet, the last load still in a register, or a call since then
_NONE, _LOADED, _CALLED = "none", "loaded", "called"


@dataclass(frozen=True)
class Load:
    """One load of a pointer to credentials, from ``start`` up to ``end`` of the file.

    ``base`` is the pointer. ``form`` replaces the load, with {} for the local that
    holds the credentials; empty if there is no replacement.
    """

    name: str
    start: int
    end: int
    base: str
    form: str


def loads_of(function: Function) -> list[Load]:
    """The loads of a function in source order."""
    source = function.source
    found = []
    for access in function.accesses:
        start = source.offset(access.line, access.column)
        tokens = source.code_between(start, function.body.end)
        if access.name == MEMBER:
            before = source.code_between(function.body.start, start)
            load = None if _stored(before, tokens) else _member(tokens)
        else:
            load = _call(tokens)
        if load is not None:
            found.append(load)
    return sorted(found, key=lambda load: load.start)


def _call(tokens: tuple[Token, ...]) -> Load | None:
    name = tokens[0].text
    last = closing(tokens, 1) if len(tokens) > 1 and tokens[1].text == "(" else None
    if last is None or name not in CALLS:
        return None
    start, end = tokens[0].start, tokens[last].end
    base = OBJECTIVE if name == "current_real_cred" else SUBJECTIVE
    if name in FIELDS:
        return Load(name, start, end, base, f"{{}}->{FIELDS[name]}")
    # Macros that store two fields, or have the field as an argument, have no form.
    return Load(name, start, end, base, WHOLE.get(name, ""))


def _stored(before: tuple[Token, ...], tokens: tuple[Token, ...]) -> bool:
    """Whether ``current->cred`` is assigned here."""
    if len(tokens) > 3 and tokens[3].text == "=":
        return True
    called = [t.text for t in before[-2:]]
    return len(called) == 2 and called[1] == "(" and called[0] in STORES


def _member(tokens: tuple[Token, ...]) -> Load | None:
    """``current->cred->field``; any other use of the member has no form."""
    if len(tokens) < 4 or tokens[1].text != "->":
        return None
    base = f"current->{tokens[2].text}"
    if base not in (SUBJECTIVE, OBJECTIVE):
        return None
    form = "{}" if tokens[3].text == "->" else ""
    return Load(MEMBER, tokens[0].start, tokens[2].end, base, form)


@dataclass(frozen=True)
class Reloads:
    """The loads of a function that some path repeats, by their offsets in the file.

    ``after_call`` loads are repeated after a call, ``without_call`` ones without a call in between.
    """

    after_call: frozenset[int]
    without_call: frozenset[int]


def reloads(
    graph: Graph,
    loads: Collection[int],
    opaque: Callable[[str], bool],
    repeat: bool = True,
) -> Reloads:
    """Follow every path; ``opaque`` tells whether a call of that name may change memory.

    Without ``repeat`` each loop has one iteration.
    """
    places = frozenset(loads)
    events = {block: tuple(_events(block, places, opaque)) for block in graph.blocks}
    # The graph omits braced initializers: their loads come before the code after them.
    for load in sorted(places.difference(*events.values()), reverse=True):
        later = (
            b for b in graph.blocks if b.at > load and (b.expr or b.asm or b.returns)
        )
        for block in islice(later, 1):
            events[block] = (load, *events[block])

    def transfer(block: BasicBlock, state: str) -> list[tuple[BasicBlock, str]]:
        state = reduce(_after, events[block], state)
        return [(e.target, state) for e in block.edges if repeat or not e.back]

    before: dict[str, set[int]] = {_NONE: set(), _LOADED: set(), _CALLED: set()}
    for block, state in solve([(graph.entry, _NONE)], transfer):
        for event in events[block]:
            if event is not None:
                before[state].add(event)
            state = _after(state, event)
    return Reloads(frozenset(before[_CALLED]), frozenset(before[_LOADED]))


def _after(state: str, event: int | None) -> str:
    """The state of a path after a load, or after a call if the event is None."""
    if event is not None:
        return _LOADED
    return _CALLED if state == _LOADED else state


def _events(
    block: BasicBlock, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    """The loads of a block by offset, and None for each call, in evaluation order."""
    if block.asm:
        yield None
    elif block.expr is not None:
        yield from _evaluated(block.expr, loads, opaque)


def _evaluated(
    expr: Expr, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    if isinstance(expr, SizeOf):
        return
    if isinstance(expr, Opaque):
        yield from _text(expr, loads, opaque)
        return
    if isinstance(expr, Name) and expr.start in loads:
        yield expr.start
        return
    if isinstance(expr, Call):
        callee = expr.function
        if callee.start in loads:
            yield callee.start
            if callee.name in COUNTING:
                yield None
            return
        for argument in expr.arguments:
            yield from _evaluated(argument, loads, opaque)
        if not isinstance(callee, Name):
            yield from _evaluated(callee, loads, opaque)
            yield None
        elif opaque(callee.text):
            yield None
        return
    children = expr.children()
    if isinstance(expr, Conditional) and expr.then is expr.condition:
        children = (expr.condition, expr.other)
    for child in children:
        yield from _evaluated(child, loads, opaque)


def _text(
    expr: Opaque, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    """Events in text that is not parsed as an expression: compound and statement expressions."""
    tokens = tokenize(expr.text)
    for token, follower in zip(tokens, (*tokens[1:], None)):
        if token.kind != NAME:
            continue
        if expr.start + token.start in loads:
            yield expr.start + token.start
        elif follower is not None and follower.text == "(" and opaque(token.text):
            yield None


def evaluates(source: Source, statement: Statement, offset: int) -> bool:
    """Whether a statement evaluates the code at an offset whenever it is reached."""
    expr = evaluated(source, statement)
    if expr is None or not expr.start <= offset < expr.end:
        return False
    for part in walk(expr):
        inside = [c for c in part.children() if c.start <= offset < c.end]
        if not inside:
            continue
        if isinstance(part, Conditional) and inside[-1] is not part.condition:
            return False
        operator = getattr(part, "operator", "")
        if operator in ("&&", "||") and inside[0] is part.children()[1]:
            return False
    return True


def is_loop(context: Context, statement: Statement) -> bool:
    if statement.kind not in LOOPS:
        return False
    word = context.source.code_between(statement.start, statement.end)[0].text
    return not is_scope(word)


def repeats(context: Context, load: Load) -> bool:
    """Whether each iteration of a loop makes a load."""
    inner = innermost(context.function, load.start)
    loop = next((s for s in (inner, *enclosing(inner)) if is_loop(context, s)), None)
    return loop is not None and in_each_iteration(context, loop, load)


def in_each_iteration(context: Context, loop: Statement, load: Load) -> bool:
    """Whether a load is unconditional in the body of a loop."""
    statement = innermost(context.function, load.start)
    certain = evaluates(context.source, statement, load.start)
    if statement.kind not in ("block", "for") and not certain:
        return False
    between = takewhile(lambda s: s is not loop, enclosing(statement))
    return all(s.kind == "block" or is_loop(context, s) for s in between)
