# SPDX-License-Identifier: GPL-2.0
"""Counting instructions, and what the tree's own out-of-line accessors run when they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from hotcocci.engines.machine.code import CALL, Instruction, Marks, faults
from hotcocci.engines.machine.elf import Address, ElfError, ObjectFile, Symbol
from hotcocci.engines.machine.flow import Flow
from hotcocci.engines.machine.paths import paths
from hotcocci.engines.machine.reading import architecture
from hotcocci.findings import Count
from hotcocci.tree.build import Build
from hotcocci.tree.command import generated

# What copies any number of bytes: how many instructions that takes is not known.
# How deep the routines of one object call each other.
_MOST_DEEP = 3
COPIES = re.compile(
    r"_*(?:arch_|inline_)?copy_(?:to|from|tofrom)_user\w*|_*copy_user_\w+"
)
NOTHING = Count(0, 0, 0, 0)


@dataclass(frozen=True)
class Counter:
    """Counts the instructions of one object; ``routines`` are what is known of what they call."""

    flow: Flow
    marks: Marks
    routines: Mapping[str, Count] = field(default_factory=dict)

    def accesses(self, insn: Instruction) -> bool:
        """Whether an instruction accesses user memory, itself or in what it calls."""
        if insn.kind == CALL:
            name = self.flow.callee(insn)
            return name in self.routines or COPIES.fullmatch(name) is not None
        return bool(self.flow.faults(insn.address))

    def weight(self, insn: Instruction) -> int:
        """How many instructions run for one."""
        return self._one(insn).instructions

    def total(self, insns: Iterable[Instruction]) -> Count:
        """All that runs, the routines that are called included."""
        return added(self._one(insn) for insn in insns)

    def written(self, insns: Iterable[Instruction]) -> Count:
        """What stands in the code, without what is called."""
        return added(self._own(insn) for insn in insns)

    def _one(self, insn: Instruction) -> Count:
        own = self._own(insn)
        if insn.kind != CALL:
            return own
        name = self.flow.callee(insn)
        called = self.routines.get(name) or self._switch(name)
        return added((own, called)) if called else own

    def _switch(self, name: str) -> Count | None:
        """What a function runs that only opens or closes, which the compiler put out of line."""
        function = self.flow.called(name) if self.flow.helper(name) else None
        if function is None:
            return None
        ways = paths(self.flow, function, frozenset())
        path = ways.shortest(0, lambda _: 1, to_return=True)
        return self.total(path) if path else None

    def _own(self, insn: Instruction) -> Count:
        switch = insn.address in self.marks.at
        fence = insn.fence or insn.address in self.marks.fences
        if insn.nop and not switch and not fence:
            return NOTHING
        return Count(1, int(insn.kind == CALL), int(switch), int(fence), int(insn.load))


def added(counts: Iterable[Count]) -> Count:
    """The sum of what several pieces of code do."""
    instructions = calls = switches = fences = loads = 0
    for count in counts:
        instructions += count.instructions
        calls += count.calls
        switches += count.switches
        fences += count.fences
        loads += count.loads
    return Count(instructions, calls, switches, fences, loads)


@lru_cache(maxsize=16)
def routines(build: Build) -> Mapping[str, Count]:
    """What the out-of-line accessors of a build run where nothing faults, by name.

    They are compiled by kbuild, once for a build. Raises ElfError if one cannot be, and
    BuildError if there is no make.
    """
    found: dict[str, Count] = {}
    for file in build.target.routines:
        if not (build.tree / file).exists():
            continue
        path = generated(build, file)
        if path is None:
            raise ElfError(f"kbuild does not compile {file}")
        obj = ObjectFile(path)
        found |= _measured(obj, build, found)
    return found


def _measured(
    obj: ObjectFile, build: Build, known: Mapping[str, Count]
) -> dict[str, Count]:
    """The functions of an object that access user memory on their way to a return.

    ``known`` are routines that they may call. Of a routine that copies any number of bytes it is the
    least that it can run: one access on the shortest way, so that what is saved by not calling
    it is never told as more than it is.
    """
    kind = architecture(obj, build.out)
    marks = kind.marks(obj, lambda _: ())
    flow = Flow(obj, kind, marks, frozenset(), lambda _address, _begun, last: last)
    places = frozenset(faults(obj))
    found: dict[str, Count] = {}
    # A function may call one that is only measured behind it.
    for _ in range(_MOST_DEEP):
        counter = Counter(flow, marks, {**known, **found})
        for function in obj.functions:
            count = _routine(function, flow, places, counter)
            # What stands before a function for kCFI is none of its code.
            if count is not None and not function.name.startswith("__pfx_"):
                found[function.name] = count
    return found


def _routine(
    function: Symbol, flow: Flow, places: frozenset[Address], counter: Counter
) -> Count | None:
    """What one function runs, None if it accesses no user memory or no path is known."""
    called = frozenset(i.address for i in _calls(flow, function) if counter.accesses(i))
    ways = paths(flow, function, places | called)
    copies = COPIES.fullmatch(function.name) is not None
    accesses = min(ways.most, 1) if copies else ways.most
    path = ways.shortest(accesses, counter.weight, to_return=True)
    if not ways.most or path is None or (ways.loops and not copies):
        return None
    return counter.total(path)


def _calls(flow: Flow, function: Symbol) -> Iterable[Instruction]:
    """The calls in a function."""
    assert function.address is not None
    ways = paths(flow, function, frozenset())
    insns = (flow.instruction(address) for address in ways.onward)
    return (insn for insn in insns if insn is not None and insn.kind == CALL)
