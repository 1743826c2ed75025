# SPDX-License-Identifier: GPL-2.0
"""Compare the next events of both sides and continue after them."""

from dataclasses import replace

import z3

from hotcocci.proof.objects.processor import is_returned
from hotcocci.proof.symbolic import permitting
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.compare_calls import (
    is_list_check,
    match_calls,
    match_list_checks,
    overwritten,
    published,
)
from hotcocci.proof.symbolic.compare_memory import (
    entered,
    match_routines,
    require_heaps,
)
from hotcocci.proof.symbolic.joint import (
    DONE,
    Comparison,
    Context,
    Different,
    Joint,
    Made,
    Rest,
    both_failed,
    continued,
    is_poison,
    next_epoch,
)
from hotcocci.proof.symbolic.prover import LATE, REPORTED
from hotcocci.proof.symbolic.state import (
    Access,
    Call,
    Check,
    Effect,
    End,
    Event,
    ForkNeeded,
    Routine,
    State,
    Turn,
    UnsupportedError,
    shown,
)
from hotcocci.proof.symbolic.step import RETURNED, effected
from hotcocci.proof.symbolic.user import succeeded
from hotcocci.proof.symbolic.values import Word

UNDEFINED = "any result is accepted where the old code returned an uninitialised value"


def match(context: Context, joint: Joint) -> list[Joint]:
    """Compare the next events; return the joint states after them, none at the end.

    A side alone passes a call that does nothing. Raises Different, UnsupportedError, and ForkNeeded
    where a call that the other side does not make may do nothing.
    """
    refused = permitting.followed(context, joint)
    if refused:
        return refused
    nothing = [permitting.is_nothing(context, event) for event in joint.events]
    for number, condition in enumerate(nothing):
        event = joint.events[number]
        if condition is not None and isinstance(event, Call):
            if not context.solver.possible(joint.path, z3.Not(condition)):
                return [permitting.passed(context, joint, number, event)]
    try:
        return _matched(context, joint)
    except (Different, UnsupportedError):
        for condition in nothing:
            if condition is not None:
                if context.solver.possible(joint.path, condition):
                    raise ForkNeeded(z3.simplify(condition)) from None
        valid = permitting.is_valid(context, joint.events[0])
        if valid is None or not context.solver.possible(joint.path, z3.Not(valid)):
            raise
    if not context.solver.possible(joint.path, valid):
        return []
    return match(context, replace(joint, path=joint.path.with_(valid)))


def _matched(context: Context, joint: Joint) -> list[Joint]:
    """Compare the next events as match() does, if both do something."""
    old, new = joint.events
    if isinstance(old, Turn) or isinstance(new, Turn):
        return [_turned(context, joint)]
    comparison = Comparison(context, joint)
    if isinstance(old, Check) or isinstance(new, Check):
        return [_checked(comparison, old, new)]
    _require_ambient(comparison)
    permitting.require_one_check(joint)
    if isinstance(old, Access) and isinstance(new, Access):
        found = _accesses(comparison, old, new)
    elif isinstance(old, Routine) and isinstance(new, Routine):
        found = match_routines(comparison, old, new)
    elif isinstance(old, Routine) or isinstance(new, Routine):
        found = [entered(context, joint)]
    elif isinstance(old, Call) and isinstance(new, Call):
        if is_list_check(comparison, old, new):
            found = match_list_checks(comparison, old, new)
        else:
            found = [match_calls(comparison, old, new)]
        if not old.returns:
            found = [replace(each, events=DONE) for each in found]
    elif isinstance(old, Effect) and isinstance(new, Effect):
        found = [_effects(comparison, old, new)]
    elif isinstance(old, End) and isinstance(new, End):
        found = _ends(comparison, old, new)
    else:
        found = permitting.match_after_fault(comparison, old, new)
    return [replace(each, locals_=comparison.locals_) for each in found]


def _checked(comparison: Comparison, old: Event | None, new: Event | None) -> Joint:
    """Compare range checks: the new one must not be shorter. A window may replace a check."""
    if isinstance(old, Check) and isinstance(new, Check):
        width = comparison.context.width
        same = v.settled(v.equal(old.start, new.start, width))
        if isinstance(same, int) and same:
            shorter = v.settled(v.below(new.length, old.length, width))
            if comparison.possible(shorter):
                was, now = shown(old.length), shown(new.length)
                raise Different(f"{was} bytes were checked, now {now}", shorter)
    events = [None if isinstance(event, Check) else event for event in (old, new)]
    return replace(comparison.joint, events=(events[0], events[1]))


def _turned(context: Context, joint: Joint) -> Joint:
    """Both sides start another iteration; a side that does so alone runs on to its next event."""
    old, new = (None if isinstance(e, Turn) else e for e in joint.events)
    if old is None and new is None and begins_turn(context, joint):
        return continued(joint, joint.states)
    if old is None and joint.refused:
        return replace(
            permitting.alone(joint), events=(old, new), moment=joint.moment + 1
        )
    return replace(joint, events=(old, new))


def begins_turn(context: Context, joint: Joint) -> bool:
    """Whether both sides, or the old one that continues alone, start another iteration of a loop."""
    if joint.refused:
        return isinstance(joint.events[0], Turn)
    if bool(joint.states[0].faulted) != bool(joint.states[1].faulted):
        return False
    if not all(isinstance(event, Turn) for event in joint.events):
        return False
    sides = zip(context.liveness, joint.states, strict=True)
    return all(live.comes_back(state.pc, state.site) for live, state in sides)


def _require_ambient(comparison: Comparison) -> None:
    """Compare processor state that others observe, such as the interrupt mask."""
    known = comparison.context.arch.registers
    for register in known.ambient:
        one, other = (s.registers[register] for s in comparison.joint.states)
        comparison.require(one, other, known.bits(register), "the interrupt mask")


def _accesses(comparison: Comparison, old: Access, new: Access) -> list[Joint]:
    """Compare accesses of the same bytes; a copy may replace several accesses."""
    context, joint = comparison.context, comparison.joint
    rest = joint.rest
    big = rest.side if rest else int(old.size < new.size)
    whole, part = (new, old) if big else (old, new)
    done = rest.done if rest else 0
    terms, width = context.terms, context.width
    tears = part.size != whole.size and not whole.block
    if (old.data is None) != (new.data is None) or tears:
        raise Different(f"{old}, now {new}")
    if new.block and not old.block and old.size > 1:
        raise Different(f"{old} is now part of a copy, which may tear it")
    if done + part.size > whole.size:
        raise Different(f"{old}, now {new}")
    _require_context(comparison)
    context.reach(joint)
    context.stores(joint.states[0], old, context.stored)
    address = v.add(whole.address, done, width)
    one, other = (address, part.address) if big == 0 else (part.address, address)
    comparison.require(one, other, width, f"the address of a user {old.kind}")
    data: Word = 0
    piece: Word | None = None
    if whole.data is None:
        data = v.unknown(f"fetched {joint.moment} {whole.size}", 8 * whole.size)
        piece = v.piece(data, whole.size, done, part.size, terms.order)
    else:
        mine = v.piece(whole.data, whole.size, done, part.size, terms.order)
        assert part.data is not None
        one, other = (mine, part.data) if big == 0 else (part.data, mine)
        comparison.require(one, other, 8 * part.size, f"the data of {old}")
        context.leaks |= comparison.leaks
    small = succeeded(context.side(1 - big, joint), part, piece)
    joint = joint.with_state(1 - big, small)
    done += part.size
    if done < whole.size:
        made = joint.with_event(1 - big, None).with_event(big, whole)
        return [replace(made, rest=Rest(big, whole, data, done))]
    loaded = data if whole.data is None else None
    joint = joint.with_state(big, succeeded(context.side(big, joint), whole, loaded))
    history = (*joint.history, Made(whole.address, whole.size, loaded))
    return [continued(joint, joint.states, history=history)]


def _require_context(comparison: Comparison) -> None:
    """Compare what others can see at an access, which may sleep.

    After a fault, or within a copy, only per-CPU and per-task counters, such as that of pagefault_disable().
    """
    context, joint = comparison.context, comparison.joint
    if joint.rest is None and not any(state.faulted for state in joint.states):
        require_heaps(comparison)
        return
    percpu = context.arch.layout.percpu
    tasks = {task.base for task in context.stable.tasks(context.codes[0])}

    def matters(base: tuple[int, ...], at: int) -> bool:
        return base in tasks if base else 0 <= at - percpu < 1 << 32

    require_heaps(comparison, matters=matters)


def _effects(comparison: Comparison, old: Effect, new: Effect) -> Joint:
    context, joint = comparison.context, comparison.joint
    if old.name != new.name or len(old.operands) != len(new.operands):
        raise Different(f"{old}, now {new}")
    for (was, width), (now, _) in zip(old.operands, new.operands, strict=True):
        comparison.require(was, now, width, f"an operand of {old}")
    if old.publishes:
        require_heaps(comparison)
    joint = _observing(comparison, old)
    states = [effected(context.side(n, joint), f"{joint.moment}") for n in (0, 1)]
    return continued(joint, states)


def _observing(comparison: Comparison, effect: Effect) -> Joint:
    """Let others write before an effect by which their writes become visible.

    A load after it need not return what a load before it did: a bit lock, a barrier, a load-acquire. After an
    effect that publishes, others may also have overwritten what this function wrote.
    """
    context, joint = comparison.context, comparison.joint
    if effect.publishes:
        escaped, shown = published(comparison)
        old, new = (
            replace(state, heap=next_epoch(state.heap, False)) for state in joint.states
        )
        old = overwritten(context, joint, 0, old, escaped)
        new = overwritten(context, joint, 1, new, escaped)
        return replace(joint, states=(old, new), escaped=escaped, shown=shown)
    if effect.reads:
        for number, state in enumerate(joint.states):
            epoch = state.heap.epoch + 1
            heap = replace(state.heap, epoch=epoch, fresh=(), settled=None)
            joint = joint.with_state(number, replace(state, heap=heap))
    return joint


def _ends(comparison: Comparison, old: End, new: End) -> list[Joint]:
    context, joint = comparison.context, comparison.joint
    if old.how != new.how:
        raise Different(f"{old}, now {new}")
    if joint.refused:
        if joint.states[0].faulted and old.how == RETURNED:
            _results(comparison)
        return [permitting.refused_end(context, joint)]
    if old.how == RETURNED:
        _results(comparison)
        permitting.require_pointers(context, joint)
        if not joint.states[0].faulted:
            context.answers.append((joint.path, _result(context, joint.states[0])))
    faulted = both_failed(joint)
    one, other = (state.faulted for state in joint.states)
    late = LATE in joint.permitted or bool(other and not one)
    permitted = joint.permitted | require_heaps(comparison, faulted, late=late)
    unreported = permitted & REPORTED
    if unreported and not _is_reported(context, joint):
        raise Different(f"the result does not report a fault, and {min(unreported)}")
    return [replace(joint, permitted=permitted, events=DONE)]


def _results(comparison: Comparison) -> None:
    context = comparison.context
    one, other = (_result(context, state) for state in comparison.joint.states)
    if one is None or other is None:
        return
    if is_poison(v.plain(one)):
        # Callers cannot depend on an uninitialised result.
        context.notes.add(UNDEFINED)
        return
    assert context.result is not None
    comparison.require(one, other, 8 * context.result.size, "the result")


def _result(context: Context, state: State) -> Word | None:
    """The value that is returned in registers, None if there is none."""
    kind, arch = context.result, context.arch
    if kind is None or not is_returned(arch.convention, kind):
        return None
    width = context.width
    low, *high = (state.registers[r] for r in arch.registers.result(kind.size))
    word = v.concat(high[0], low, width, width) if high else low
    return v.extract(word, 8 * kind.size - 1, 0)


def _is_reported(context: Context, joint: Joint) -> bool:
    """Whether the result tells callers of a fault: an error, or a result that needs looking at.

    The latter are those that no path without a fault may have (permitting.py).
    """
    word = _result(context, joint.states[0])
    if word is None or context.result is None:
        return False
    bits = 8 * context.result.size
    if bits > 8 and not context.solver.possible(
        joint.path, permitting.no_error(word, bits)
    ):
        return True
    context.reports.append((joint.path, word))
    return True
