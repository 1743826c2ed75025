# SPDX-License-Identifier: GPL-2.0
"""Calls that are made earlier than before, relative to the accesses.

Only a call whose result is stored may be: it is a part of a value. What shows that is in early.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count

from hotcocci.proof.execution.heap import FREES
from hotcocci.proof.execution.inputs import Result
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Access, Call, Event, Trace
from hotcocci.proof.permitted import CALLED

# Words of names of functions that let others see what was written, as returning does.
UNLOCKS = ("unlock", "_up", "up_read", "up_write")


def moved_calls(old: Trace, new: Trace) -> dict[Result, int]:
    """The calls before which fewer accesses are made now, and the instructions that make them now."""
    both = split(old.events, new.events)
    befores = [list(before(events)) for events in both]
    found = {}
    for (was, which, accesses), (now, _, fewer) in zip(*befores, strict=False):
        if alike(was, now) and fewer < accesses:
            found[which] = now.site
    return found


def extra_calls(old: Trace, new: Trace, early: frozenset[int]) -> frozenset[Result]:
    """The calls of the new code that the old one did not come to, made by one of these instructions."""
    left = [e for e in old.events if isinstance(e, Call)]
    found = set()
    for call, which, _ in before(new.events):
        if left and alike(left[0], call):
            left.pop(0)
        elif call.site in early:
            found.add(which)
    return frozenset(found)


def before(events: Iterable[Event]) -> Iterator[tuple[Call, Result, int]]:
    """Every call with its number among those of its name, and how many accesses come before it."""
    accesses = 0
    seen: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Access):
            accesses += 1
        elif isinstance(event, Call):
            yield event, Result(event.name, seen[event.name]), accesses
            seen[event.name] += 1


def split(*traces: Sequence[Event]) -> list[list[Event]]:
    """The same with every access taken apart into bytes where any is one of a copy: its widths mean nothing."""
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
    """What differs in the calls, and in their places between the accesses.

    ``events`` are split, the old ones first. ``early`` are the instructions of the new code
    whose calls may come before what they came after. With ``faulted`` accesses are skipped.
    ``same_memory`` tells whether two calls find the same, as far as that has to be.
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
    # Of accesses that one side skips, no call is before or after.
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
    """The new calls that were made before, in their order, and the others."""
    left = list(old)
    same, extra = [], []
    for each in new:
        if left and alike(left[0][0], each[0]):
            left.pop(0)
            same.append(each)
        else:
            extra.append(each)
    # Something is wrong that is better told by comparing them one by one.
    return (list(new), []) if left else (same, extra)


def alike(was: Call, now: Call) -> bool:
    """Whether two calls are the same, but for the memory that they find."""
    return was.name == now.name and was.arguments == now.arguments


def _reaches(call: Call, accesses: Sequence[Access]) -> bool:
    """Whether an argument points near what is accessed: the call may look at it."""
    numbers = [int(a, 16) for a in call.arguments if a.startswith("0x")]
    return any(
        abs(number - access.address) < PAGE for number in numbers for access in accesses
    )


def sees(call: Call, address: int) -> bool:
    """Whether a call may look at kernel memory at an address, told by what it is given."""
    if call.name.endswith(UNLOCKS) or call.name in FREES:
        return False
    words = [word for argument in call.arguments for word in argument.split()]
    numbers = [int(word, 16) for word in words if word.startswith("0x")]
    return any(abs(number - address) < PAGE for number in numbers)


def written(call: Call) -> Mapping[int, int]:
    """The kernel memory that was written before a call."""
    return dict(call.written)
