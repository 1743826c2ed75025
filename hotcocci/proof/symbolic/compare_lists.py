# SPDX-License-Identifier: GPL-2.0
"""Compare the check of a list before an entry is added (CONFIG_DEBUG_LIST, include/linux/list.h).

list_del() leaves poison in an entry, and list_move() does not. The check would see it in a corrupted list, or in an
entry that is moved to itself, and nowhere else: it reads what the neighbours say of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import z3

from hotcocci.proof.known import ADDS_TO_LIST
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.calls import answered, result
from hotcocci.proof.symbolic.compare_words import Comparison
from hotcocci.proof.symbolic.joint import Joint, continued
from hotcocci.proof.symbolic.state import Call, Path, State
from hotcocci.proof.symbolic.values import Truth, Word

INTACT = "lists are not corrupted before an entry is added to them"
# What the arguments of the check are
PARTS = ("the new entry", "its predecessor", "its successor")


def is_list_check(comparison: Comparison, old: Call, new: Call) -> bool:
    """Whether both sides check a list, in a file that leaves what follows to list_add() and the like."""
    trusted = comparison.codes[0].question.trusts_lists
    both = {len(old.arguments), len(new.arguments)} == {len(PARTS)}
    return trusted and both and old.name == new.name in ADDS_TO_LIST


def match_list_checks(comparison: Comparison, old: Call, new: Call) -> list[Joint]:
    """Compare the arguments, where the old side's list is intact; then both go on as if the check had passed.

    Empty if it never is. Raises Different, UnsupportedError and ForkNeeded.
    """
    context, joint = comparison.context, comparison.joint
    width = comparison.codes[0].terms.width
    size = width // 8
    entry, before, after = (each.value for each in old.arguments)
    side = context.side(0, joint)
    path = _with(
        joint.path,
        v.equal(side.load(before, size), after, width),
        v.equal(side.load(v.add(after, size, width), size), before, width),
        _apart(entry, before, width),
        _apart(entry, after, width),
        *_elsewhere(comparison, entry, before),
        *_elsewhere(comparison, entry, v.add(after, size, width)),
    )
    if not context.solver.possible(path):
        return []
    comparison.joint = joint = replace(joint, path=path)
    for was, now, part in zip(old.arguments, new.arguments, PARTS, strict=True):
        comparison.require(was.value, now.value, width, f"{part} in a list")
    context.notes.add(INTACT)
    states = []
    for number, state in enumerate(joint.states):
        at = context.side(number, joint.with_state(number, state))
        states.append(answered(at, old, f"{joint.moment}"))
    for was, now in zip(old.arguments, new.arguments, strict=True):
        states[1] = _renamed(states[1], now.value, was.value)
    passed = z3.Extract(7, 0, result(joint.moment, old.name, width)) == 1
    return [continued(joint, states, path=_with(path, passed))]


def _with(path: Path, *conditions: Truth) -> Path:
    for each in conditions:
        path = path.with_(z3.simplify(v.truth(each)))
    return path


def _apart(one: Word, other: Word, width: int) -> z3.BoolRef:
    """The condition that two entries do not overlap."""
    size = 2 * width // 8
    first, second = (v.term(each, width) for each in (one, other))
    return z3.And(z3.UGE(first - second, size), z3.UGE(second - first, size))


def _elsewhere(comparison: Comparison, entry: Word, at: Word) -> Iterator[Truth]:
    """What a neighbour's pointer is on both sides, as if nothing had been stored in the entry, which is apart from it."""
    for number, state in enumerate(comparison.joint.states):
        side = comparison.context.side(number, comparison.joint)
        terms = side.code.terms
        size = terms.width // 8
        of = side.place(entry)
        own = range(of.offset, of.offset + 2 * size)
        known = state.heap.bases.get(of.base, {})
        kept = {place: byte for place, byte in known.items() if place not in own}
        heap = replace(
            state.heap,
            writes=tuple(
                write
                for write in state.heap.writes
                if write.base != of.base or write.offset not in own
            ),
            bases={**state.heap.bases, of.base: kept},
        )
        other = replace(side, state=replace(state, heap=heap))
        yield v.equal(side.load(at, size), other.load(at, size), terms.width)


def _renamed(state: State, word: Word, name: Word) -> State:
    """The state with another name for a word that is equal."""
    if isinstance(word, int) or isinstance(name, int) or word.eq(name):
        return state
    # Bytes of one stored word have the same object.
    known: dict[int, Word] = {}

    def named(value: Word) -> Word:
        if isinstance(value, int):
            return value
        if id(value) not in known:
            known[id(value)] = v.plain(z3.substitute(value, (word, name)))
        return known[id(value)]

    return replace(
        state,
        registers={n: named(value) for n, value in state.registers.items()},
        stack={
            at: replace(each, value=named(each.value))
            for at, each in state.stack.items()
        },
    )
