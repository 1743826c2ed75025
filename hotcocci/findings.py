# SPDX-License-Identifier: GPL-2.0
"""The data that everything passes along: plain frozen dataclasses, no behaviour.

Lines count from 1, columns from 0, as spatch counts them; offsets are characters
into the text of the file as it was read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

REWRITE = "rewrite"
REPORT = "report"

SAFE = "safe"
PREPARED = "prepared"
MANUAL = "manual"
TIERS = (SAFE, PREPARED, MANUAL)

READ = "read"
WRITE = "write"
READ_WRITE = "rw"


@dataclass(frozen=True)
class Span:
    """A stretch of source: first character up to, not including, the end."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Access:
    """One get_user, put_user or ``__`` variant, or another call a rule looks for, as SmPL bound it.

    ``call`` is the position of the function's name, ``value`` and ``pointer`` are
    the two arguments as spatch prints them. Of a copy ``value`` is what the kernel's side
    points to, ``pointer`` the user's side, and ``size`` the third argument.
    """

    name: str
    function: str
    function_line: int
    function_end_line: int
    call: Span
    value: str
    pointer: str
    size: str = ""


@dataclass(frozen=True)
class TypedExpression:
    """An expression of pointer type inside an access, and what it points to."""

    line: int
    column: int
    text: str
    target: str


@dataclass(frozen=True)
class Facts:
    """What one semantic patch saw in one file; the input of every decision."""

    file: str
    accesses: tuple[Access, ...] = ()
    types: tuple[TypedExpression, ...] = ()
    locals: tuple[TypedExpression, ...] = ()
    statements: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Finding:
    """A rule, a place, a message, a verdict.

    ``file`` is relative to the kernel tree. ``base`` is the pointer the accesses
    share, ``direction`` one of read, write, rw. A ``rewrite`` has a tier, a
    ``report`` has a reason from the closed list of the rulebook; the other is None.
    ``share`` is the part of a profile's samples, in percent, that its function has;
    ``share_at_most`` what it can be where the profile shows only functions that this one may
    have been inlined into. Both are None without a profile, and where it shows neither.
    """

    rule: str
    file: str
    line: int
    end_line: int
    function: str | None
    message: str
    accesses: int | None
    base: str | None
    direction: str | None
    verdict: str
    tier: str | None
    reason: str | None
    share: float | None = None
    share_at_most: float | None = None


@dataclass(frozen=True)
class Edit:
    """Replace the characters from ``start`` up to ``end`` by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Note:
    """A place that explains a report: where the window was opened, where a pointer came from."""

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class Report:
    """What one engine says about one place of a user access window.

    ``file`` is relative to the kernel tree; ``fix`` is filled where it is mechanical.
    """

    rule: str
    file: str
    line: int
    function: str | None
    message: str
    engine: str
    notes: tuple[Note, ...] = ()
    fix: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Rewrite:
    """A finding and the edits of its file that carry it out.

    ``notes`` say, a sentence each, what a reviewer has to know: what was hoisted,
    what may differ on a fault.
    """

    finding: Finding
    edits: tuple[Edit, ...]
    shape: str
    api: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skip:
    """A file, or a part of one, that was not looked at, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class Check:
    """One thing that was tried on a rewritten file, and what came out.

    ``outcome`` is passed, failed or skipped; ``detail`` is what a reader needs to
    repeat or understand it (the first lines of the compiler's complaint, the
    reason for skipping).
    """

    name: str
    outcome: str
    detail: str = ""


@dataclass(frozen=True)
class Count:
    """What some machine code does: instructions, calls, opens and closes of user access, fences, loads.

    ``switches`` are opens and closes; ``fences`` wait for what is before them (lfence, isync, isb);
    ``loads`` read memory other than the stack.
    """

    instructions: int
    calls: int
    switches: int
    fences: int
    loads: int = 0


@dataclass(frozen=True)
class Cost:
    """What a function costs on one target, read off its machine code.

    ``success`` is what runs from the function's entry to the end of what a change touches
    where nothing fails, what runs inside of called user access routines (__get_user_4)
    included; None where that path could not be told. ``whole`` is all of the function's
    code, wherever the compiler put it, without what it calls; ``size`` is its bytes.
    """

    success: Count | None
    whole: Count
    size: int


@dataclass(frozen=True)
class Gain:
    """What a rewrite buys in one function: its cost before and after, on one target.

    ``unit`` is the file that was compiled, the changed one or one that includes it.
    ``worse`` says in words what got worse, empty if nothing that counts did.
    """

    target: str
    unit: str
    function: str
    before: Cost
    after: Cost
    worse: str = ""


# For all inputs
PROVEN = "proven"
# On those that were tried
SAME = "same"
PERMITTED = "permitted"
# Verdicts of runs, which say nothing of other inputs
SAMPLED = (SAME, PERMITTED)
DIFFERENT = "different"
NOT_PROVEN = "not proven"


@dataclass(frozen=True)
class Execution:
    """What came of comparing the old and the new machine code of one function.

    ``verdict`` is proven (for all inputs), same or permitted (on the inputs that were tried; the
    only differences are those of ``permitted``, which the conditions of rewriting allow where an
    access faults), different or not proven; ``detail`` says why in a line. ``assumed`` is what
    a proof for all inputs takes for granted. ``runs`` counts the runs of both sides, ``faults`` those in which an
    access was made to fault. ``branches`` counts the ways out of conditional branches of the
    changed lines before and after: (taken, all, taken, all). ``traces`` are the two sides of
    the first difference, line by line. ``paths`` are the ways through the function that were
    seen to reach a changed access, ``values`` the least number of sets of values that one of
    them was run with.
    """

    target: str
    unit: str
    function: str
    verdict: str
    detail: str = ""
    runs: int = 0
    faults: int = 0
    branches: tuple[int, int, int, int] = (0, 0, 0, 0)
    permitted: tuple[str, ...] = ()
    traces: tuple[str, ...] = ()
    paths: int = 0
    values: int = 0
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proof:
    """All that was checked about one rewritten file, and what it buys."""

    file: str
    checks: tuple[Check, ...] = field(default_factory=tuple)
    gains: tuple[Gain, ...] = ()
    executions: tuple[Execution, ...] = ()

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that speak against the rewrite."""
        return tuple(c for c in self.checks if c.outcome == "failed")

    @property
    def compiled(self) -> bool:
        """Whether a compiler saw the rewritten file."""
        return any(
            c.name.startswith("compile") and c.outcome == "passed" for c in self.checks
        )
