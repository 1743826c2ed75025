# SPDX-License-Identifier: GPL-2.0
"""Read what the operations print, and compare two kernels; profile one call with a plugin of QEMU."""

import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median, quantiles

from hotcocci.bench.catalogue import PROGRAM, Machine, must
from hotcocci.bench.kernel import Image, plain
from hotcocci.tree.process import run

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


_SOURCE = Path(__file__).parent / "plugin.c"
_PLUGIN = "plugin.so"
_OUT = "ran"
_MARKS = ("calls_begin", "calls_end")
_TIMEOUT = 600.0
_SYMBOL = re.compile(r"^([0-9a-f]+) [tTwW] (\w[\w.]*)$", re.MULTILINE)

# How often each instruction ran, by its address
Executed = Mapping[int, int]
# A file of the tree, relative to it, and a line
Line = tuple[str, int]


@dataclass(frozen=True)
class Ran:
    """The number of calls of a function, and of its own instructions that ran."""

    calls: int
    instructions: int


@dataclass(frozen=True)
class Symbols:
    """The functions of a kernel, by address; ``cross`` is the prefix of binutils."""

    image: Image
    cross: str = ""

    @cached_property
    def _sorted(self) -> tuple[list[int], list[str]]:
        found: dict[int, str] = {}
        for address, name in _SYMBOL.findall(self.image.symbols.read_text("ascii")):
            at = int(address, 16)
            # Of several names for one function, the shortest
            found[at] = min(found.get(at, name), name, key=lambda n: (len(n), n))
        return sorted(found), [found[at] for at in sorted(found)]

    def functions(self, executed: Executed) -> dict[str, Ran]:
        """The calls and instructions of each function that ran, by its name in the source."""
        starts, names = self._sorted
        calls, ran = Counter[str](), Counter[str]()
        for address, times in executed.items():
            at = bisect_right(starts, address) - 1
            # Code before the text is what the boot has thrown away.
            if at >= 0:
                name = plain(names[at])
                calls[name] += times if starts[at] == address else 0
                ran[name] += times
        return {name: Ran(calls[name], ran[name]) for name in ran}

    def lines(self, addresses: Iterable[int]) -> dict[int, frozenset[Line]]:
        """The lines of the tree that each address is compiled from: of a function, and of where it is inlined."""
        root = f"{self.image.debug.parent / 'tree'}/"
        argv = [f"{self.cross}addr2line", "-a", "-i", "-e", str(self.image.debug)]
        asked = "".join(f"{address:x}\n" for address in sorted(addresses))
        found: dict[int, set[Line]] = {}
        own: set[Line] = set()
        for said in run(argv, Path("/"), _TIMEOUT, stdin=asked).out.splitlines():
            if said.startswith("0x"):
                own = found[int(said, 16)] = set()
                continue
            file, _, line = said.partition(" (")[0].rpartition(":")
            if file.startswith(root) and line.isdigit():
                own.add((file.removeprefix(root), int(line)))
        return {address: frozenset(lines) for address, lines in found.items()}


def options(place: Path, machine: Machine) -> list[str]:
    """QEMU's options to count what the program in a folder calls. Raises UserError if the plugin does not compile."""
    nm = [f"{machine.target.cross_compile}nm", PROGRAM]
    must(["gcc", "-O2", "-shared", "-fPIC", "-o", _PLUGIN, str(_SOURCE)], place)
    symbols = _SYMBOL.findall(run(nm, place, _TIMEOUT).out)
    marks = {name: address for address, name in symbols}
    begin, end = (marks[mark] for mark in _MARKS)
    told = f"kernel={machine.kernel:#x},begin=0x{begin},end=0x{end},out={place / _OUT}"
    return ["-plugin", f"{place / _PLUGIN},{told}"]


def executed(printed: Sequence[str], place: Path) -> dict[Row, Executed]:
    """The plugin's counts for each row, from the call that ran fewest instructions.

    The others may include the interrupt of a timer.
    """
    rows = [(w[1], int(w[2])) for w in map(str.split, printed) if w[:1] == ["calls"]]
    text = (place / _OUT).read_text("ascii")
    found: dict[Row, Executed] = {}
    # The last has none if its program died.
    for row, part in zip(rows, text.split("end\n"), strict=False):
        words = part.split()
        counted = Counter[int]()
        for address, times in zip(words[::2], words[1::2], strict=True):
            # An instruction that was translated twice has two lines.
            counted[int(address, 16)] += int(times)
        if row not in found or counted.total() < sum(found[row].values()):
            found[row] = counted
    return found
