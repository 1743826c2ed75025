# SPDX-License-Identifier: GPL-2.0
"""Read what the operations print, and compare two kernels."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

# An operation and its size
Row = tuple[str, int]
_EMPTY = ("nothing", 0)
# The unit of what repeats exactly
INSTRUCTIONS = "instructions"


@dataclass(frozen=True)
class Count:
    """The cost of one call: ``value`` in instructions or nanoseconds, ``low`` to ``high`` its middle half.

    ``result`` is what the system call returned, -errno for an error.
    """

    value: float
    low: float
    high: float
    result: int


@dataclass(frozen=True)
class Table:
    """The counts of one kernel by operation and size, and why others have none.

    ``made`` says how they were made: the machine, the kernel and its compiler.
    """

    unit: str
    made: str
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
        """The cost added per unit; negative if it is less."""
        return self.more / self.row[1]

    def per(self, unit: str) -> str:
        """The added cost in words: per unit, except that bytes are not handled one by one."""
        if unit == "byte":
            return f"{self.more:+g} per call"
        return f"{self.per_unit:+.1f} per {unit}"

    @property
    def more(self) -> float:
        """The added cost of a call; negative if it is less."""
        return self.after.value - self.before.value

    @property
    def is_real(self) -> bool:
        """Whether the middle halves of all tries do not overlap."""
        return self.before.high < self.after.low or self.after.high < self.before.low


def instructions(
    lines: Sequence[str], ran: Mapping[Row, Mapping[int, int]], made: str
) -> Table:
    """The table of a boot under QEMU, whose plugin counted how often each instruction ``ran``."""
    _, missing = _read(lines)
    words = [line.split() for line in lines if line.startswith("calls ")]
    results = {(word[1], int(word[2])): int(word[3]) for word in words}
    totals = {row: sum(ran[row].values()) for row in ran if row not in missing}
    counts = {row: Count(n, n, n, results[row]) for row, n in totals.items()}
    return Table(INSTRUCTIONS, made, counts, missing)


def nanoseconds(lines: Sequence[str], made: str) -> Table:
    """The table of a run on this machine: medians."""
    rate = next(int(line.split()[1]) for line in lines if line.startswith("rate "))
    tries, missing = _read(lines)
    empty = median(tries.pop(_EMPTY)[1])
    counts = {}
    for row, (result, ticks) in tries.items():
        times = [(each - empty) * 1e9 / rate for each in ticks]
        low, middle, high = quantiles(times, n=4)
        counts[row] = Count(round(middle, 1), round(low, 1), round(high, 1), result)
    return Table("ns", made, counts, missing)


def differences(before: Table, after: Table) -> list[Difference]:
    """The operations that both tables have."""
    rows = [row for row in before.counts if row in after.counts]
    return [Difference(row, before.counts[row], after.counts[row]) for row in rows]


def broken(before: Table, after: Table, timed: Collection[str] = ()) -> list[str]:
    """The operations that no longer run, or return something else, in words.

    Results are only compared where all calls are repeated exactly, and not of the operations ``timed``.
    """
    said = []
    exact = after.unit == INSTRUCTIONS
    for (name, size), count in before.counts.items():
        now, why = after.counts.get((name, size)), after.missing.get((name, size))
        if why is not None:
            said.append(f"{name} {size} {why}")
        elif not exact or now is None or name in timed:
            continue
        elif now.result != count.result:
            said.append(f"{name} {size} returns {now.result}, not {count.result}")
    return said


def faults(
    before: Sequence[str], after: Sequence[str], timed: Collection[str] = ()
) -> tuple[int, list[tuple[str, str]]]:
    """The number of calls with bad or partly mapped objects, and of those that differ: before, after.

    The bytes of the operations ``timed`` are not compared.
    """
    old, new = _faulted(before, timed), _faulted(after, timed)
    pairs = ((old.get(k, "not made"), new.get(k, "not made")) for k in {**old, **new})
    return len(old), [(was, now) for was, now in pairs if was != now]


def _faulted(
    lines: Iterable[str], timed: Collection[str]
) -> dict[tuple[str, ...], str]:
    """The lines of such calls, without the hash of the bytes if they have times."""
    found = {}
    for line in (line for line in lines if line.startswith("fault ")):
        words = line.split()
        found[*words[1:5],] = line.rpartition(" ")[0] if words[1] in timed else line
    return found


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
            missing[row] = f"cannot run: {os.strerror(int(words[3]))}"
        else:
            missing[row] = f"ends with status {words[3]}"
    return tries, missing
