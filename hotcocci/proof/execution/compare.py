# SPDX-License-Identifier: GPL-2.0
"""Compare what two runs with the same input show to the outside.

Only the differences in permitted.py are allowed where an access faults or a range is refused; any
other is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from itertools import zip_longest

from hotcocci.plural import count
from hotcocci.proof.permitted import AGAIN, CHECKED, LATE, PARTS, REFUSED, STOPS
from hotcocci.proof.execution.call_order import (
    alike,
    calls,
    more_often,
    needless_left_out,
    split,
)
from hotcocci.proof.execution.heap import zeroed_instead
from hotcocci.proof.execution.partial_copies import differing, part, without_part
from hotcocci.proof.execution.permissions import Permissions, Skipped
from hotcocci.proof.execution.space import PAGE, Layout
from hotcocci.proof.execution.trace import (
    ENDLESS,
    OOPS,
    STOPPED,
    STORE,
    UNKNOWN,
    Access,
    Call,
    Event,
    Fault,
    Trace,
)
from hotcocci.proof.execution.zeroed import byte, memory, same_at

# -EFAULT as an int and as a long, formatted like results.
EFAULT = ("0xfffffff2", "0xfffffffffffffff2")

# A run counts as endless if it takes this many times the instructions of the one that ended.
LONGER = 4

# Characters of one side of a printed line; the contents of a local take thousands.
LONGEST = 100


@dataclass(frozen=True)
class Outcome:
    """The result of comparing two runs: unusable, the same, or different.

    ``difference`` describes the first difference that is not permitted, or is empty. ``lost``:
    only the old run completed. ``left`` names bytes that the old code wrote and the new code may
    leave unwritten. ``doubt`` describes a difference that may not be real; the runs then count
    neither as different nor as the same.
    """

    usable: bool
    difference: str = ""
    permitted: frozenset[str] = frozenset()
    lost: bool = False
    left: frozenset[str] = frozenset()
    doubt: str = ""


def compare(
    old: Trace,
    new: Trace,
    layout: Layout,
    permissions: Permissions = Permissions(),
) -> Outcome:
    """Compare the runs of old and new code with one input.

    A difference is in doubt if one side calls a pure function more often than the other: each call
    has its own result here, while a kernel's returns the same again.
    """
    if not is_usable(old):
        return Outcome(False)
    found = _compared(old, new, layout, permissions)
    more = found.difference and not new.violations and more_often(old, new)
    if more:
        doubt = f"{more}() is called more often by one side, and only reads memory"
        return Outcome(True, doubt=doubt)
    return found


def _compared(
    old: Trace, new: Trace, layout: Layout, permissions: Permissions
) -> Outcome:
    """Compare two runs as compare() does, and take the results of calls as they are."""
    if new.violations:
        return Outcome(True, new.violations[0].text)
    if new.end == ENDLESS and old.instructions * LONGER < new.instructions:
        return Outcome(True, f"it {old.end}, now {new.detail}")
    if new.end in (ENDLESS, UNKNOWN):
        return Outcome(False, lost=True)
    if old.unchecked > new.unchecked and not _accesses(new.events):
        known = new.result in ("", *EFAULT)
        return Outcome(known, "", frozenset({CHECKED} if known else ()))
    if _is_refused(old, new, layout):
        # The rest is the error path, which the old code did not take here: compare it in other
        # runs.
        known = new.result in (old.result, *EFAULT)
        return Outcome(known, "", frozenset({REFUSED} if known else ()))
    if new.end == OOPS and (old.failed or old.result in EFAULT):
        # The old code did not use the bad pointer because a user access failed first. This run does
        # not show what happens if none fails.
        return Outcome(False, lost=True)
    if old.end != new.end:
        return Outcome(True, f"it {old.end}, now it {_ended(new)}")
    if old.result != new.result:
        return Outcome(
            True,
            f"it returned {old.result or 'nothing'}, now {new.result or 'nothing'}",
        )
    shorter = _shorter(old, new)
    if shorter:
        return Outcome(True, shorter)
    old = needless_left_out(old, new)
    before, after = _effects(old.events), _effects(new.events)
    if before == after and old.written == new.written:
        return Outcome(True, doubt=_doubt(old, new))
    return _explained(old, new, layout, permissions)


def _ended(trace: Trace) -> str:
    """How a run ended, with the detail: "stopped in BUG()", "oopsed accessing 0x0"."""
    where = f"in {trace.detail}" if trace.end == STOPPED else trace.detail
    return f"{trace.end} {where}".strip()


def _shorter(old: Trace, new: Trace) -> str:
    """Describe a range check that became shorter although the rest is still accessed unchecked.

    A check that is dropped altogether shows in runs with kernel pointers.
    """
    if old.failed or new.failed or not old.done:
        return ""
    for end in sorted(old.checked):
        near = [now for now in new.checked if abs(now - end) < PAGE]
        beyond = near and any(max(near) < at <= end for at in new.trusting)
        if beyond:
            less = end - max(near)
            return f"the checked range ends {count(less, 'byte')} earlier, at {max(near):#x}"
    return ""


def _doubt(old: Trace, new: Trace) -> str:
    """Describe a difference between volatile accesses.

    The line table may attribute an access to another statement, so addresses that only one side
    accesses are ignored.
    """
    if old.volatile == new.volatile or old.failed or new.failed:
        return ""
    both = {at for _, at, _ in old.volatile} & {at for _, at, _ in new.volatile}
    was, now = (
        [each for each in trace.volatile if each[1] in both] for trace in (old, new)
    )
    for one, other in zip_longest(was, now):
        if one != other:
            return f"volatile accesses may differ: {_volatile(one)}, now {_volatile(other)}"
    return ""


def _volatile(access: tuple[str, int, int] | None) -> str:
    if access is None:
        return "none"
    kind, address, size = access
    return f"{kind} {size} at {address:#x}"


def is_usable(old: Trace) -> bool:
    """Whether a run of the old code can be compared.

    The old code is taken to be right: runs that crash, do not end or violate a rule are not.
    """
    return old.end not in (ENDLESS, UNKNOWN, OOPS) and not old.violations


def _effects(events: Sequence[Event]) -> list[object]:
    """The visible events; a fault itself is not one."""
    return [event for event in events if not isinstance(event, Fault)]


def _explained(
    old: Trace, new: Trace, layout: Layout, permissions: Permissions
) -> Outcome:
    """Check whether permitted differences explain everything that differs."""
    permitted: set[str] = set()
    before, after = split(old.events, new.events)
    repeated: set[str] = set()
    before = _stored_once(before, repeated)
    after = _stored_once(after, permitted)
    permitted -= repeated
    first = next((n for n, e in enumerate(before) if isinstance(e, Fault)), None)
    fault = before[first] if first is not None else None
    # Inline checks refuse an access before it can fault.
    faulted = first is not None or old.result in EFAULT
    skipped = Skipped(old, new, permissions)
    old_accesses, new_accesses = _accesses(before), _accesses(after)
    if old_accesses != new_accesses:
        known = _accesses(before[:first]) if first is not None else old_accesses
        if first is not None and new_accesses == known and skipped.of_one_run():
            permitted.add(STOPS)
        elif (
            isinstance(fault, Fault)
            and new_accesses == old_accesses[: len(new_accesses)]
            and _outside(fault, layout)
            and skipped.of_one_run()
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
    doubt = _zeroed(before, after)
    if doubt:
        return Outcome(True, doubt=doubt)
    rest = without_part(old, before, after, permitted)
    left: set[str] = set()

    def same_memory(was: Call, now: Call) -> bool:
        return was.written == now.written or (
            faulted and same_at(was, now, skipped, permitted)
        )

    difference = calls(
        (before, rest), permissions.early, faulted, same_memory, permitted
    )
    if difference:
        return Outcome(True, difference)
    copied = part(old)
    if copied is not None and copied.explains(
        differing(old.written, new.written), old.written, new.written
    ):
        permitted.add(PARTS)
    elif old.written != new.written:
        if faulted:
            late = _refused_late(old_accesses, after, layout)
            difference = memory(
                old.written, new.written, skipped, permitted, left, late
            )
        else:
            difference = _memory(old, new)
        if difference:
            return Outcome(True, difference)
    return Outcome(True, "", frozenset(permitted), left=frozenset(left))


def _zeroed(before: Sequence[Event], after: Sequence[Event]) -> str:
    """Describe the first difference in calls if it is only who zeroes allocated memory."""
    both = ([e for e in events if isinstance(e, Call)] for events in (before, after))
    for was, now in zip(*both, strict=False):
        if not alike(was, now):
            if zeroed_instead(was, now):
                return f"whether {now.name}() or the function zeroes the memory: {was}, now {now}"
            return ""
    return ""


def _stored_once(events: Sequence[Event], permitted: set[str]) -> list[Event]:
    """The events without stores after a fault of bytes that are there already."""
    stored: dict[int, bytes] = {}
    found: list[Event] = []
    faulted = False
    for event in events:
        faulted = faulted or isinstance(event, Fault)
        if isinstance(event, Access) and event.kind == STORE:
            if faulted and stored.get(event.address) == event.data:
                permitted.add(AGAIN)
                continue
            stored[event.address] = event.data
        found.append(event)
    return found


def _accesses(events: Sequence[Event]) -> list[Access]:
    return [e for e in events if isinstance(e, Access)]


def _is_part(some: Sequence[Access], all_: Sequence[Access]) -> bool:
    """Whether ``some`` stores no byte that ``all_`` does not store."""
    left = Counter(a for a in some if a.kind == STORE)
    left.subtract(Counter(a for a in all_ if a.kind == STORE))
    return all(count <= 0 for count in left.values())


def _outside(fault: Fault, layout: Layout) -> bool:
    """Whether the address is outside user space, as opposed to an unmapped page."""
    return not layout.user_low <= fault.address < layout.user_high - fault.size + 1


def _is_refused(old: Trace, new: Trace, layout: Layout) -> bool:
    """Whether the new code refused a range that ends near the end of user space.

    The old run need not show a fault there: its inline checks refuse an access before it can fault,
    and it may never access the last bytes of the range.
    """
    before, after = (_accesses(e) for e in split(old.events, new.events))
    left = before[len(after) :]
    return (
        old.end == new.end
        and before[: len(after)] == after
        and any(layout.user_high - access.address <= PAGE for access in left)
    )


def _refused_late(
    old: Sequence[Access], after: Sequence[Event], layout: Layout
) -> bool:
    """Whether the new code faults at the end of user space where the old code failed its check."""
    faults = [e for e in after if isinstance(e, Fault)]
    if not faults or not _outside(faults[0], layout):
        return False
    return list(old) == _accesses(after)[: len(old)]


def _first(old: Sequence[Access], new: Sequence[Access]) -> str:
    for was, now in zip(old, new, strict=False):
        if was != now:
            return f"{was}, now {now}"
    if len(old) > len(new):
        return f"{old[len(new)]} is no longer made"
    return f"{new[len(old)]} was not made before"


def _memory(old: Trace, new: Trace) -> str:
    """Describe the first difference in kernel memory at the end."""
    at = min(differing(old.written, new.written))
    was, now = byte(old.written.get(at)), byte(new.written.get(at))
    return f"kernel memory at {at:#x} was {was}, now {now}"


def _lines(events: Sequence[Event], others: Sequence[Event]) -> list[str]:
    """One line per event; long accesses also show their first differing byte."""
    found = []
    for event, other in zip_longest(events, others[: len(events)]):
        line = str(event)
        if isinstance(event, Access) and isinstance(other, Access):
            bytes_ = enumerate(zip(event.data, other.data, strict=False))
            at = next((n for n, (a, b) in bytes_ if a != b), None)
            if line == str(other) and at is not None:
                line += f", {event.data[at]:#04x} at {event.address + at:#x}"
        found.append(line)
    return found


def side_by_side(old: Trace, new: Trace) -> tuple[str, ...]:
    """Both runs side by side, one event per line; "|" marks lines that differ."""
    was, now = _lines(old.events, new.events), _lines(new.events, old.events)
    shorter = _shorter(old, new)
    was += ["the checked range is longer"] if shorter else []
    now += [shorter] if shorter else []
    for address in sorted(old.written.keys() | new.written.keys()):
        before, after = old.written.get(address), new.written.get(address)
        if before != after:
            was.append(f"kernel memory at {address:#x}: {byte(before)}")
            now.append(f"kernel memory at {address:#x}: {byte(after)}")
    was.append(f"{_ended(old)} {old.result}".strip())
    now += [f"VIOLATION {v.text}" for v in new.violations]
    now.append(f"{_ended(new)} {new.result}".strip())
    pairs = list(zip_longest(was, now, fillvalue=""))
    width = min(max(len(left) for left, _ in pairs), LONGEST)
    lines = []
    for left, right in pairs:
        sign = " " if left == right else "|"
        lines.append(f"{_clipped(left, right):<{width}} {sign} {_clipped(right, left)}")
    return tuple(lines)


def _clipped(text: str, other: str) -> str:
    """A line of at most LONGEST characters, with the first that differs from the other side."""
    if len(text) <= LONGEST:
        return text
    differ = (n for n, (a, b) in enumerate(zip(text, other)) if a != b)
    at = next(differ, min(len(text), len(other)) if text != other else 0)
    start = max(0, min(at - LONGEST // 2, len(text) - LONGEST + 1))
    ahead = "…" if start else ""
    rest = text[start : start + LONGEST - len(ahead)]
    return ahead + (rest if start + len(rest) >= len(text) else rest[:-1] + "…")
