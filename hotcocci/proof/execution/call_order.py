# SPDX-License-Identifier: GPL-2.0
"""Compare calls and their order relative to user accesses.

Only a call whose result is stored may move up (movable_calls.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from hotcocci.proof.execution.heap import FREES
from hotcocci.proof.execution.inputs import Result
from hotcocci.proof.execution.library import PURE
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Access, Call, Event, Trace
from hotcocci.proof.idioms import TAKES_LOCK
from hotcocci.proof.permitted import CALLED

# Name suffixes of functions after which others see what was written, as after a return.
UNLOCKS = ("unlock", "_up", "up_read", "up_write")


def moved_calls(old: Trace, new: Trace) -> dict[Result, int]:
    """The calls that now follow fewer accesses, with the new code's call instructions."""
    both = split(old.events, new.events)
    befores = [list(before(events)) for events in both]
    found = {}
    for (was, which, accesses), (now, _, fewer) in zip(*befores, strict=False):
        if alike(was, now) and fewer < accesses:
            found[which] = now.site
    return found


def extra_calls(old: Trace, new: Trace, early: frozenset[int]) -> frozenset[Result]:
    """The calls that only the new code makes, restricted to the instructions in ``early``."""
    left = [e for e in old.events if isinstance(e, Call)]
    found = set()
    for call, which, _ in before(new.events):
        if left and alike(left[0], call):
            left.pop(0)
        elif call.site in early:
            found.add(which)
    return frozenset(found)


def before(events: Iterable[Event]) -> Iterator[tuple[Call, Result, int]]:
    """Each call, numbered among those of its name, with the number of accesses before it."""
    accesses = 0
    seen: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Access):
            accesses += 1
        elif isinstance(event, Call):
            yield event, Result(event.name, seen[event.name]), accesses
            seen[event.name] += 1


def split(*traces: Sequence[Event]) -> list[list[Event]]:
    """Split accesses into bytes if any belongs to a copy, whose access widths mean nothing."""
    if not any(isinstance(e, Access) and e.block for events in traces for e in events):
        return [list(events) for events in traces]
    return [list(_bytes(events)) for events in traces]


def _bytes(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Access):
            for byte, at in zip(event.data, count(event.address), strict=False):
                yield Access(
                    event.kind,
                    at,
                    bytes([byte]),
                    site=event.site,
                    window=event.window,
                )
        else:
            yield event


def calls(
    events: tuple[Sequence[Event], Sequence[Event]],
    early: frozenset[int],
    faulted: bool,
    same_memory: Callable[[Call, Call], bool],
    permitted: set[str],
) -> str:
    """Describe the first difference in calls or in their order relative to accesses.

    ``events`` are split, old ones first. ``early`` are call instructions of the new code that may
    move up. With ``faulted``, one side may have skipped accesses. ``same_memory`` compares the
    memory that two calls find.
    """
    old, new = (list(before(each)) for each in events)
    if faulted:
        new, extra = _paired(old, new)
        if extra and all(call.site in early for call, *_ in extra):
            permitted.add(CALLED)
        elif extra:
            return f"{extra[0][0]} was not made before"
    for (was, *_), (now, *_) in zip(old, new, strict=False):
        if not alike(was, now):
            return f"{was}, now {now}"
        if not same_memory(was, now):
            return f"memory differs at {now}"
    if len(old) != len(new):
        if len(old) > len(new):
            return f"{old[len(new)][0]} is no longer made"
        return f"{new[len(old)][0]} was not made before"
    accesses = [[e for e in each if isinstance(e, Access)] for each in events]
    # Accesses that only one side makes have no order relative to calls.
    common = min(map(len, accesses))
    for (was, _, first), (now, _, second) in zip(old, new, strict=True):
        left, right = min(first, common), min(second, common)
        if right > left:
            return f"{now.name}() is now called after a user access it used to precede"
        if right == left:
            continue
        if now.site not in early:
            return (
                f"{now.name}() is now called before a user access it used to follow, "
                "and no run shows that its result is stored"
            )
        if _reaches(now, accesses[1]):
            return f"{now.name}() is now called before an access to memory it is passed"
        permitted.add(CALLED)
    return ""


_Numbered = tuple[Call, Result, int]


def _paired(
    old: Sequence[_Numbered], new: Sequence[_Numbered]
) -> tuple[list[_Numbered], list[_Numbered]]:
    """Split the new calls into those that match old ones, in order, and additional ones."""
    left = list(old)
    same, extra = [], []
    for each in new:
        if left and alike(left[0][0], each[0]):
            left.pop(0)
            same.append(each)
        else:
            extra.append(each)
    # The order differs: let the caller compare call by call, for a better message.
    return (list(new), []) if left else (same, extra)


def alike(was: Call, now: Call) -> bool:
    """Whether two calls are equal, apart from the memory they find."""
    return was.name == now.name and was.arguments == now.arguments


def _reaches(call: Call, accesses: Sequence[Access]) -> bool:
    """Whether an argument points near an accessed address, so that the call may read it."""
    numbers = [int(a, 16) for a in call.arguments if a.startswith("0x")]
    return any(
        abs(number - access.address) < PAGE for number in numbers for access in accesses
    )


def sees(call: Call, address: int) -> bool:
    """Whether a call may read kernel memory at an address, judging by its arguments."""
    if call.name.endswith(UNLOCKS) or call.name in FREES:
        return False
    words = [word for argument in call.arguments for word in argument.split()]
    numbers = [int(word, 16) for word in words if word.startswith("0x")]
    return any(abs(number - address) < PAGE for number in numbers)


def more_often(old: Trace, new: Trace) -> str:
    """A pure function that one run calls more often than the other, empty if there is none."""
    before, after = (
        Counter(e.name for e in each.events if isinstance(e, Call) and e.name in PURE)
        for each in (old, new)
    )
    return min((before - after) | (after - before), default="")


def another_lock(trace: Trace) -> str:
    """The call that releases a lock which the run did not take, where it takes one; or empty."""
    taken: set[str] = set()
    for event in trace.events:
        if not isinstance(event, Call) or not event.arguments:
            continue
        if event.name in TAKES_LOCK:
            taken.add(event.arguments[0])
        elif event.name.endswith(UNLOCKS) and taken:
            if event.arguments[0] not in taken:
                return event.name
    return ""


def needless_left_out(old: Trace, new: Trace) -> Trace:
    """The old run without stores that changed nothing and that the new run does not make.

    Only the old run: a store that the new code adds may undo one of another CPU.
    """
    later = iter([event for event in new.events if isinstance(event, Call)])
    events = list(old.events)
    for number, event in enumerate(events):
        now = next(later, None) if isinstance(event, Call) else None
        if isinstance(event, Call) and now is not None:
            made = {at for at, _ in now.written}
            left = {each for each in event.written if _is_kept(each[0], event, made)}
            events[number] = replace(event, written=frozenset(left))
    kept = {
        at: byte
        for at, byte in old.written.items()
        if _is_kept(at, old, new.written.keys())
    }
    return replace(old, events=tuple(events), written=kept)


def _is_kept(at: int, where: Call | Trace, made: Collection[int]) -> bool:
    """Whether a byte was changed, or is written by the other side as well."""
    return at not in where.same or at in made


def written(call: Call) -> Mapping[int, int]:
    """The kernel memory written before a call."""
    return dict(call.written)
