# SPDX-License-Identifier: GPL-2.0
"""Follow all joint paths of two functions and compare their events."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import z3

from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.compare_calls import committed
from hotcocci.proof.symbolic.compare_events import begins_turn, match
from hotcocci.proof.symbolic.cut import Cuts, cut
from hotcocci.proof.symbolic.joint import DONE, Context, Different, Joint
from hotcocci.proof.symbolic.prover import PROVEN, Answer
from hotcocci.proof.symbolic.state import (
    Access,
    ForkNeeded,
    UnsupportedError,
    ValueNeeded,
    ViolationError,
)
from hotcocci.proof.symbolic.step import advance
from hotcocci.proof.symbolic.values import Truth

CALLER = "callers have checked the user pointers that this function does not check"
# Prefix for violations that the old code has as well.
EXISTING = "for some input, which callers may exclude, the old code is wrong already"
# Limit on loop iterations without induction.
TURNS = 3


def search(context: Context, start: Joint, cuts: Cuts | None) -> Answer:
    """Follow all joint paths; with ``cuts``, merge paths that meet. Assumptions are in the context.

    Raises Different with the first difference, and UnsupportedError.
    """
    waiting = [start]
    paths = turns = 0
    permitted: frozenset[str] = frozenset()
    while waiting:
        joint = waiting.pop()
        context.solver.step()
        if joint.events == DONE:
            paths += 1
            permitted |= joint.permitted
            continue
        try:
            waiting += _following(context, cuts, joint)
        except _CutError:
            turns = TURNS
        except Different as different:
            # Without this difference, a path that is possible would have to be followed.
            if not context.possible(joint.path, 1):
                continue
            different.joint = joint
            raise
    return Answer(PROVEN, "", paths, turns, tuple(sorted(permitted)))


def _following(context: Context, cuts: Cuts | None, joint: Joint) -> Sequence[Joint]:
    """The joint states that come next."""
    missing = next((n for n, e in enumerate(joint.events) if e is None), None)
    if missing is not None:
        return _advanced(context, joint, missing)
    try:
        return list(_after(context, cuts, joint))
    except ForkNeeded as fork:
        return _both_ways(context, joint, fork)
    except ValueNeeded as wanted:
        return _each_value(context, joint, wanted)


def _after(context: Context, cuts: Cuts | None, joint: Joint) -> Iterator[Joint]:
    """The joint states after an event that were not seen before."""
    found = match(context, joint)
    turn = begins_turn(context, joint)
    for each in found:
        if cuts is None or not (turn or each.events == (None, None)):
            yield each
            continue
        fresh = cut(cuts, context, committed(context, each), turn)
        if fresh is not None:
            yield fresh


class _CutError(Exception):
    """A loop reached the iteration limit."""


def _advanced(context: Context, joint: Joint, number: int) -> list[Joint]:
    """Run one side to its next event, or to a fork."""
    side = context.side(number, joint)
    try:
        event = advance(side, f"{joint.moment}")
    except ForkNeeded as fork:
        return _forked(context, joint.with_state(number, side.state), number, fork)
    except ValueNeeded as wanted:
        return _each_value(context, joint.with_state(number, side.state), wanted)
    except user.InfeasibleError:
        return []
    except user.UncheckedError as access:
        if number == 0:
            context.notes.add(CALLER)
            return []
        what = f"the address of {access} is not checked"
        raise Different(what) from access
    except ViolationError as violation:
        if number == 0:
            raise UnsupportedError(f"{EXISTING}: {violation}") from violation
        raise Different(str(violation)) from violation
    joint = joint.with_state(number, side.state)
    if isinstance(event, Access):
        _check(context, joint, number, event)
    return [joint.with_event(number, event)]


def _check(context: Context, joint: Joint, number: int, access: Access) -> None:
    """Raise unless a user access is inside its window, or the old side's next one is not either."""
    outside = _outside(context, joint, number, access)
    if isinstance(outside, str):
        if number == 0:
            raise UnsupportedError(f"{EXISTING}: {outside}")
        raise Different(outside)
    if number == 0 or not context.possible(joint.path, outside):
        return
    before = joint.events[0]
    if isinstance(before, Access):
        already = _outside(context, joint, 0, before)
        if not isinstance(already, str):
            outside = v.settled(z3.And(v.truth(outside), z3.Not(v.truth(already))))
    if context.possible(joint.path, outside):
        raise Different(f"{access} is outside its window", outside)


def _outside(
    context: Context, joint: Joint, number: int, access: Access
) -> Truth | str:
    """The condition for an access to be outside its window; a text if it always is."""
    code, state = context.codes[number], joint.states[number]
    if code.image.function_at(state.pc) is None:
        # Routines of other objects check their arguments themselves.
        return 0
    outside = user.uncovered(state, access, code.terms.width)
    return outside if isinstance(outside, str) else v.settled(outside)


def _forked(
    context: Context, joint: Joint, number: int, fork: ForkNeeded
) -> list[Joint]:
    found = _both_ways(context, joint, fork)
    if len(found) < 2 or not fork.branch:
        return found
    state = joint.states[number]
    # A user access routine has branches of its own on 5.10, which each call takes again.
    branch = fork.branch, state.inside.site if state.inside else 0
    turns = state.forks.get(branch, 0) + 1
    if turns > TURNS:
        raise _CutError
    state = replace(state, forks={**state.forks, branch: turns})
    return [each.with_state(number, state) for each in found]


def _both_ways(context: Context, joint: Joint, fork: ForkNeeded) -> list[Joint]:
    """The joint states on the ways of a fork that are possible. Raises UnsupportedError."""
    found = []
    for way in (fork.condition, v.truth(v.negation(fork.condition))):
        if context.solver.possible(joint.path, way):
            found.append(replace(joint, path=joint.path.with_(way)))
        elif fork.unless:
            raise UnsupportedError(fork.unless)
        if fork.unless:
            break
    return found


def _each_value(context: Context, joint: Joint, wanted: ValueNeeded) -> list[Joint]:
    """One path per value of a word. Raises UnsupportedError if there are too many."""
    found: list[Joint] = []
    path = joint.path
    while len(found) <= wanted.many:
        model = context.solver.model(path)
        if model is None:
            return found
        value = model.eval(wanted.word, model_completion=True).as_long()
        chosen = replace(joint, path=joint.path.choosing(wanted.word, value))
        found.append(chosen)
        path = path.with_(wanted.word != value)
    raise UnsupportedError(
        f"a size or index with more than {wanted.many} possible values"
    )
