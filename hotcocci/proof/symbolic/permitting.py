# SPDX-License-Identifier: GPL-2.0
"""Allow the permitted differences (prover.py) after a fault or a refused range.

Old code that was refused its window is followed beside new code that masks the address. masked_user_access_begin()
refuses no range: what is outside user space faults when it is accessed. The old code is followed as if it had not been
refused, and faults there too, so that loops run side by side. Once the new code has faulted, its rest is compared with
that of the refusal. Without a fault both go on, which is the difference `UNREFUSED`.
"""

from collections.abc import Mapping
from dataclasses import replace

import z3

from hotcocci.proof.known import NULL_IS_NOTHING, READS_AT_ONCE, allocator
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.symbolic import step, user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, chosen
from hotcocci.proof.symbolic.architecture import with_registers
from hotcocci.proof.symbolic.calls import answered
from hotcocci.proof.symbolic.joint import (
    DONE,
    Comparison,
    Context,
    Different,
    Joint,
    both_failed,
    located,
    next_epoch,
)
from hotcocci.proof.symbolic.memory import Place
from hotcocci.proof.symbolic.prover import LATE, PARTS, REFUSED, STOPS, UNREFUSED
from hotcocci.proof.symbolic.state import (
    Access,
    Call,
    End,
    Event,
    ForkNeeded,
    Path,
    State,
    Turn,
    UnsupportedError,
    ViolationError,
    Window,
    shown,
)
from hotcocci.proof.symbolic.user import succeeded
from hotcocci.proof.symbolic.values import Word

# include/linux/err.h
MAX_ERRNO = 4095
SATURATED = "an allocation of SIZE_MAX bytes returns NULL"
GOOD = "pointers that are valid on non-faulting paths are valid after a fault"


# The hardened usercopy check, which passes for a part of a local
CHECK = "__check_object_size"


def refused_end(context: Context, joint: Joint) -> Joint:
    """Accept the end of the old side alone, after the new one was refused its window.

    What the new side does after that is compared in a path with a fault. The old side must have
    faulted too, unless the range ends within a page past user space.
    """
    if not joint.states[0].faulted:
        _, end = _asked(context, joint.states[1].attempt)
        limit = context.arch.layout.user_high + PAGE
        far = v.settled(v.below(limit, end, context.width))
        if context.possible(joint.path, far):
            raise Different("a range that was accessed before is now refused", far)
    return replace(joint, events=DONE)


def alone(joint: Joint) -> Joint:
    """The joint state without anything that does not matter to the old side, which continues alone."""
    old, new = joint.states
    heap = next_epoch(old.heap, False)
    new = replace(new, heap=heap, touched=frozenset())
    return replace(joint, states=(replace(old, heap=heap, torn=None), new))


def require_pointers(context: Context, joint: Joint) -> None:
    """Raise unless every object that the new side accessed is valid on this path.

    Objects that the old side accessed are. Others are assumed to be after a fault (GOOD).
    """
    terms = context.terms
    known = [terms.address(Place(base, 0)) for base in joint.states[0].touched]
    for base in joint.states[1].touched - joint.states[0].touched:
        start = terms.address(Place(base, 0))
        # It may be one of these, or within one, on this path.
        away = (context.distance(joint, each, start) for each in known)
        if any(each is not None and each < PAGE for each in away):
            continue
        if context.never(joint, v.at_least(start, PAGE, terms.width)):
            raise Different("it dereferences a NULL pointer")
        if both_failed(joint) or joint.states[1].faulted:
            context.notes.add(GOOD)
            continue
        raise UnsupportedError(
            f"on some path it dereferences {shown(start)}, which it did not before"
        )


def require_one_check(joint: Joint) -> None:
    """Raise UnsupportedError where the new side copies again after a fault.

    copy_from_user_small() (UA203) does so, and checks the object again, which has no effect.
    """
    old, new = joint.events
    names = [each.name if isinstance(each, Call) else "" for each in (old, new)]
    refused = joint.states[1].faulted or joint.states[1].attempt is not None
    if refused and names[1] == CHECK != names[0]:
        raise UnsupportedError("after a fault it checks the object of a copy again")


def match_after_fault(
    comparison: Comparison, old: Event | None, new: Event | None
) -> list[Joint]:
    """Match events that differ in a permitted way; raise Different for others."""
    context, joint = comparison.context, comparison.joint
    torn = joint.states[0].torn
    if joint.refused and isinstance(old, Call) and isinstance(new, End):
        # The old side succeeds: the range ends just past user space.
        return [refused_end(context, joint)]
    if isinstance(old, Access):
        if joint.rest is None and _is_stopped(context, joint, old):
            # The new window ended at the first fault.
            context.stores(joint.states[0], old, context.stopped)
            return [_dropped(context, joint, 0, old, STOPS)]
        if _is_refused(context, joint):
            return [replace(_dropped(context, joint, 0, old, REFUSED), refused=True)]
    if isinstance(old, Call) and _is_harmless(context, joint, old):
        return [passed(context, joint, 0, old)]
    if isinstance(new, Access):
        if torn is not None and _within(comparison, torn.access, new):
            return [_dropped(context, joint, 1, new, PARTS)]
        if isinstance(old, End) and _is_late(context, joint, new):
            return [_dropped(context, joint, 1, new, LATE)]
    if isinstance(old, Access) and isinstance(new, Call):
        # It may move up if its result is only stored, which is not followed here.
        raise UnsupportedError(f"{new} now precedes a {old}")
    raise Different(f"{old}, now {new}")


def _is_late(context: Context, joint: Joint, access: Access) -> bool:
    """Whether an access is in the last page of user space or past it."""
    address = context.arch.untagged(access.address)
    limit = context.arch.layout.user_high - PAGE
    return context.never(joint, v.below(address, limit, context.width))


def _is_stopped(context: Context, joint: Joint, access: Access) -> bool:
    """Whether the old side continues after a fault with an access of the new side's window."""
    old, new = joint.states
    if not (old.faulted and new.faulted) or access.kind != old.faulted:
        return False
    if new.stopped is None:
        return False
    stopped = replace(new, window=new.stopped)
    outside = user.uncovered(stopped, access, context.width)
    return not isinstance(outside, str) and context.never(joint, outside)


def _is_harmless(context: Context, joint: Joint, call: Call) -> bool:
    """Whether a hardened usercopy check is for a local that is large enough."""
    if call.name != CHECK:
        return False
    at, size = call.arguments[0].value, call.arguments[1].value
    if not isinstance(at, int):
        return False
    return any(
        start <= at < start + local.size
        and context.never(joint, v.below(start + local.size - at, size, context.width))
        for start, local in located(context, joint)[0]
    )


def passed(context: Context, joint: Joint, number: int, call: Call) -> Joint:
    """Let one side alone pass a call that has no effect; what allocates returns NULL."""
    side = context.side(number, joint)
    state = answered(side, call, f"{joint.moment} {call.name}")
    if allocator(call.name, len(call.arguments)):
        state = with_registers(state, {side.arch.registers.results[0]: 0})
        context.notes.add(SATURATED)
    return joint.with_state(number, state).with_event(number, None)


def is_nothing(context: Context, event: Event | None) -> z3.BoolRef | None:
    """The condition that an event is a call that does nothing, None if it never is.

    One is to free NULL, one to allocate SIZE_MAX bytes, as size_mul() has it that saturates (include/linux/overflow.h).
    """
    if not isinstance(event, Call) or event.target is not None:
        return None
    number, value = NULL_IS_NOTHING.get(event.name), 0
    made = allocator(event.name, len(event.arguments))
    if made is not None:
        number, value = made.size, (1 << context.width) - 1
    if number is None or number >= len(event.arguments):
        return None
    return v.truth(v.equal(event.arguments[number].value, value, context.width))


def is_valid(context: Context, event: Event | None) -> z3.BoolRef | None:
    """The condition for a call of the old side to be no end of the kernel, None if it is none in any case."""
    if not isinstance(event, Call) or event.name not in READS_AT_ONCE:
        return None
    pointer = event.arguments[0].value
    return v.truth(v.at_least(pointer, PAGE, context.width))


def _is_refused(context: Context, joint: Joint) -> bool:
    """Whether the new side was refused a window that leaves user space."""
    asked = joint.states[1].attempt
    if asked is None:
        return False
    start, end = _asked(context, asked)
    inside = v.at_least(context.arch.layout.user_high, end, context.width)
    fits = z3.And(v.truth(inside), v.truth(v.at_least(end, start, context.width)))
    return context.never(joint, fits)


def _asked(context: Context, window: Window | None) -> tuple[Word, Word]:
    """The start and the end of a requested window."""
    assert window is not None
    start = context.arch.untagged(window.start)
    return start, v.add(start, window.length, context.width)


def _dropped(
    context: Context, joint: Joint, number: int, access: Access, why: str
) -> Joint:
    """Let one side make an access that the other does not make."""
    side = context.side(number, joint)
    name = f"dropped {side.code.side} {joint.moment} {access.place} {access.size}"
    data = v.unknown(name, 8 * access.size) if access.data is None else None
    made = joint.with_state(number, succeeded(side, access, data))
    return replace(made.with_event(number, None), permitted=joint.permitted | {why})


def _within(comparison: Comparison, torn: Access, access: Access) -> bool:
    """Whether an access is a part of a copy that faulted."""
    place, whole = access.place, torn.place
    start = place.offset - whole.offset
    if (torn.data is None) != (access.data is None) or place.base != whole.base:
        return False
    if not 0 <= start <= torn.size - access.size:
        return False
    if torn.data is not None and access.data is not None:
        order = comparison.context.terms.order
        mine = v.piece(torn.data, torn.size, start, access.size, order)
        comparison.require(mine, access.data, 8 * access.size, f"the data of {access}")
    return True


# Results that report a fault to the caller, which then uses nothing that the function did not set: an
# error number, and any other result that no path without a fault returns (the number of bytes not copied,
# false, NULL). A length, or a pointer that is always valid, does not.


def no_error(word: Word, bits: int) -> z3.BoolRef:
    """The condition for a result to be no error number, as an integer or a pointer."""
    least = (1 << bits) - MAX_ERRNO
    return v.truth(v.settled(v.below(word, least, bits)))


def require_reports(context: Context) -> None:
    """Raise UnsupportedError if a path without a fault may return what is to report one."""
    for path, word in context.reports:
        for other, answer in context.answers:
            if answer is None or _may_be_equal(context, (path, word), (other, answer)):
                raise UnsupportedError(
                    "after a fault memory differs, and the result may be that of a path without one"
                )


def _may_be_equal(
    context: Context, one: tuple[Path, Word], other: tuple[Path, Word]
) -> bool:
    """Whether two results may be the same. They are from different calls, so that equal variables differ."""
    assert context.result is not None
    bits = 8 * context.result.size
    for (path, word), (_, constant) in ((one, other), (other, one)):
        if isinstance(constant, int):
            same = v.settled(v.equal(word, constant, bits))
            return context.solver.possible(path, same)
    return True


# Limit on the steps of a range check.
STEPS = 64


def followed(context: Context, joint: Joint) -> list[Joint]:
    """The joint states that come next because of a refused window; none if there is none.

    Raises ForkNeeded.
    """
    new = joint.states[1]
    if joint.refusal is None:
        return _entered(context, joint) if _is_masked(joint) else []
    made, permitted = replace(joint, refusal=None), joint.permitted
    if new.faulted:
        made = made.with_state(0, joint.refusal).with_event(0, None)
        return [replace(made, permitted=permitted | {LATE})]
    return [] if new.open else [replace(made, permitted=permitted | {UNREFUSED})]


def _is_masked(joint: Joint) -> bool:
    """Whether the old side was refused a window since the last event, and the new one masks instead."""
    old, new = joint.states
    at = f"{joint.moment}"
    asked = old.attempt is not None and old.asked is not None and old.asked[0] == at
    masked = new.attempt is None and new.unasked == at and not new.faulted
    return asked and masked and not joint.refused


def _entered(context: Context, joint: Joint) -> list[Joint]:
    """The joint states in which the old side enters the window that it was refused."""
    asked = joint.states[0].asked
    assert asked is not None
    at, state = asked
    side = context.side(0, joint)
    entered: list[State] = []
    for _ in range(STEPS):
        ways = _ways(side, state, at, {}, Path())
        if not ways:
            break
        entered = ways
        side.state, side.forced = state, None
        if _visible(step.step(side, at)):
            return []
        state = side.state
    beside = replace(joint.with_event(0, None), refusal=state)
    found = []
    for each in entered:
        assert each.window is not None
        window = replace(each.window, refused=True)
        found.append(beside.with_state(0, replace(each, window=window)))
    return found


def _ways(
    side: Side, state: State, at: str, forced: Mapping[int, bool], taken: Path
) -> list[State]:
    """The states in which the window is entered, whichever ways the branches of its check go.

    Words that depend on the check are as on the path ``taken``.
    """
    side.state, side.forced = state, forced
    for _ in range(STEPS):
        if side.state.attempt is None:
            known = {r: chosen(taken, w) for r, w in side.state.registers.items()}
            made = replace(side.state, registers=known)
            return [made] if made.window else []
        before = side.state
        try:
            event = step.step(side, at)
        except ForkNeeded as fork:
            if not fork.branch:
                raise
            found = []
            for way, holds in (True, fork.condition), (False, z3.Not(fork.condition)):
                ways = {**forced, fork.branch: way}
                on = taken.with_(z3.simplify(holds))
                found += _ways(side, before, at, ways, on)
            return found
        except (UnsupportedError, ViolationError):
            return []
        if _visible(event):
            return []
    return []


def _visible(event: Event | None) -> bool:
    return event is not None and not isinstance(event, Turn)
