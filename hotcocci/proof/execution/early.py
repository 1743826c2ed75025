# SPDX-License-Identifier: GPL-2.0
"""Which calls may be made earlier: those whose results are seen to be stored to user memory.

A call is made once more with another result, on both sides. Where the same bytes that are stored are
others then, and nothing else is, the call is a part of a value.
"""

from __future__ import annotations

from dataclasses import replace

from hotcocci.proof.execution.heap import releases
from hotcocci.proof.execution.inputs import Input, Result
from hotcocci.proof.execution.moved import before, extra_calls, moved_calls
from hotcocci.proof.execution.pair import Pair, Ran, both
from hotcocci.proof.execution.trace import STORE, Access, Fault, Trace

# What is tried as another result, as bits to turn round: the last bit decides what is a truth.
FLIPS = (0x1, 0x5555_5555_5555_5555, 0x100, 0x4000_0000)


def settled(pair: Pair, given: Input) -> Ran | None:
    """Run both sides, with the calls that may be made early known as such.

    Adds to the pair's permissions what the run shows.
    """
    ran = both(pair, given)
    if ran is None:
        return None
    _, old, new, _ = ran
    moved = moved_calls(old, new)
    fine = {which for which in moved if _is_value(pair, ran, which)}
    pair.refuted |= {site for which, site in moved.items() if which not in fine}
    early = pair.permissions.early | {moved[which] for which in fine}
    pair.permissions = replace(pair.permissions, early=early - pair.refuted)
    return again(pair, ran, frozenset(fine))


def again(pair: Pair, ran: Ran, early: frozenset[Result] = frozenset()) -> Ran | None:
    """The run as it is with these calls made early, and with those that only the new code comes to."""
    given, old, new, _ = ran
    early |= given.early | extra_calls(old, new, pair.permissions.early)
    if early == given.early:
        return ran
    made = replace(given, early=early)
    # Where memory does not change, it makes no difference.
    return both(pair, made) if given.moving else (made, *ran[1:])


def _is_value(pair: Pair, ran: Ran, which: Result) -> bool:
    """Whether the result of a call is a part of what is stored after it."""
    given, old, new, read = ran
    if releases(which.name) or which not in read:
        return False
    if any(name in old.unknown for name in (which.name, f"{which.name}()")):
        return False
    for flip in FLIPS:
        values = {**given.values, which: read[which] ^ flip}
        other = both(pair, replace(given, values=values))
        if other is None:
            continue
        stored = _changed(old, other[1], which)
        if stored and stored == _changed(new, other[2], which):
            return True
    return False


def _changed(one: Trace, other: Trace, which: Result) -> frozenset[int]:
    """The bytes of user memory that are stored to after a call and differ; empty if more does."""
    if (one.end, one.result) != (other.end, other.result):
        return frozenset()
    if len(one.events) != len(other.events):
        return frozenset()
    found: set[int] = set()
    made = False
    calls = {id(call): which_ for call, which_, _ in before(one.events)}
    for was, now in zip(one.events, other.events, strict=True):
        made = made or calls.get(id(was)) == which
        if isinstance(was, Access) and isinstance(now, Access):
            if (was.kind, was.address) != (now.kind, now.address):
                return frozenset()
            bytes_ = zip(was.data, now.data, strict=False)
            differs = {was.address + n for n, (a, b) in enumerate(bytes_) if a != b}
            if differs and (was.kind != STORE or not made):
                return frozenset()
            found |= differs
        elif type(was) is not type(now) or isinstance(was, Fault):
            return frozenset()
    return frozenset(found)
