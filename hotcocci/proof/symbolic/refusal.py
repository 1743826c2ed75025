# SPDX-License-Identifier: GPL-2.0
"""Follow old code that was refused its window beside new code that masks the address.

masked_user_access_begin() refuses no range: what is outside user space faults when it is accessed. The
old code is followed as if it had not been refused, and faults there too, so that loops run side by
side. Once the new code has faulted, its rest is compared with that of the refusal. Without a fault both
go on, which is the difference `UNREFUSED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import z3

from hotcocci.proof.symbolic import step
from hotcocci.proof.symbolic.access import Side, chosen
from hotcocci.proof.symbolic.joint import Context, Joint
from hotcocci.proof.symbolic.prover import LATE, UNREFUSED
from hotcocci.proof.symbolic.state import (
    Event,
    ForkNeeded,
    Path,
    State,
    Turn,
    UnsupportedError,
    ViolationError,
)

# Limit on the steps of a range check.
STEPS = 64


def followed(context: Context, joint: Joint) -> list[Joint]:
    """The joint states that come next because of a refused window; none if there is none.

    Raises ForkNeeded.
    """
    new = joint.states[1]
    if joint.refusal is None:
        return _entered(context, joint) if _is_masked(joint) else []
    made = replace(joint, refusal=None)
    if new.faulted:
        events = (None, joint.events[1])
        made = replace(made, states=(joint.refusal, new), events=events)
        return [replace(made, permitted=joint.permitted | {LATE})]
    if not new.open:
        return [replace(made, permitted=joint.permitted | {UNREFUSED})]
    return []


def _is_masked(joint: Joint) -> bool:
    """Whether the old side was refused a window since the last event, and the new one masks instead."""
    old, new = joint.states
    at = f"{joint.moment}"
    return (
        not joint.refused
        and old.attempt is not None
        and old.asked is not None
        and old.asked[0] == at
        and new.attempt is None
        and new.unasked == at
        and not new.faulted
    )


def _entered(context: Context, joint: Joint) -> list[Joint]:
    """The joint states in which the old side enters the window that it was refused."""
    old, new = joint.states
    assert old.asked is not None
    at, state = old.asked
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
    found = []
    for each in entered:
        assert each.window is not None
        window = replace(each.window, refused=True)
        found.append(
            replace(
                joint,
                states=(replace(each, window=window), new),
                events=(None, joint.events[1]),
                refusal=state,
            )
        )
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
            return [
                each
                for way, holds in (
                    (True, fork.condition),
                    (False, z3.Not(fork.condition)),
                )
                for each in _ways(
                    side,
                    before,
                    at,
                    {**forced, fork.branch: way},
                    taken.with_(z3.simplify(holds)),
                )
            ]
        except (UnsupportedError, ViolationError):
            return []
        if _visible(event):
            return []
    return []


def _visible(event: Event | None) -> bool:
    return event is not None and not isinstance(event, Turn)
