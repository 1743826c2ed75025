# SPDX-License-Identifier: GPL-2.0
"""The state of one side, and its events visible outside the function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3

from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.memory import Bytes, Heap, Place
from hotcocci.proof.symbolic.values import Truth, Word


@dataclass(frozen=True)
class Window:
    """The range of a user access window; ``directions`` as in objects/marks.py.

    ``refused``: its check fails, but it is followed as if it passed (permitting.py).
    """

    start: Word
    length: Word
    directions: int
    refused: bool = False


@dataclass(frozen=True)
class Inside:
    """The current user access routine: name, return address, call site, and whether it faulted."""

    name: str
    back: int
    site: int
    faulted: bool = False


@dataclass(frozen=True)
class State:
    """One side: registers by offset in VEX's guest state, memory, and pc.

    ``attempt`` is the window that was last requested, until it is open; ``asked`` is where that was, and the
    number of the event before it, and ``unasked`` that number where a window was last opened without a request.
    ``inside`` is the current user access routine. ``forks`` counts by branch, and call of such a routine or 0, how
    often both ways were possible. ``faulted`` is the direction of the first user access that faulted, and
    ``stopped`` its window; ``touched`` are the kernel objects that were accessed. ``torn`` is the last copy that
    faulted. ``target`` is the pointer of an indirect call, ``site`` the last instruction of the previous block:
    the call, when a function is entered. ``checked`` is the pc of a range check that was just reported.
    """

    pc: int
    registers: Mapping[int, Word]
    stack: Bytes
    heap: Heap = field(default_factory=Heap)
    open: bool = False
    window: Window | None = None
    inside: Inside | None = None
    attempt: Window | None = None
    asked: tuple[str, State] | None = None
    unasked: str = ""
    torn: Torn | None = None
    faulted: str = ""
    stopped: Window | None = None
    touched: frozenset[tuple[int, ...]] = frozenset()
    forks: Mapping[tuple[int, int], int] = field(default_factory=dict)
    steps: int = 0
    target: Word | None = None
    site: int = 0
    checked: int = 0

    @property
    def access_site(self) -> int:
        """The instruction that makes the next user access, or the call of the routine that does."""
        return self.pc if self.inside is None else self.inside.site


def windows(state: State) -> tuple[Window | None, ...]:
    """The open window, the requested one, and that of the first fault."""
    return state.window, state.attempt, state.stopped


def with_windows(state: State, made: Sequence[Window | None]) -> State:
    """The state with other windows, in the order of windows()."""
    window, attempt, stopped = made
    return replace(state, window=window, attempt=attempt, stopped=stopped)


@dataclass(frozen=True)
class Access:
    """A user access that succeeds; ``data`` is what is stored, None for a load.

    ``block``: it is part of a copy, whose access widths mean nothing.
    """

    address: Word
    place: Place
    size: int
    data: Word | None
    block: bool = False

    @property
    def kind(self) -> str:
        """The direction: "load" or "store"."""
        return "load" if self.data is None else "store"

    def __str__(self) -> str:
        return f"user {self.kind} of {self.size} at {shown(self.address)}"


@dataclass(frozen=True)
class Torn:
    """A copy that faulted, and how many bytes are ``left``: not copied to ``target``."""

    access: Access
    left: z3.BitVecRef
    target: Word


@dataclass(frozen=True)
class Argument:
    """An argument of a call with its type."""

    value: Word
    kind: Value


@dataclass(frozen=True)
class Call:
    """A call that leaves the function; ``target`` is set for an indirect call.

    ``known``: the object has its prototype. ``pure``: it writes no memory. ``returns`` is False for
    functions that never return.
    """

    name: str
    arguments: tuple[Argument, ...]
    target: Word | None = None
    result: Value | None = None
    known: bool = False
    pure: bool = False
    returns: bool = True

    def __str__(self) -> str:
        return f"call of {self.name}()"


@dataclass(frozen=True)
class Routine:
    """A copy routine that is about to run; ``size`` in bytes, ``loads`` if from user memory."""

    name: str
    target: Word
    source: Word
    size: Word
    loads: bool

    def __str__(self) -> str:
        return f"{self.name}() of {shown(self.size)} bytes"


@dataclass(frozen=True)
class Effect:
    """Another visible event: a warning, a fence, an atomic or volatile access."""

    name: str
    operands: tuple[tuple[Word, int], ...] = ()
    # Bytes that it reads, 0 for none
    reads: int = 0
    # Others may now see what was written before
    publishes: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class End:
    """The function returned, or stopped in BUG() or a division by zero."""

    how: str

    def __str__(self) -> str:
        return self.how


@dataclass(frozen=True)
class Turn:
    """A backward jump: not visible, but a point at which both sides can be compared."""


@dataclass(frozen=True)
class Check:
    """A range check without a window."""

    start: Word
    length: Word


Event = Access | Call | Routine | Effect | End | Turn | Check


class ForkNeeded(Exception):  # noqa: N818 - no error
    """Both ways of a condition are possible; ``branch`` is the conditional branch, 0 for other reasons.

    With ``unless`` the condition is assumed where it may hold; where it cannot, the text says what the model lacks.
    """

    def __init__(
        self, condition: z3.BoolRef, branch: int = 0, unless: str = ""
    ) -> None:
        super().__init__()
        self.condition = condition
        self.branch = branch
        self.unless = unless


class ValueNeeded(Exception):  # noqa: N818 - no error
    """A word must be constant: try its possible values, if these are not too ``many``."""

    def __init__(self, word: z3.BitVecRef, many: int = 24) -> None:
        super().__init__()
        self.word, self.many = word, many


class UnsupportedError(Exception):
    """The code does something that the model lacks; the message says what."""


class DivisionError(Exception):
    """The code divides by zero, which ends the run."""


class ViolationError(Exception):
    """The code does something that is always wrong; the message says what."""


def shown(value: Word) -> str:
    """A word as text, long ones shortened."""
    if isinstance(value, int):
        text = f"{value:#x}"
    else:
        text = " ".join(str(z3.simplify(value)).split())
    return text if len(text) <= 80 else f"{text[:77]}..."


@dataclass(frozen=True)
class Path:
    """The conditions decided on a path, in order, and by id of their z3 terms."""

    conditions: tuple[z3.BoolRef, ...] = ()
    decided: Mapping[int, bool] = field(default_factory=dict)
    # Chosen values by id of their terms
    chosen: Mapping[int, int] = field(default_factory=dict)

    def knows(self, condition: z3.BoolRef) -> bool | None:
        """Which way a condition was decided, None if it was not."""
        if z3.is_not(condition):
            opposite = self.decided.get(condition.arg(0).get_id())
            return None if opposite is None else not opposite
        return self.decided.get(condition.get_id())

    def with_(self, condition: z3.BoolRef) -> Path:
        """The path on which a condition holds."""
        holds = not z3.is_not(condition)
        atom = condition if holds else condition.arg(0)
        decided = {**self.decided, atom.get_id(): holds}
        return Path((*self.conditions, condition), decided, self.chosen)

    def choosing(self, word: z3.BitVecRef, value: int) -> Path:
        """The path on which a word has a value."""
        path = self.with_(word == value)
        chosen = {**self.chosen, word.get_id(): value}
        return Path(path.conditions, path.decided, chosen)

    def known(self, word: Word) -> Word:
        """A word, or its value if one was chosen."""
        if isinstance(word, int):
            return word
        return self.chosen.get(word.get_id(), word)


def decide(path: Path, condition: Truth, branch: int = 0) -> bool:
    """Which way a condition goes on this path.

    Raises ForkNeeded if both are possible.
    """
    simple = v.settled(condition)
    if isinstance(simple, int):
        return bool(simple)
    known = path.knows(simple)
    if known is None:
        raise ForkNeeded(simple, branch)
    return known
