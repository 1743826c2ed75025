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
    """One get_user, put_user or ``__`` variant, as SmPL bound it.

    ``call`` is the position of the function's name, ``value`` and ``pointer`` are
    the two arguments as spatch prints them.
    """

    name: str
    function: str
    function_line: int
    function_end_line: int
    call: Span
    value: str
    pointer: str


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
class Proof:
    """All the checks of one rewritten file."""

    file: str
    checks: tuple[Check, ...] = field(default_factory=tuple)

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
