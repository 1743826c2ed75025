# SPDX-License-Identifier: GPL-2.0
"""Read what the operations print, and compare two kernels."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

# An operation and its size
Row = tuple[str, int]
_EMPTY = ("nothing", 0)


@dataclass(frozen=True)
class Count:
    """What one call takes: ``value`` in instructions or nanoseconds, ``low`` to ``high`` its middle half.

    ``result`` is what the system call returned, -errno for an error.
    """

    value: float
    low: float
    high: float
    result: int


@dataclass(frozen=True)
class Table:
    """The counts of one kernel by operation and size, and why others have none."""

    unit: str
    counts: Mapping[Row, Count]
    missing: Mapping[Row, str]


@dataclass(frozen=True)
class Difference:
    """An operation in two kernels. ``per_unit`` is the difference divided by the size."""

    row: Row
    before: Count
    after: Count

    @property
    def per_unit(self) -> float:
        """What is added for each unit; negative if it is less."""
        return (self.after.value - self.before.value) / self.row[1]


def instructions(lines: Iterable[str]) -> Table:
    """The table of a boot under QEMU, where the counter counts instructions.

    The least of all tries is exact: the others may include the interrupt of a timer.
    """
    tries, missing = _read(lines)
    empty = min(tries.pop(_EMPTY)[1])
    counts = {}
    for row, (result, ticks) in tries.items():
        value = min(ticks) - empty
        counts[row] = Count(value, value, value, result)
    return Table("instructions", counts, missing)


def nanoseconds(lines: Sequence[str]) -> Table:
    """The table of a run on this machine: medians."""
    rate = next(int(line.split()[1]) for line in lines if line.startswith("rate "))
    tries, missing = _read(lines)
    empty = median(tries.pop(_EMPTY)[1])
    counts = {}
    for row, (result, ticks) in tries.items():
        times = [(each - empty) * 1e9 / rate for each in ticks]
        low, middle, high = quantiles(times, n=4)
        counts[row] = Count(round(middle, 1), round(low, 1), round(high, 1), result)
    return Table("ns", counts, missing)


def differences(before: Table, after: Table) -> list[Difference]:
    """The operations that both tables have."""
    return [
        Difference(row, count, after.counts[row])
        for row, count in before.counts.items()
        if row in after.counts
    ]


def faults(
    before: Sequence[str], after: Sequence[str], timed: Collection[str] = ()
) -> tuple[int, list[tuple[str, str]]]:
    """How many calls with bad or partly mapped objects were made, and those that differ: before, after.

    The bytes of the operations ``timed`` are not compared.
    """
    old, new = (
        {
            tuple(line.split()[1:5]): _outcome(line, timed)
            for line in lines
            if line.startswith("fault ")
        }
        for lines in (before, after)
    )
    return len(old), [
        (old.get(key, "not made"), new.get(key, "not made"))
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def calls(
    printed: Sequence[str], log: Iterable[str], names: Mapping[int, str]
) -> dict[Row, dict[str, int]]:
    """How often each function runs in one call of each operation, from QEMU's log of executed blocks.

    ``names`` are the functions by address, with calls_begin() and calls_end() of the program.
    """
    rows = [(w[1], int(w[2])) for w in map(str.split, printed) if w[:1] == ["calls"]]
    found: dict[Row, dict[str, int]] = {row: {} for row in rows}
    waiting = iter(rows)
    current: dict[str, int] | None = None
    for line in log:
        block = re.search(r"\[[0-9a-f]+/([0-9a-f]+)/", line)
        name = names.get(int(block[1], 16)) if block else None
        if name == "calls_begin":
            current = found[next(waiting)]
        elif name == "calls_end":
            current = None
        elif name is not None and current is not None:
            current[name] = current.get(name, 0) + 1
    return found


def _outcome(line: str, timed: Collection[str]) -> str:
    """A line without the hash of the bytes if they have times."""
    return line.rpartition(" ")[0] if line.split()[1] in timed else line


def _read(
    lines: Iterable[str],
) -> tuple[dict[Row, tuple[int, list[int]]], dict[Row, str]]:
    tries: dict[Row, tuple[int, list[int]]] = {}
    missing: dict[Row, str] = {}
    for line in lines:
        words = line.split()
        if len(words) < 4 or words[0] not in ("count", "absent", "ended"):
            continue
        row = words[1], int(words[2])
        if words[0] == "count":
            tries[row] = int(words[3]), [int(word) for word in words[4:]]
        elif words[0] == "absent":
            missing[row] = f"this kernel cannot: {os.strerror(int(words[3]))}"
        else:
            missing[row] = f"ended with status {words[3]}"
    return tries, missing
