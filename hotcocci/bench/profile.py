# SPDX-License-Identifier: GPL-2.0
"""Profile one call of an operation with a plugin of QEMU: instructions, functions and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hotcocci.bench.catalogue import PROGRAM, Machine, must
from hotcocci.bench.counts import Row
from hotcocci.bench.kernel import Image, plain
from hotcocci.tree.process import run

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
