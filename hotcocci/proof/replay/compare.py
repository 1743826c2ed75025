# SPDX-License-Identifier: GPL-2.0
"""The record of a run as visible outside the function, and a difference between those of old and new code.

Nothing is proven here, and what may be a permitted difference is none: the symbolic engine knows more
of what is permitted where.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, takewhile, zip_longest
from typing import TypeVar

from hotcocci.proof.known import CONFINED, DEBUGGING, PURE, allocator
from hotcocci.proof.objects.compiled import Side
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.objects.signatures import Local
from hotcocci.proof.symbolic.x86 import CONVENTION, LAYOUT
from hotcocci.proof.replay.cpu import POISON, RSP, Cpu, Space, filling
from hotcocci.proof.symbolic.joint import named
from hotcocci.proof.symbolic.prover import Input, Question
from hotcocci.proof.symbolic.state import Window

LOAD = "load"
STORE = "store"

# How a run ended.
RETURNED = "returned"
# BUG(), or a function that does not return
STOPPED = "stopped"
# A real kernel would have crashed here
OOPS = "oopsed"
# Limits of the emulator, not of the kernel
ENDLESS = "endless"
UNKNOWN = "unknown"
# -EFAULT as an int and as a long, formatted like results.
EFAULT = ("0xfffffff2", "0xfffffffffffffff2")
# A run counts as endless if it takes this many times the instructions of the one that ended.
LONGER = 4
# Characters of one side of a printed line; the contents of a local take thousands.
LONGEST = 100
CLOSED = "user memory is accessed with user access closed"
# Words of the stack that are passed
_BYTES = re.compile(r"(?:[0-9a-f]{2})+")
# Limit on events of one run, which probably loops over random numbers.
EVENTS = 2_000


@dataclass(frozen=True)
class Access:
    """A user access; ``block`` if it is part of a copy, whose access widths mean nothing."""

    kind: str
    address: int
    data: bytes
    block: bool = False

    def __str__(self) -> str:
        data = self.data.hex(" ") if len(self.data) <= 16 else f"{len(self.data)} bytes"
        return f"user {self.kind} {len(self.data)} at {self.address:#x}: {data}"


@dataclass(frozen=True)
class Fault:
    """A user access that faulted."""

    kind: str
    address: int
    size: int

    def __str__(self) -> str:
        return f"user {self.kind} {self.size} at {self.address:#x}: faults"


@dataclass(frozen=True)
class Call:
    """A call that left the function, with arguments in a form shared by both sides.

    ``written`` is all kernel memory changed so far, as (address, byte). One ``of_null`` has a pointer alone, which is NULL.
    """

    name: str
    arguments: tuple[str, ...]
    written: frozenset[tuple[int, int]] = frozenset()
    of_null: bool = False

    def __str__(self) -> str:
        return f"call {self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Warned:
    """A WARN() that fired."""

    def __str__(self) -> str:
        return "WARN"


Event = Access | Fault | Call | Warned
Kind = TypeVar("Kind", Access, Fault, Call)


@dataclass
class Trace:
    """One run, also while it goes on.

    ``result`` is the result in a form shared by both sides, empty for void. ``written`` is the kernel memory that
    was changed, without the stack. ``violations`` are violations of rules that hold for every run. ``detail`` says
    why a run ended abnormally. ``in_kernel`` counts the user accesses that went to kernel memory. ``leaves_user``
    says whether a window opened whose range does so, which a mask does not refuse.
    """

    events: list[Event] = field(default_factory=list)
    end: str = ""
    result: str = ""
    written: dict[int, int] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    detail: str = ""
    instructions: int = 0
    in_kernel: int = 0
    leaves_user: bool = False

    def of(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]


@dataclass(kw_only=True)
class Run(Trace):
    """A run of one side, and its record, in which pointers have a form shared by both sides.

    ``called`` counts the calls by name. ``previous`` is the previous instruction, ``window`` the open window. ``hits`` counts
    the accesses to the address in Input.hit, ``lost`` are the bytes of user memory that faulted.
    ``frame`` is the CFA of the tested function, whose variables are ``locals``.
    """

    question: Question
    side: Side
    given: Input
    locals: tuple[Local, ...]
    cpu: Cpu = field(default_factory=Cpu)
    called: dict[str, int] = field(default_factory=dict)
    previous: int = 0
    window: Window | None = None
    hits: int = 0
    lost: set[int] = field(default_factory=set)
    frame: int = 0
    memory: Space = field(init=False)

    def __post_init__(self) -> None:
        image = self.side.image
        constants = self.question.processor.constants(image.registry)
        self.memory = Space(
            self.cpu.engine, LAYOUT, image.segments, constants, self.given.values
        )
        self.cpu.enter(self.memory)
        self.frame = self.cpu.read(RSP) + CONVENTION.frame

    def stop(self, end: str, detail: str = "") -> None:
        """End the run; only the first reason is kept."""
        if not self.end:
            self.end, self.detail = end, detail
        self.cpu.engine.emu_stop()

    def event(self, event: Event) -> None:
        """Record an event that is visible outside the function; parts of a copy are joined."""
        last = self.events[-1] if self.events else None
        if isinstance(last, Access) and isinstance(event, Access):
            alike = last.block and event.block and last.kind == event.kind
            if alike and last.address + len(last.data) == event.address:
                self.events[-1] = replace(last, data=last.data + event.data)
                return
        self.events.append(event)
        if len(self.events) > EVENTS:
            self.stop(ENDLESS, f"it caused more than {EVENTS} events")

    def write(self, address: int, data: bytes) -> None:
        """Write kernel memory on behalf of the running code."""
        if not self.memory.is_stack(address):
            self.remember(address, data)
        self.memory.write(address, data)

    def remember(self, address: int, data: bytes) -> None:
        """Record what is about to be written to kernel memory, if that changes it."""
        name = self.named(int.from_bytes(data, "little")) if len(data) == 8 else ""
        shared = filling(name, 8) if name else data
        for at, (byte, known) in enumerate(zip(data, shared, strict=True), address):
            if byte == self.memory.clean(at):
                self.written.pop(at, None)
            else:
                self.written[at] = known

    def named(self, value: int) -> str:
        """A name for a pointer to the object's own code, constants or stack; empty for others.

        Where constants are does not count: an array of characters may take the place of a literal.
        """
        if self.memory.is_stack(value):
            return "stack"
        image = self.side.image
        return named(image, value) or image.contents(value) or ""


def difference(old: Trace, new: Trace) -> str:
    """The first difference that no rule permits; empty if there is none, or if the runs show nothing.

    The old code is taken to be right: runs that crash, do not end or violate a rule show nothing. Nor do those with a
    range that a check refuses and a mask does not: its size may be one that never is, as a negative one.
    """
    if old.end in (ENDLESS, UNKNOWN, OOPS) or old.violations or new.leaves_user:
        return ""
    if new.violations:
        return new.violations[0]
    if _is_doubtful(old, new):
        return ""
    return _ended_otherwise(old, new) or _effects(old, new)


def _is_doubtful(old: Trace, new: Trace) -> bool:
    """Whether a difference may be permitted, or come from what is made up of calls.

    The new code may refuse a range of kernel memory that was not checked before, or one that ends near
    the end of user space, whose last bytes the old code may never access. Where the old code accessed nothing, it
    may have refused a range, in which new code with a masked pointer goes on until an access fails. Either an allocator or the
    function may zero the memory. What is passed may have no value on one side, and be padding, or be a literal on one side and a copy
    of it on the other. Each call of a pure function has its own result here, while a kernel's
    returns the same again. What frees something mostly does nothing with NULL, and neither
    rcu_read_lock() nor a call that serves debugging options changes what a trace shows.
    """
    before, after = _split(old, new)
    left = before[len(after) :]
    ends = any(LAYOUT.user_high - each.address <= PAGE for each in left)
    if new.result in ("", old.result, *EFAULT) and (
        ends or old.in_kernel > new.in_kernel
    ):
        return True
    if new.end == ENDLESS and after and not before:
        return True
    for was, now in zip(old.of(Call), new.of(Call), strict=False):
        unset = any(
            given != other
            and (_is_unset(given, other) or _is_copied(*sorted((given, other))))
            for given, other in zip(was.arguments, now.arguments, strict=False)
        )
        if unset or str(was) != str(now) and allocator(was.name, len(was.arguments)):
            return True
    several = (t.of(Call) for t in (old, new))
    unsure = [
        Counter(c.name for c in calls if c.of_null or c.name in PURE | DEBUGGING)
        for calls in several
    ]
    return unsure[0] != unsure[1]


def _is_unset(one: str, other: str) -> bool:
    """Whether contents of the stack differ only in bytes that one side has not set, and not in all that the new one passes."""
    was, now = (text.split() for text in (one, other))
    if was[:1] != ["stack"] or now[:1] != was[:1] or len(was) != len(now):
        return False
    pairs = [pair for pair in zip(was, now, strict=True) if pair[0] != pair[1]]
    if not all(_BYTES.fullmatch(word) for pair in pairs for word in pair):
        return False
    differing = (
        both
        for words in pairs
        for both in zip_longest(*map(bytes.fromhex, words))
        if both[0] != both[1]
    )
    is_set = "".join(now[1:]).replace(POISON.hex(), "") != ""
    return is_set and all(POISON[0] in both for both in differing)


def _is_copied(literal: str, other: str) -> bool:
    """Whether contents of the stack are those of a literal, which the callee need not write."""
    head, *words = other.split()
    if head != "stack" or not all(map(_BYTES.fullmatch, words)):
        return False
    held = bytes.fromhex("".join(words))
    return literal == repr(held[:-1].decode("latin-1")) and held[-1:] == b"\0"


def _ended_otherwise(old: Trace, new: Trace) -> str:
    """Describe a difference in how the runs end, or in what they return."""
    if new.end == ENDLESS and old.instructions * LONGER < new.instructions:
        return f"it {old.end}, now {new.detail}"
    if old.end != new.end and new.end not in (ENDLESS, UNKNOWN):
        # Where a user access of the old code failed first, it did not use the bad pointer.
        if new.end == OOPS and (old.of(Fault) or old.result in EFAULT):
            return ""
        return f"it {old.end}, now it {_ended(new)}"
    if old.end == new.end and old.result != new.result and not _is_poison(old.result):
        was, now = old.result or "nothing", new.result or "nothing"
        return f"it returned {was}, now {now}"
    return ""


def _is_poison(result: str) -> bool:
    """Whether a result is what an uninitialised local holds, which cannot be compared."""
    digits = result.removeprefix("0x")
    return len(digits) in (8, 16) and digits == POISON.hex() * (len(digits) // 2)


def _ended(trace: Trace) -> str:
    """The end of a run, with the detail: "stopped in BUG()", "oopsed accessing 0x0"."""
    where = f"in {trace.detail}" if trace.end == STOPPED else trace.detail
    return f"{trace.end} {where}".strip()


def _effects(old: Trace, new: Trace) -> str:
    """Describe the first difference in what two runs that ended alike did."""
    if old.end != new.end or _is_poison(old.result):
        return ""
    before, after = _split(old, new)
    if old.of(Fault) or new.of(Fault) or old.result in EFAULT:
        return _after_fault(old, new)
    if before != after and not _reads_less(before, after):
        return _first(before, after)
    return _calls(old.of(Call), new.of(Call)) or _memory(old.written, new.written)


def _reads_less(before: Sequence[Access], after: Sequence[Access]) -> bool:
    """Whether loads are gone and nothing else: without a fault, nobody sees that a value is not read."""
    left = iter(after)
    expected = next(left, None)
    for access in before:
        if access == expected:
            expected = next(left, None)
        elif access.kind == STORE:
            return False
    return expected is None


def _after_fault(old: Trace, new: Trace) -> str:
    """Describe another call before the fault, or an access that the old code did not make.

    What else differs may be permitted: accesses stop, destinations are not zeroed, a copy transfers
    other bytes, a range that was checked fails at an access.
    """
    found = _unlike(_before_fault(old), _before_fault(new))
    if found or any(access.block for access in (*old.of(Access), *new.of(Access))):
        return found
    if any(fault.address >= LAYOUT.user_high - PAGE for fault in new.of(Fault)):
        return ""
    more = Counter(new.of(Access)) - Counter(old.of(Access))
    return f"{next(iter(more))} was not made before" if more else ""


def _before_fault(trace: Trace) -> list[Call]:
    """The calls before the first fault."""
    made = takewhile(lambda event: not isinstance(event, Fault), trace.events)
    return [event for event in made if isinstance(event, Call)]


def _split(*traces: Trace) -> tuple[list[Access], list[Access]]:
    """The accesses of two runs, as single bytes if any belongs to a copy, whose widths mean nothing."""
    old, new = (trace.of(Access) for trace in traces)
    if any(access.block for access in (*old, *new)):
        old, new = list(_bytes(old)), list(_bytes(new))
    return old, new


def _bytes(accesses: Sequence[Access]) -> Iterator[Access]:
    for access in accesses:
        for byte, at in zip(access.data, count(access.address), strict=False):
            yield Access(access.kind, at, bytes([byte]))


def _first(old: Sequence[Access], new: Sequence[Access]) -> str:
    unlike = (f"{a}, now {b}" for a, b in zip(old, new, strict=False) if a != b)
    return next(unlike, _more(old, new))


def _more(old: Sequence[Event], new: Sequence[Event]) -> str:
    """Describe the first event that only the longer run has; empty if both are as long."""
    if len(old) > len(new):
        return f"{old[len(new)]} is no longer made"
    return f"{new[len(old)]} was not made before" if len(new) > len(old) else ""


def _calls(before: Sequence[Call], after: Sequence[Call]) -> str:
    """Describe the first difference in calls, which may move over user accesses."""
    found = _unlike(before, after)
    if found:
        return found
    for was, now in zip(before, after, strict=False):
        if was.written != now.written and now.name not in CONFINED:
            return f"memory differs at {now}"
    return _more(before, after)


def _unlike(before: Sequence[Call], after: Sequence[Call]) -> str:
    """Describe the first call that differs from the one in its place, apart from the memory it finds."""
    for call, other in zip(before, after, strict=False):
        was, now = str(call), str(other)
        if was != now:
            name = f"call {call.name}(): " if len(was) > LONGEST else ""
            return f"{name}{_clipped(was, now)}, now {_clipped(now, was)}"
    return ""


def _memory(was: Mapping[int, int], now: Mapping[int, int]) -> str:
    """Describe the first difference in kernel memory; empty if there is none."""
    for at in sorted(was.keys() | now.keys()):
        if was.get(at) != now.get(at):
            before, after = byte(was.get(at)), byte(now.get(at))
            return f"kernel memory at {at:#x} was {before}, now {after}"
    return ""


def byte(value: int | None) -> str:
    """A byte as text, "not changed" for None."""
    return "not changed" if value is None else f"{value:#04x}"


def side_by_side(old: Trace, new: Trace) -> tuple[str, ...]:
    """Both runs side by side, one event per line; "|" marks lines that differ."""
    was, now = _lines(old.events, new.events), _lines(new.events, old.events)
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
