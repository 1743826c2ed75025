# SPDX-License-Identifier: GPL-2.0
"""What a change costs and saves: the machine code of the functions it touches, before and after.

The files are compiled with the command that kbuild uses, and debug information added to
it, which changes no instruction. A function is found by the lines that changed, wherever its code
went: inlined into its callers, or part of a file that another #includes.

The path of success begins at the function's entry, or where it was inlined; it ends with what
is left of the changed lines behind the last access of theirs, as far as no branch comes
between. What follows is the same code before and after. See engines/machine/paths.py.
Where no user access is changed, the calls of the changed lines stand for them, or else what these load.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hotcocci.engines.machine.code import CALL, Instruction
from hotcocci.engines.machine.counts import Counter, routines
from hotcocci.engines.machine.elf import Address, ElfError, Symbol
from hotcocci.engines.machine.paths import Paths, paths
from hotcocci.engines.machine.reading import Reading
from hotcocci.errors import EngineError
from hotcocci.findings import Cost, Count, Gain
from hotcocci.proof.worth import worse
from hotcocci.tree.unit import Unit

# Line numbers and what was inlined where, in the form that Lines reads; no other code.
FLAGS = ("-g1", "-gdwarf-4")
# A loop that needs more accesses than this to be compared is told of without a path.
ROUNDS = 4


class CostsError(EngineError):
    """The machine code could not be told by functions; the message says why."""


@dataclass(frozen=True)
class Side:
    """One of the two states: a unit, its object compiled with `FLAGS`, and the changed lines."""

    unit: Unit
    object: Path
    lines: frozenset[int]


@dataclass(frozen=True)
class Piece:
    """One copy of a function's code: its own, or where it was inlined into ``holder``.

    ``accesses`` are those that the changed lines make.
    """

    holder: Symbol
    stretches: tuple[tuple[Address, int], ...]
    accesses: frozenset[Address]

    def holds(self, address: Address) -> bool:
        """Whether an instruction belongs to it."""
        return any(
            start.section == address.section
            and 0 <= address.offset - start.offset < size
            for start, size in self.stretches
        )


class Code:
    """One side's object, by functions of the changed file. Raises CostsError."""

    def __init__(self, side: Side, file: str) -> None:
        try:
            self._reading = Reading(side.unit, side.object)
            known = routines(side.unit.build)
        except ElfError as error:
            raise CostsError(str(error)) from error
        self._lines = side.lines
        self._names = _named(side.unit, self._reading.lines.files, file)
        self.counter = Counter(self._reading.flow, self._reading.marks, known)

    @cached_property
    def functions(self) -> frozenset[str]:
        """The functions with code on changed lines."""
        found = set()
        for address in self._reading.lines.on(self._names, self._lines):
            for frame in self._reading.lines.frames(address):
                if frame.file in self._names and frame.line in self._lines:
                    found.add(frame.function)
        # A line may seem to be inside of what was inlined before it, or of what has an end in
        # common with its function.
        lines = self._reading.lines
        own = {f for line in self._lines for f in lines.owners(self._names, line)}
        return frozenset(found & own or found & lines.written(self._names))

    def text(self) -> list[object]:
        """All of the object's code, and the names in it."""
        obj = self._reading.object
        return [
            (obj.data(section), [(at, r.symbol.name) for at, r in names.items()])
            for section in obj.executable
            for names in [obj.relocations(section)]
        ]

    def pieces(
        self,
        function: str,
        everything: bool = False,
        counts: Callable[[Instruction], bool] | None = None,
    ) -> list[Piece]:
        """The copies of a function, with the accesses of changed lines or of ``everything``.

        ``counts`` says what is an access, if not what accesses user memory.
        """
        counts = counts or self.counter.accesses
        found: dict[tuple[str, int], tuple[Symbol, list[tuple[Address, int]]]] = {}
        for instance, stretches in self._reading.lines.stretches(function).items():
            for start, size in stretches:
                holder = self._reading.flow.holder(start)
                if holder is not None:
                    key = (holder.name, instance)
                    found.setdefault(key, (holder, []))[1].append((start, size))
        pieces = []
        for (_, instance), (holder, stretches) in found.items():
            accesses = [
                insn.address
                for insn in self.code(stretches)
                if counts(insn)
                and (everything or self._changed(insn, function, instance))
            ]
            own = frozenset(self._once(accesses))
            pieces.append(Piece(holder, tuple(stretches), own))
        return pieces

    def code(self, stretches: Iterable[tuple[Address, int]]) -> list[Instruction]:
        """The instructions of some code, each once."""
        found: dict[Address, Instruction] = {}
        for start, size in stretches:
            at = start
            while at.offset < start.offset + size:
                insn = self._reading.flow.instruction(at)
                if insn is None:
                    break
                found[at] = insn
                at = insn.following
        return list(found.values())

    def ways(self, piece: Piece) -> Paths:
        """The ways through the function that holds a piece."""
        return paths(self._reading.flow, piece.holder, piece.accesses)

    def success(
        self, piece: Piece, ways: Paths, accesses: int
    ) -> tuple[Instruction, ...] | None:
        """The instructions of the path of success that makes so many accesses."""
        path = ways.shortest(accesses, self.counter.weight)
        if path is None or not accesses:
            return None
        rest = ways.rest(path[-1])
        last = max(
            (n for n, insn in enumerate(rest, 1) if self.touched(insn)), default=0
        )
        whole = (*path, *rest[:last])
        inside = [n for n, insn in enumerate(whole) if piece.holds(insn.address)]
        # The same end of two windows may be one, in either function.
        return whole[inside[0] : max(inside[-1] + 1, len(path))]

    def touched(self, insn: Instruction) -> bool:
        """Whether an instruction stands on a changed line, or was inlined there."""
        return any(
            frame.file in self._names and frame.line in self._lines
            for frame in self._reading.lines.frames(insn.address)
        )

    def cost(self, pieces: Sequence[Piece], piece: Piece, path: Count | None) -> Cost:
        """The cost of a function: of one copy, and the bytes of all."""
        size = sum(size for p in pieces for _, size in p.stretches)
        return Cost(path, self.counter.written(self.code(piece.stretches)), size)

    def _changed(self, insn: Instruction, function: str, instance: int) -> bool:
        return any(
            frame.function == function
            and frame.instance == instance
            and frame.line in self._lines
            for frame in self._reading.lines.frames(insn.address)
        )

    def _once(self, accesses: Iterable[Address]) -> Iterable[Address]:
        """The accesses, without the second half of those that 32-bit code makes in two."""
        before: Instruction | None = None
        for address in accesses:
            insn = self._reading.flow.instruction(address)
            if before and insn and self._halves(before, insn):
                before = None
                continue
            before = insn
            yield address

    def _halves(self, first: Instruction, second: Instruction) -> bool:
        """Whether two instructions are of one statement and fault to the same place."""
        flow, lines = self._reading.flow, self._reading.lines
        targets = flow.faults(first.address)
        return (
            self._reading.object.bits == 32
            and first.following == second.address
            and bool(targets)
            and targets == flow.faults(second.address)
            and lines.frames(first.address) == lines.frames(second.address)
        )


def changed(old: str, new: str) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines that are not the same: those of the old text, and of the new."""
    lines = old.splitlines(), new.splitlines()
    start = 0
    least = min(map(len, lines))
    while start < least and lines[0][start] == lines[1][start]:
        start += 1
    end = 0
    while end < least - start and lines[0][-1 - end] == lines[1][-1 - end]:
        end += 1
    parts = [text[start : len(text) - end] for text in lines]
    matcher = difflib.SequenceMatcher(None, parts[0], parts[1], autojunk=False)
    sides: tuple[set[int], set[int]] = (set(), set())
    for tag, low, high, new_low, new_high in matcher.get_opcodes():
        if tag != "equal":
            sides[0].update(range(start + low + 1, start + high + 1))
            sides[1].update(range(start + new_low + 1, start + new_high + 1))
    return frozenset(sides[0]), frozenset(sides[1])


def gains(file: str, old: Side, new: Side) -> tuple[Gain, ...]:
    """What a change of ``file`` costs and saves in one unit, by function.

    Empty if none of it is code in this unit. Raises CostsError if it cannot be told, and
    BuildError if the accessors of the tree cannot be compiled as make is gone.
    """
    before, after = Code(old, file), Code(new, file)
    touched = before.functions | after.functions
    found = []
    for function in sorted(touched):
        gain = _gain(function, before, after, new.unit)
        if gain is not None:
            found.append(gain)
    if not found and before.text() != after.text():
        raise CostsError(
            "the change is in a macro, which has no function of its own to measure"
        )
    return tuple(found)


def _gain(function: str, before: Code, after: Code, unit: Unit) -> Gain | None:
    sides = (before, after)
    pieces = [code.pieces(function) for code in sides]
    stand_in = not any(piece.accesses for part in pieces for piece in part)
    if stand_in:
        # No user access is changed. A change of what is loaded leaves the calls alone.
        pieces = [code.pieces(function, counts=_calls) for code in sides]
        numbers = [[len(piece.accesses) for piece in part] for part in pieces]
        if numbers[0] != numbers[1] or not any(numbers[0]):
            pieces = [code.pieces(function, counts=_loads) for code in sides]
    if not all(any(piece.accesses for piece in part) for part in pieces):
        # What changed is around accesses that are the same.
        pieces = [code.pieces(function, everything=True) for code in sides]
    if not all(pieces):
        return None
    chosen = [max(part, key=_rank) for part in pieces]
    ways = [code.ways(piece) for code, piece in zip(sides, chosen, strict=True)]
    counts: list[Count | None] = [None, None]
    accesses = _comparable(ways, sides)
    if accesses is not None:
        made = [
            code.success(piece, way, number)
            for code, piece, way, number in zip(
                sides, chosen, ways, accesses, strict=True
            )
        ]
        if all(path is not None for path in made):
            counts = [
                code.counter.total(path or ())
                for code, path in zip(sides, made, strict=True)
            ]
    if stand_in and len({count and count.calls for count in counts}) > 1:
        # The loads led along different ways.
        counts = [None, None]
    cost, cost_after = (
        code.cost(part, piece, count)
        for code, part, piece, count in zip(sides, pieces, chosen, counts, strict=True)
    )
    target, name = unit.build.target.name, unit.command.file
    told = worse(cost, cost_after)
    return Gain(target, name, function, cost, cost_after, told)


def _calls(insn: Instruction) -> bool:
    return insn.kind == CALL and not insn.nop


def _loads(insn: Instruction) -> bool:
    return insn.load


def _comparable(ways: Sequence[Paths], sides: Sequence[Code]) -> tuple[int, int] | None:
    """How many accesses the path of either side is to make, None if they cannot be compared.

    Where there is no loop each makes as many as it can: two small ones may become a
    large one. Loops are compared at the same number of accesses, by the second round if both
    have one, as a compiler may have unrolled either of them.
    """
    most = [way.most for way in ways]
    if not all(most):
        return None
    if not any(way.loops for way in ways):
        return most[0], most[1]
    least = max(most)
    if all(way.loops for way in ways):
        least += 1
    for number in range(least, ROUNDS * least + 1):
        if all(
            way.shortest(number, code.counter.weight)
            for way, code in zip(ways, sides, strict=True)
        ):
            return number, number
    return None


def _rank(piece: Piece) -> tuple[int, int]:
    return len(piece.accesses), sum(size for _, size in piece.stretches)


def _named(unit: Unit, names: Iterable[str], file: str) -> frozenset[str]:
    """What the line table calls the changed file."""
    wanted = (unit.root / file).resolve()
    last = wanted.name
    return frozenset(
        name
        for name in names
        if name.endswith(last) and (unit.build.out / name).resolve() == wanted
    )
