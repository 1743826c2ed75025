# SPDX-License-Identifier: GPL-2.0
"""A window to emit: its accesses, its range and its exit path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hotcocci.findings import MANUAL, PREPARED, READ, READ_WRITE, SAFE, WRITE, Edit
from hotcocci.rewrite.options import SCOPED, Options
from hotcocci.rewrite.runs import Run

BEGIN = {
    READ: "user_read_access_begin",
    WRITE: "user_write_access_begin",
    READ_WRITE: "user_access_begin",
}
END = {
    READ: "user_read_access_end",
    WRITE: "user_write_access_end",
    READ_WRITE: "user_access_end",
}
SCOPE = {
    READ: "scoped_user_read_access",
    WRITE: "scoped_user_write_access",
    READ_WRITE: "scoped_user_rw_access",
}
COPY = "unsafe_copy_to_user"
_ALWAYS = frozenset({"user_access_begin", "unsafe_get_user", "unsafe_put_user"})


def opened_for(direction: str, options: Options) -> str:
    """The direction to open a window in: both if the tree's begins and ends have no other (before 5.7)."""
    one = options.api == SCOPED or BEGIN[direction] in options.window_names
    return direction if one else READ_WRITE


def has_windows(options: Options) -> bool:
    """Whether the tree has a begin with pointer and size, and accessors with a label."""
    return options.api == SCOPED or _ALWAYS <= options.window_names


@dataclass(frozen=True)
class Hoist:
    """An expression evaluated before the window and stored in a new variable.

    ``type`` is followed by a space unless it ends with a star. ``start`` and ``end`` are the range of
    the expression that ``name`` replaces; equal if every use of the base is replaced instead.
    """

    name: str
    type: str
    value: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Extent:
    """The statements that a window replaces, by their indexes in the sequence of its run.

    ``begin`` is the first: of the run, or an access_ok() made redundant by the window. ``stop`` is the
    last: of the run, or its test, or its return. ``dropped`` are those between that go without a replacement.
    """

    begin: int
    stop: int
    dropped: tuple[int, ...]


@dataclass(frozen=True)
class Exit:
    """The statements that are run where a window is left: ``on_fault``, or after it ``on_success``.

    ``preset`` sets the errno, before the window, that an existing label returns. ``guards`` open the
    preprocessor conditions that the label must be in.
    """

    on_fault: tuple[str, ...]
    on_success: tuple[str, ...] = ()
    preset: str | None = None
    guards: tuple[str, ...] = ()


@dataclass(frozen=True)
class Review:
    """What a reviewer is told of a window.

    ``notes`` are preparations and differences on a fault, ``decisions`` what the code does not show and a
    person must decide: questions, or what to change on a condition; ``remarks`` are other information.
    """

    notes: tuple[str, ...]
    decisions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def tier(self) -> str:
        """Safe, prepared if something had to change first, as the notes say, or for a person to decide."""
        if self.decisions:
            return MANUAL
        return PREPARED if self.notes else SAFE

    def asking(self, more: Iterable[str]) -> Review:
        """With more decisions."""
        return replace(self, decisions=(*self.decisions, *more))


@dataclass(frozen=True)
class Window:
    """One run and the window that replaces it.

    ``size`` is None for ``sizeof(*base)``. ``part`` is the address of the part of the object that the begin
    gets, None for all of it. ``removed`` names a variable that is no longer used. ``otherwise`` is the
    ``else`` of a window that is for 64 bits only, line by line. ``checked`` makes accessors after the window
    check the range, which its begin does not do for them.
    """

    run: Run
    shape: str
    direction: str
    base: str
    size: str | None
    extent: Extent
    exit: Exit
    review: Review
    hoists: tuple[Hoist, ...] = ()
    removed: str | None = None
    otherwise: tuple[str, ...] = ()
    part: str | None = None
    checked: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Why a run is not rewritten, and the line responsible.

    ``detail`` names the code and its line for a message; without it the message is the
    reason's sentence.
    """

    reason: str
    line: int
    detail: str | None = None

    def text(self, meaning: str) -> str:
        """The text of a message; ``meaning`` is the sentence of the reason."""
        return self.detail or f"line {self.line}: {meaning}"
