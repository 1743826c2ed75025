# SPDX-License-Identifier: GPL-2.0
"""A window to be written: its accesses, its range and its exit path."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.findings import PREPARED, READ, READ_WRITE, SAFE, WRITE
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


@dataclass(frozen=True)
class Hoist:
    """An expression evaluated before the window, into a variable of its own.

    ``start`` and ``end`` are the expression's place, to be replaced by ``name``; equal
    where every use of the base is replaced instead.
    """

    name: str
    declaration: str
    assignment: str
    start: int
    end: int


@dataclass(frozen=True)
class Window:
    """One run and the window that replaces it.

    ``stop`` indexes the last statement that goes away with the run (its test, its
    return); ``begin`` the first (an access_ok that the window makes superfluous).
    ``leave`` is what happens on a fault, a statement each; ``tail`` what follows the
    window on success. ``size`` is None for ``sizeof(*base)``. ``notes`` are the
    preparations and what may differ on a fault, ``remarks`` what a reviewer should
    know although behaviour is the same. ``removed`` names a variable that nothing uses
    any more, ``target`` the label a fault went to before.
    """

    run: Run
    shape: str
    direction: str
    base: str
    size: str | None
    leave: tuple[str, ...]
    tail: tuple[str, ...]
    begin: int
    stop: int
    dropped: tuple[int, ...]
    hoists: tuple[Hoist, ...]
    notes: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    removed: str | None = None
    target: str | None = None

    @property
    def tier(self) -> str:
        """Safe unless something had to be prepared, which the notes say."""
        return PREPARED if self.notes else SAFE


@dataclass(frozen=True)
class Refusal:
    """Why a run is not rewritten, and the line that shows it.

    ``detail`` names what is there and where, for a message; without it the sentence of the
    reason is all that is said.
    """

    reason: str
    line: int
    detail: str | None = None

    def text(self, meaning: str) -> str:
        """What a message says about it; ``meaning`` is the sentence of the reason."""
        return self.detail or f"line {self.line}: {meaning}"
