# SPDX-License-Identifier: GPL-2.0
"""Find a difference between the runs of old and new code with one input.

Nothing is proven here: a run shows that a counter-example of the symbolic engine is real. What may be
a permitted difference is none, though the engine knows more of what is permitted where.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, zip_longest

from hotcocci.plural import count as counted
from hotcocci.proof.execution import poison
from hotcocci.proof.execution.heap import FREES, releases, zeroed_instead
from hotcocci.proof.execution.library import PURE
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
from hotcocci.proof.idioms import TAKES_LOCK

# -EFAULT as an int and as a long, formatted like results.
EFAULT = ("0xfffffff2", "0xfffffffffffffff2")

# A run counts as endless if it takes this many times the instructions of the one that ended.
LONGER = 4

# Characters of one side of a printed line; the contents of a local take thousands.
LONGEST = 100

# Name suffixes of functions after which others see what was written, as after a return.
UNLOCKS = ("unlock", "_up", "up_read", "up_write")


def difference(old: Trace, new: Trace, layout: Layout, moving: bool) -> str:
    """The first difference that no rule permits; empty if there is none, or if a run shows nothing.

    ``moving``: kernel memory changed at calls.
    """
    if not is_usable(old):
        return ""
    if new.violations:
        return new.violations[0]
    found = _ended_otherwise(old, new) or _effects(old, new, layout)
    if not found or _is_refused(old, new, layout) or _is_doubtful(old, new, moving):
        return ""
    return found


def is_usable(old: Trace) -> bool:
    """Whether a run of the old code can be compared.

    The old code is taken to be right: runs that crash, do not end or violate a rule are not.
    """
    return old.end not in (ENDLESS, UNKNOWN, OOPS) and not old.violations


def _is_refused(old: Trace, new: Trace, layout: Layout) -> bool:
    """Whether the new code refuses a range that the old code did not, or only later.

    It may be one of kernel memory that was not checked before, or end near the end of user space: the
    inline checks of the old code refuse an access before it can fault, and it may never access the
    last bytes of the range.
    """
    if new.result not in ("", old.result, *EFAULT):
        return False
    if old.unchecked > new.unchecked and not new.accesses:
        return True
    before, after = _split(old, new)
    left = before[len(after) :]
    return (
        old.end == new.end
        and before[: len(after)] == after
        and any(layout.user_high - access.address <= PAGE for access in left)
    )


def _is_doubtful(old: Trace, new: Trace, moving: bool) -> bool:
    """Whether a difference may come from what is made up of calls.

    Each call of a pure function has its own result here, while a kernel's returns the same again.
    With ``moving``, the pointer to a lock may change while it is held, and what a call writes that
    moved is seen too early.
    """
    pure = (Counter(c.name for c in t.calls if c.name in PURE) for t in (old, new))
    if next(pure) != next(pure):
        return True
    return moving and (
        _releases_another_lock(old) or list(_before(old)) != list(_before(new))
    )


def _releases_another_lock(trace: Trace) -> bool:
    """Whether a run takes a lock, and then releases one that it did not take."""
    taken: set[str] = set()
    for call in trace.calls:
        if call.arguments and call.name in TAKES_LOCK:
            taken.add(call.arguments[0])
        elif call.arguments and call.name.endswith(UNLOCKS) and taken:
            if call.arguments[0] not in taken:
                return True
    return False


def _ended_otherwise(old: Trace, new: Trace) -> str:
    """Describe a difference in how the runs end, or in what they return."""
    if new.end == ENDLESS and old.instructions * LONGER < new.instructions:
        return f"it {old.end}, now {new.detail}"
    if old.end != new.end and new.end not in (ENDLESS, UNKNOWN):
        # Where a user access of the old code failed first, it did not use the bad pointer.
        if new.end == OOPS and (old.failed or old.result in EFAULT):
            return ""
        return f"it {old.end}, now it {_ended(new)}"
    if old.end == new.end and old.result != new.result:
        if poison.returned(old.result):
            return ""
        was, now = old.result or "nothing", new.result or "nothing"
        return f"it returned {was}, now {now}"
    return ""


def _ended(trace: Trace) -> str:
    """How a run ended, with the detail: "stopped in BUG()", "oopsed accessing 0x0"."""
    where = f"in {trace.detail}" if trace.end == STOPPED else trace.detail
    return f"{trace.end} {where}".strip()


def _effects(old: Trace, new: Trace, layout: Layout) -> str:
    """Describe the first difference in what two runs that ended alike did."""
    if old.end != new.end or poison.returned(old.result):
        return ""
    old = _needless_left_out(old, new)
    faulted = old.failed or new.failed or old.result in EFAULT
    accesses = _split(old, new)
    found = "" if faulted else _shorter(old, new)
    if accesses[0] != accesses[1] and not (faulted and _stops(old, new, layout)):
        found = found or _first(*accesses)
    unlike = (p for p in zip(old.calls, new.calls, strict=False) if not _is_alike(*p))
    first = next(unlike, None)
    if found or first is not None and zeroed_instead(*first):
        # The allocator or the function zeroes the memory.
        return found
    return _calls(old, new, faulted) or _memory(old.written, new.written, faulted)


def _stops(old: Trace, new: Trace, layout: Layout) -> bool:
    """Whether the new run only makes fewer accesses, as a window stops at the first fault.

    A copy that faults may transfer other bytes than accesses do, and a range that the old code checked
    may now fail at an access: then both only make no other stores.
    """
    before, after = map(Counter, _split(old, new))
    if not after - before:
        return True
    fault = next((e for e in new.events if isinstance(e, Fault)), None)
    late = fault is not None and not (
        layout.user_low <= fault.address <= layout.user_high - fault.size
    )
    if not (late or any(access.block for access in (*old.accesses, *new.accesses))):
        return False
    more, less = (
        any(access.kind == STORE for access in each)
        for each in (after - before, before - after)
    )
    return not (more and less)


def _shorter(old: Trace, new: Trace) -> str:
    """Describe a range check that became shorter although the rest is still accessed unchecked.

    A check that is dropped altogether shows in runs with kernel pointers.
    """
    for end in sorted(old.checked) if old.accesses else ():
        near = [now for now in new.checked if abs(now - end) < PAGE]
        if near and any(max(near) < at <= end for at in new.trusting):
            less = counted(end - max(near), "byte")
            return f"the checked range ends {less} earlier, at {max(near):#x}"
    return ""


def _split(*traces: Trace) -> tuple[list[Access], list[Access]]:
    """The accesses of two runs, as single bytes if any belongs to a copy, whose widths mean nothing."""
    old, new = (trace.accesses for trace in traces)
    if any(access.block for access in (*old, *new)):
        old, new = list(_bytes(old)), list(_bytes(new))
    return old, new


def _bytes(accesses: Sequence[Access]) -> Iterator[Access]:
    for access in accesses:
        for byte, at in zip(access.data, count(access.address), strict=False):
            yield Access(access.kind, at, bytes([byte]))


def _first(old: Sequence[Access], new: Sequence[Access]) -> str:
    for was, now in zip(old, new, strict=False):
        if was != now:
            return f"{was}, now {now}"
    if len(old) > len(new):
        return f"{old[len(new)]} is no longer made"
    return f"{new[len(old)]} was not made before"


def _calls(old: Trace, new: Trace, faulted: bool) -> str:
    """Describe the first difference in calls, or in their order relative to user accesses.

    A call whose result is stored may move before the accesses, and is then made even if one of them
    faults: only one that releases something counts.
    """
    before, after = old.calls, new.calls
    if faulted:
        after, more = _paired(before, after)
        if more:
            return f"{more[0]} was not made before" if releases(more[0].name) else ""
    for was, now in zip(before, after, strict=False):
        if not _is_alike(was, now):
            return f"{was}, now {now}"
        differing = _differing(dict(was.written), dict(now.written))
        if faulted:
            differing = {at for at in differing if _sees(now, at)}
        if differing and _memory(dict(was.written), dict(now.written), faulted):
            return f"memory differs at {now}"
    if len(before) > len(after):
        return f"{before[len(after)]} is no longer made"
    if len(after) > len(before):
        return f"{after[len(before)]} was not made before"
    return _moved(old, new)


def _moved(old: Trace, new: Trace) -> str:
    """Describe a call that moved over a user access which both sides make."""
    common = min(len(old.accesses), len(new.accesses))
    if any(access.block for access in (*old.accesses, *new.accesses)):
        return ""
    places = ([min(n, common) for n in _before(trace)] for trace in (old, new))
    for call, was, now in zip(new.calls, *places, strict=True):
        if now > was:
            return f"{call.name}() is now called after a user access it used to precede"
        if now < was and releases(call.name):
            return f"{call.name}() is now called before a user access it used to follow"
    return ""


def _before(trace: Trace) -> Iterator[int]:
    """The number of user accesses before each call."""
    accesses = 0
    for event in trace.events:
        if isinstance(event, Call):
            yield accesses
        accesses += isinstance(event, Access)


def _paired(old: Sequence[Call], new: Sequence[Call]) -> tuple[list[Call], list[Call]]:
    """Split the new calls into those that match old ones, in order, and additional ones."""
    left = list(old)
    same, extra = [], []
    for each in new:
        if left and _is_alike(left[0], each):
            left.pop(0)
            same.append(each)
        else:
            extra.append(each)
    # The order differs: let the caller compare call by call, for a better message.
    return (list(new), []) if left else (same, extra)


def _is_alike(was: Call, now: Call) -> bool:
    """Whether two calls are equal, apart from the memory they find."""
    return was.name == now.name and was.arguments == now.arguments


def _sees(call: Call, address: int) -> bool:
    """Whether a call may read kernel memory at an address, judging by its arguments."""
    if call.name.endswith(UNLOCKS) or call.name in FREES:
        return False
    words = [word for argument in call.arguments for word in argument.split()]
    numbers = [int(word, 16) for word in words if word.startswith("0x")]
    return any(abs(number - address) < PAGE for number in numbers)


def _memory(was: Mapping[int, int], now: Mapping[int, int], faulted: bool) -> str:
    """Describe the first difference in kernel memory; empty if there is none.

    After a fault, the destination of a load may be left as it was, or be zeroed.
    """
    for at in sorted(_differing(was, now)):
        if not (faulted and not now.get(at)):
            before, after = byte(was.get(at)), byte(now.get(at))
            return f"kernel memory at {at:#x} was {before}, now {after}"
    return ""


def _differing(was: Mapping[int, int], now: Mapping[int, int]) -> set[int]:
    """The addresses at which two records of memory differ."""
    return {at for at in was.keys() | now.keys() if was.get(at) != now.get(at)}


def byte(value: int | None) -> str:
    """A byte as text, "not written" for None."""
    return "not written" if value is None else f"{value:#04x}"


def _needless_left_out(old: Trace, new: Trace) -> Trace:
    """The old run without stores that changed nothing and that the new run does not make.

    Only the old run: a store that the new code adds may undo one of another CPU.
    """
    later = iter(new.calls)
    events: list[Event] = []
    for event in old.events:
        now = next(later, None) if isinstance(event, Call) else None
        if isinstance(event, Call) and now is not None:
            made = {at for at, _ in now.written}
            kept = {each for each in event.written if _is_kept(each[0], event, made)}
            event = replace(event, written=frozenset(kept))
        events.append(event)
    written = {
        at: value
        for at, value in old.written.items()
        if _is_kept(at, old, new.written.keys())
    }
    return replace(old, events=tuple(events), written=written)


def _is_kept(at: int, where: Call | Trace, made: Collection[int]) -> bool:
    """Whether a byte was changed, or is written by the other side as well."""
    return at not in where.same or at in made


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
    now += [f"VIOLATION {each}" for each in new.violations]
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
