# SPDX-License-Identifier: GPL-2.0
"""Counting instructions, and what the tree's own out-of-line accessors run when they are called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from hotcocci.engines.machine.code import CALL, Instruction, Marks, faults
from hotcocci.engines.machine.elf import ElfError, ObjectFile
from hotcocci.engines.machine.flow import Flow
from hotcocci.engines.machine.paths import paths
from hotcocci.engines.machine.reading import architecture
from hotcocci.findings import Count
from hotcocci.tree.build import Build
from hotcocci.tree.command import generated

# What copies any number of bytes: how many instructions that takes is not known.
COPIES = re.compile(r"_*(?:arch_)?copy_(?:to|from|tofrom)_user\w*|_*copy_user_\w+")
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
        found |= _measured(obj, build)
    return found


def _measured(obj: ObjectFile, build: Build) -> dict[str, Count]:
    """The functions of an object of assembly that access user memory on their way to a return."""
    kind = architecture(obj, build.out)
    marks = kind.marks(obj, lambda _: ())
    flow = Flow(obj, kind, marks, frozenset(), lambda _address, _begun, last: last)
    counter = Counter(flow, marks)
    places = frozenset(faults(obj))
    found = {}
    for function in obj.functions:
        assert function.address is not None
        ways = paths(flow, function, places)
        path = ways.shortest(ways.most, counter.weight, to_return=True)
        if ways.most and not ways.loops and path is not None:
            found[function.name] = counter.total(path)
    return found
