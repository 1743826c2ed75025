# SPDX-License-Identifier: GPL-2.0
"""Costs of one processor; processors/ has a data file for each."""

from __future__ import annotations

from dataclasses import dataclass

# The source of a figure that nobody has measured or published.
ESTIMATED = "estimated"


@dataclass(frozen=True)
class Cost:
    """A cost in core cycles, and where the figure comes from."""

    cycles: float
    source: str = ESTIMATED


@dataclass(frozen=True)
class Copies:
    """What a ``rep movs`` or its replacement adds, by length: bytes up to which, and core cycles.

    The instructions of the routine around it are counted as such.
    """

    upto: tuple[tuple[int, float], ...]
    source: str = ESTIMATED

    def of(self, size: int) -> float:
        """The cost of a copy of ``size`` bytes; the last entry also counts for longer ones."""
        return next(
            (cost for most, cost in self.upto if size <= most), self.upto[-1][1]
        )


@dataclass(frozen=True)
class Processor:
    """One processor, with warm caches and predicted branches.

    ``targets`` are the kernels that run on it, ``mca`` is its name for llvm-mca, empty if that does
    not know it. ``rate`` is how many instructions of a usual path it finishes per cycle; all other
    costs are in addition to that. ``open`` and ``close`` are of user access, ``call`` of a call with
    its return, ``thunk`` of a return by the thunk that the kernel selects for it by default, 0 if
    none. ``mispredicted`` is a branch that goes the other way. ``mainstream`` is whether it is of
    those that most kernels run on: servers and PCs of 2019 or later.
    """

    name: str
    targets: tuple[str, ...]
    mca: str
    rate: Cost
    open: Cost
    close: Cost
    fence: Cost
    call: Cost
    thunk: Cost
    copies: Copies
    mispredicted: Cost
    mainstream: bool = True
