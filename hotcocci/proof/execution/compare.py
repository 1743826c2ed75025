# SPDX-License-Identifier: GPL-2.0
"""Do two runs of one input look alike from outside?

What a rewrite may change where an access faults, or where the range is refused, is known and
has a name each; anything else that differs is a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from types import MappingProxyType

from hotcocci.proof.permitted import (
    CALLED,
    CHECKED,
    LATE,
    PARTS,
    REFUSED,
    STOPS,
    ZEROED,
)
from hotcocci.proof.execution.parts import differing, part, without_part
from hotcocci.proof.execution.space import PAGE, Layout
from hotcocci.proof.execution.renumbered import renumbered
from hotcocci.proof.execution.trace import (
    ENDLESS,
    LOAD,
    OOPS,
    STORE,
    UNKNOWN,
    Access,
    Call,
    Event,
    Fault,
    Trace,
)

# -EFAULT as an int and as a long, in the form of results.
EFAULT = ("0xfffffff2", "0xfffffffffffffff2")

# A run without end takes more instructions than the one that ended by this factor.
LONGER = 4


@dataclass(frozen=True)
class Outcome:
    """What a comparison says: nothing (``usable`` is false), the same, or what differs.

    ``permitted`` are the permitted differences. ``difference`` is empty if there is no other.
    A run is ``lost`` if the old code came to its end and the new one to the emulator's.
    """

    usable: bool
    difference: str = ""
    permitted: frozenset[str] = frozenset()
    lost: bool = False


def compare(
    old: Trace,
    new: Trace,
    layout: Layout,
    moved: frozenset[str] = frozenset(),
    lines: Mapping[int, int] = MappingProxyType({}),
) -> Outcome:
    """Compare two runs; ``moved`` are calls that are known to be made earlier than before.

    ``lines`` tells of lines that are as they were the number before, and the one now.
    """
    if not is_usable(old):
        return Outcome(False)
    new = renumbered(old, new, lines)
    if new.violations:
        return Outcome(True, new.violations[0].text)
    if new.end == ENDLESS and old.instructions * LONGER < new.instructions:
        return Outcome(True, f"it {old.end}, and now {new.detail}")
    if new.end in (ENDLESS, UNKNOWN):
        return Outcome(False, lost=True)
    if old.unchecked and not new.unchecked and not _accesses(new.events):
        known = new.result in ("", *EFAULT)
        return Outcome(known, "", frozenset({CHECKED} if known else ()))
    if _is_refused(old, new, layout):
        # What else it did then is that of a fault, which was none before: only other runs tell.
        known = new.result in (old.result, *EFAULT)
        return Outcome(known, "", frozenset({REFUSED} if known else ()))
    if old.end != new.end:
        return Outcome(True, f"it {old.end}, and now it {new.end} {new.detail}".strip())
    if old.result != new.result:
        return Outcome(
            True,
            f"it returned {old.result or 'nothing'}, now {new.result or 'nothing'}",
        )
    before, after = _effects(old.events), _effects(new.events)
    if before == after and old.written == new.written:
        return Outcome(True)
    return _explained(old, new, layout, moved)


def is_usable(old: Trace) -> bool:
    """Whether a run of the code as it was says anything.

    That code is taken to be right: inputs that it was not written for say nothing.
    """
    return old.end not in (ENDLESS, UNKNOWN, OOPS) and not old.violations


def moved_calls(old: Trace, new: Trace) -> frozenset[str]:
    """The calls that are made before an access now and behind it before."""
    found = set()
    for name in {e.name for e in old.events if isinstance(e, Call)}:
        was, now = _before(old.events, name), _before(new.events, name)
        if len(was) == len(now) and any(b > a for a, b in zip(now, was, strict=True)):
            found.add(name)
    return frozenset(found)


def _before(events: Sequence[Event], name: str) -> list[int]:
    """How many accesses come before each call of a function."""
    found = []
    accesses = 0
    for event in events:
        if isinstance(event, Access):
            accesses += 1
        elif isinstance(event, Call) and event.name == name:
            found.append(accesses)
    return found


def _effects(events: Sequence[Event]) -> list[object]:
    """What others can see, in its order; a fault is seen by nobody."""
    return [event for event in events if not isinstance(event, Fault)]


def _explained(
    old: Trace, new: Trace, layout: Layout, moved: frozenset[str]
) -> Outcome:
    """Whether permitted differences explain all of what differs."""
    permitted: set[str] = set()
    before, after = list(old.events), list(new.events)
    if any(isinstance(e, (Access, Fault)) and e.block for e in (*before, *after)):
        before, after = _split(before), _split(after)
    first = next((n for n, e in enumerate(before) if isinstance(e, Fault)), None)
    fault = before[first] if first is not None else None
    # Where the checks are inline, they refuse an access before it can fault.
    faulted = first is not None or old.result in EFAULT
    old_accesses, new_accesses = _accesses(before), _accesses(after)
    if old_accesses != new_accesses:
        known = _accesses(before[:first]) if first is not None else old_accesses
        if first is not None and new_accesses == known:
            permitted.add(STOPS)
        elif (
            isinstance(fault, Fault)
            and new_accesses == old_accesses[: len(new_accesses)]
            and _outside(fault, layout)
        ):
            permitted.add(REFUSED)
        elif _refused_late(old_accesses, after, layout):
            permitted.add(LATE)
        elif (
            isinstance(fault, Fault)
            and fault.block
            and (
                _is_part(new_accesses, old_accesses)
                or _is_part(old_accesses, new_accesses)
            )
        ):
            permitted.add(PARTS)
        else:
            return Outcome(True, _first(old_accesses, new_accesses))
    rest = without_part(old, before, after, permitted)
    difference = _calls(before, rest, moved, layout, faulted, permitted)
    if difference:
        return Outcome(True, difference)
    left = part(old)
    if left is not None and left.explains(
        differing(old.written, new.written), old.written, new.written
    ):
        permitted.add(PARTS)
    elif old.written != new.written:
        difference = _memory(old, new, faulted and _zeroes(old), permitted)
        if difference:
            return Outcome(True, difference)
    return Outcome(True, "", frozenset(permitted))


def _accesses(events: Sequence[Event]) -> list[Access]:
    return [e for e in events if isinstance(e, Access)]


def _split(events: Sequence[Event]) -> list[Event]:
    """The same with every access taken apart into bytes: a copy's widths mean nothing."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, Access):
            found += [
                Access(event.kind, event.address + n, bytes([byte]))
                for n, byte in enumerate(event.data)
            ]
        else:
            found.append(event)
    return found


def _is_part(some: Sequence[Access], all_: Sequence[Access]) -> bool:
    """Whether one made no access that the other did not make, or more of the same kind of bytes."""
    left = Counter(a for a in some if a.kind == STORE)
    left.subtract(Counter(a for a in all_ if a.kind == STORE))
    return all(count <= 0 for count in left.values())


def _outside(fault: Fault, layout: Layout) -> bool:
    """Whether an access faulted for leaving user space, not for a page that is not there."""
    return not layout.user_low <= fault.address < layout.user_high - fault.size + 1


def _is_refused(old: Trace, new: Trace, layout: Layout) -> bool:
    """Whether accesses are not made any more whose object may leave user space.

    That it does need not show in what the old code did: where the checks are inline, one
    refuses before its access can fault, and the object's last bytes may never be accessed.
    """
    before, after = _accesses(_split(old.events)), _accesses(_split(new.events))
    left = before[len(after) :]
    return (
        old.end == new.end
        and before[: len(after)] == after
        and any(layout.user_high - access.address <= PAGE for access in left)
    )


def _refused_late(
    old: Sequence[Access], after: Sequence[Event], layout: Layout
) -> bool:
    """Whether one went on to where user space ends, and the other was told before."""
    faults = [e for e in after if isinstance(e, Fault)]
    if not faults or not _outside(faults[0], layout):
        return False
    return list(old) == _accesses(after)[: len(old)]


def _first(old: Sequence[Access], new: Sequence[Access]) -> str:
    for was, now in zip(old, new, strict=False):
        if was != now:
            return f"{was}, now {now}"
    if len(old) > len(new):
        return f"{old[len(new)]} is not made any more"
    return f"{new[len(old)]} was not made before"


def _calls(
    before: Sequence[Event],
    after: Sequence[Event],
    moved: frozenset[str],
    layout: Layout,
    faulted: bool,
    permitted: set[str],
) -> str:
    """What differs in the calls, and in their places between the accesses."""
    old = [e for e in before if isinstance(e, Call)]
    new = [e for e in after if isinstance(e, Call)]
    if faulted and moved:
        left = list(old)
        extra = []
        for call in new:
            if left and _alike(left[0], call):
                left.pop(0)
            else:
                extra.append(call)
        if not left and extra and all(call.name in moved for call in extra):
            permitted.add(CALLED)
            return ""
    for was, now in zip(old, new, strict=False):
        if not _alike(was, now):
            return f"{was}, now {now}"
        if was.written != now.written and not (faulted and _zeroed(was, now)):
            return f"memory differs at {now}"
    if len(old) != len(new):
        more = old[len(new)] if len(old) > len(new) else new[len(old)]
        return f"{more} is made {'no more' if len(old) > len(new) else 'and was not before'}"
    if faulted:
        return ""
    for name in {call.name for call in old}:
        was_at, now_at = _before(before, name), _before(after, name)
        if was_at == now_at:
            continue
        if any(now > was for was, now in zip(was_at, now_at, strict=True)):
            return f"{name}() is called after an access that it came before"
        accesses = _accesses(after)
        if any(_reaches(call, accesses) for call in new if call.name == name):
            return f"{name}() is called before an access to what it is given"
        permitted.add(CALLED)
    return ""


def _alike(was: Call, now: Call) -> bool:
    return was.name == now.name and was.arguments == now.arguments


def _reaches(call: Call, accesses: Sequence[Access]) -> bool:
    """Whether an argument points near what is accessed: the call may look at it."""
    numbers = [int(a, 16) for a in call.arguments if a.startswith("0x")]
    return any(
        abs(number - access.address) < PAGE for number in numbers for access in accesses
    )


def _zeroed(was: Call, now: Call) -> bool:
    return _only_zeroed(dict(was.written), dict(now.written))


def _only_zeroed(old: dict[int, int], new: dict[int, int]) -> bool:
    """Whether memory differs by bytes only that were zeroed before and are left alone now."""
    return all(old.get(a) == 0 and a not in new for a in differing(old, new))


def _zeroes(old: Trace) -> bool:
    """Whether a load was among what faulted, or came behind it: a store has no destination."""
    ways = [e for e in old.events if isinstance(e, (Access, Fault))]
    first = next((n for n, e in enumerate(ways) if isinstance(e, Fault)), 0)
    return not ways or any(e.kind == LOAD for e in ways[first:])


def _memory(old: Trace, new: Trace, zeroes: bool, permitted: set[str]) -> str:
    """What differs in kernel memory at the end; ``zeroes`` if a load may have zeroed some."""
    was, now = dict(old.written), dict(new.written)
    for address in sorted(was.keys() | now.keys()):
        if was.get(address) == now.get(address):
            continue
        untouched = address not in now
        if zeroes and untouched and was[address] == 0:
            permitted.add(ZEROED)
        elif zeroes and untouched and STOPS in permitted:
            pass
        else:
            return (
                f"kernel memory at {address:#x} was {_byte(was.get(address))}, "
                f"now {_byte(now.get(address))}"
            )
    return ""


def _byte(value: int | None) -> str:
    return "left alone" if value is None else f"{value:#04x}"


def side_by_side(old: Trace, new: Trace) -> tuple[str, ...]:
    """Both runs line by line: what only one of them did bears its sign."""
    was, now = [str(e) for e in old.events], [str(e) for e in new.events]
    for address in sorted(old.written.keys() | new.written.keys()):
        before, after = old.written.get(address), new.written.get(address)
        if before != after:
            was.append(f"kernel memory at {address:#x}: {_byte(before)}")
            now.append(f"kernel memory at {address:#x}: {_byte(after)}")
    was.append(f"{old.end} {old.result} {old.detail}".strip())
    now += [f"VIOLATION {v.text}" for v in new.violations]
    now.append(f"{new.end} {new.result} {new.detail}".strip())
    width = max((len(line) for line in was), default=0)
    lines = []
    for number in range(max(len(was), len(now))):
        left = was[number] if number < len(was) else ""
        right = now[number] if number < len(now) else ""
        sign = " " if left == right else "|"
        lines.append(f"{left:<{min(width, 100)}} {sign} {right}")
    return tuple(lines)
