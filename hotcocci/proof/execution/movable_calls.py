# SPDX-License-Identifier: GPL-2.0
"""Find the calls that may move up: those whose results are seen in stores to user memory.

Both sides run again with another result of the call. If that changes the same stored bytes on both,
and nothing else, the call only computes a stored value.
"""

from __future__ import annotations

from dataclasses import replace

from hotcocci.proof.execution.heap import releases
from hotcocci.proof.execution.inputs import Input, Result
from hotcocci.proof.execution.call_order import before, extra_calls, moved_calls
from hotcocci.proof.execution.pair import Pair, Ran, both
from hotcocci.proof.execution.trace import STORE, Access, Fault, Trace

# Bits that are flipped for another result; bit 0 decides boolean results.
FLIPS = (0x1, 0x5555_5555_5555_5555, 0x100, 0x4000_0000)


def settled(pair: Pair, given: Input) -> Ran | None:
    """Run both sides and determine which calls may move up.

    Adds these calls to the pair's permissions, or removes them for good if a run refutes them.
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
    """Repeat a run with ``early`` calls, and with those that only the new code makes."""
    given, old, new, _ = ran
    early |= given.early | extra_calls(old, new, pair.permissions.early)
    if early == given.early:
        return ran
    made = replace(given, early=early)
    # Early calls differ only in how memory changes.
    return both(pair, made) if given.moving else (made, *ran[1:])


def _is_value(pair: Pair, ran: Ran, which: Result) -> bool:
    """Whether the result of a call is only used for values stored after it."""
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
    """The user bytes stored after a call that differ; empty if anything else differs."""
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
