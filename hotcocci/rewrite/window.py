# SPDX-License-Identifier: GPL-2.0
"""A window to emit: its accesses, its range and its exit path."""

from __future__ import annotations

from dataclasses import dataclass

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
class Window:
    """One run and the window that replaces it.

    ``stop`` indexes the last statement that is removed with the run (its test, its
    return); ``begin`` the first (an access_ok() made redundant by the window).
    ``on_fault`` are the statements of the error path, ``on_success`` those after the window on
    success. ``size`` is None for ``sizeof(*base)``. ``notes`` are preparations and
    differences on a fault, ``remarks`` other information for reviewers. ``removed``
    names a variable that is no longer used, ``preset`` sets the errno that an existing
    label returns. ``guards`` open the preprocessor conditions that the label must be in.
    ``otherwise`` is the ``else`` of a window that is for 64 bits only, line by line. ``part`` is the address
    of the part of the object that the begin gets, None for all of it. ``checked`` makes accessors after
    the window check the range, which its begin does not do for them. ``decisions`` are what the code does
    not show and a person must decide: questions, or what to change on a condition.
    """

    run: Run
    shape: str
    direction: str
    base: str
    size: str | None
    on_fault: tuple[str, ...]
    on_success: tuple[str, ...]
    begin: int
    stop: int
    dropped: tuple[int, ...]
    hoists: tuple[Hoist, ...]
    notes: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    removed: str | None = None
    preset: str | None = None
    guards: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    part: str | None = None
    checked: tuple[Edit, ...] = ()
    decisions: tuple[str, ...] = ()

    @property
    def tier(self) -> str:
        """The tier of the rewrite."""
        return tier_of(self.notes, self.decisions)


def tier_of(notes: tuple[str, ...], decisions: tuple[str, ...]) -> str:
    """Safe, prepared if something had to change first, as the notes say, or for a person to decide."""
    if decisions:
        return MANUAL
    return PREPARED if notes else SAFE


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
