# SPDX-License-Identifier: GPL-2.0
"""Count what a change costs and saves in the machine code of the functions it touches.

Files are compiled with kbuild's command plus debug information, which changes no instruction. A function is found
by its changed lines, wherever its code went: inlined into callers, or in a file that #includes another.

The non-faulting path starts at the function's entry, or where it was inlined. It ends with the last instruction of
the changed lines after their last access, up to the next branch; the code after that is the same before and after.
See machine/counts.py. If no user access changed, the calls on changed lines count as accesses, or else the loads.
"""

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hotcocci.errors import EngineError
from hotcocci.findings import Cost, Count, Gain
from hotcocci.machine.code import CALL, Instruction
from hotcocci.machine.counts import (
    Counted,
    Counter,
    Paths,
    Stream,
    paths,
    routines,
    stream,
    with_cycles,
)
from hotcocci.machine.elf import Address, ElfError, Symbol
from hotcocci.machine.reading import Reading
from hotcocci.saves import worse
from hotcocci.tree.command import Unit

# Line numbers and inlining information for Lines, without effect on the code. After -g1, -gdwarf-4 would ask for types
# and variables, too.
FLAGS = ("-gdwarf-4", "-g1", "-gstatement-frontiers")
# Loops that need more than this many times the accesses to compare get no path.
ROUNDS = 4


class CostsError(EngineError):
    """The machine code cannot be attributed to functions; the message says why."""


@dataclass(frozen=True)
class Side:
    """The state before or after: a unit, its object compiled with `FLAGS`, and the changed lines."""

    unit: Unit
    object: Path
    lines: frozenset[int]


@dataclass(frozen=True)
class Piece:
    """One copy of a function's code: its own, or where it was inlined into ``holder``.

    ``accesses`` are those on changed lines.
    """

    holder: Symbol
    stretches: tuple[tuple[Address, int], ...]
    accesses: frozenset[Address]

    def holds(self, address: Address) -> bool:
        """Whether an instruction belongs to this copy."""
        return any(
            start.section == address.section
            and 0 <= address.offset - start.offset < size
            for start, size in self.stretches
        )


class Code:
    """The object of one side, by functions of the changed file.

    Raises CostsError if it cannot be read.
    """

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
        # The line table may put a line inside a function inlined before it, or one with a shared tail.
        lines = self._reading.lines
        own = {f for line in self._lines for f in lines.owners(self._names, line)}
        return frozenset(found & own or found & lines.written(self._names))

    def text(self) -> list[object]:
        """All code of the object, with the symbols it refers to."""
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
        """The copies of a function, with the accesses of changed lines, or all with ``everything``.

        ``counts`` selects what is an access; the default is user accesses.
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
                insn
                for insn in self.code(stretches)
                if counts(insn)
                and (
                    everything
                    or self._lines & self._own_lines(insn, function, instance)
                )
            ]
            made = self._without_fallbacks(accesses, function, instance)
            own = frozenset(self._once(insn.address for insn in made))
            pieces.append(Piece(holder, tuple(stretches), own))
        return pieces

    def code(self, stretches: Iterable[tuple[Address, int]]) -> list[Instruction]:
        """The instructions of these ranges, each once."""
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
        """The paths through the function that contains a piece."""
        return paths(self._reading.flow, piece.holder, piece.accesses)

    def success(
        self, piece: Piece, ways: Paths, accesses: int
    ) -> tuple[Instruction, ...] | None:
        """The instructions of the non-faulting path that makes this number of accesses."""
        path = ways.shortest(accesses, self.counter.weight)
        if path is None or not accesses:
            return None
        rest = ways.rest(path[-1])
        last = max(
            (n for n, insn in enumerate(rest, 1) if self.touched(insn)), default=0
        )
        whole = (*path, *rest[:last])
        inside = [n for n, insn in enumerate(whole) if piece.holds(insn.address)]
        # Two windows may share their end, in either function.
        return whole[inside[0] : max(inside[-1] + 1, len(path))]

    def touched(self, insn: Instruction) -> bool:
        """Whether an instruction comes from a changed line, also through inlining."""
        return any(
            frame.file in self._names and frame.line in self._lines
            for frame in self._reading.lines.frames(insn.address)
        )

    def cost(self, pieces: Sequence[Piece], piece: Piece, path: Count | None) -> Cost:
        """The cost of a function: counts of one copy, size of all copies in bytes."""
        size = sum(size for p in pieces for _, size in p.stretches)
        return Cost(path, self.counter.written(self.code(piece.stretches)), size)

    def stream(self, path: Iterable[Instruction]) -> Stream:
        """The instructions of a path as assembly, without those that are counted apart."""
        plain = (insn for insn in path if insn.address not in self.counter.marks.at)
        return stream(self._reading.object, plain)

    def _own_lines(self, insn: Instruction, function: str, instance: int) -> set[int]:
        """The lines of a copy of a function that an instruction comes from."""
        frames = self._reading.lines.frames(insn.address)
        return {
            f.line for f in frames if f.function == function and f.instance == instance
        }

    def _without_fallbacks(
        self, accesses: Sequence[Instruction], function: str, instance: int
    ) -> list[Instruction]:
        """The accesses without calls on lines that also make accesses inline.

        A helper that copies inline calls a routine only where it does not, or after a fault.
        """
        lines = [self._own_lines(insn, function, instance) for insn in accesses]
        inline = {
            line
            for insn, own in zip(accesses, lines, strict=True)
            for line in own
            if insn.kind != CALL
        }
        return [
            insn
            for insn, own in zip(accesses, lines, strict=True)
            if insn.kind != CALL or inline.isdisjoint(own)
        ]

    def _once(self, accesses: Iterable[Address]) -> Iterable[Address]:
        """The accesses, with the two halves of a 64-bit access in 32-bit code counted once."""
        before: Instruction | None = None
        for address in accesses:
            insn = self._reading.flow.instruction(address)
            if before and insn and self._halves(before, insn):
                before = None
                continue
            before = insn
            yield address

    def _halves(self, first: Instruction, second: Instruction) -> bool:
        """Whether two instructions belong to one statement and share a fixup."""
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
    """The numbers of the lines that differ, in the old and in the new text."""
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
    """Return what a change of ``file`` costs and saves in one unit, by function.

    Empty if no changed code is compiled in this unit. Raises CostsError if the code cannot be
    attributed, and BuildError if the tree's uaccess routines cannot be compiled.
    """
    before, after = Code(old, file), Code(new, file)
    touched = before.functions | after.functions
    counted = [_gain(function, before, after, new.unit) for function in sorted(touched)]
    found = with_cycles([each for each in counted if each is not None])
    if not found and before.text() != after.text():
        raise CostsError(
            "no machine code is from the changed lines: nothing of their own to measure"
        )
    return tuple(found)


def _gain(function: str, before: Code, after: Code, unit: Unit) -> Counted | None:
    sides = (before, after)
    pieces = [code.pieces(function) for code in sides]
    stand_in = not any(piece.accesses for part in pieces for piece in part)
    if stand_in:
        # No user access changed. A change of loads keeps the calls.
        pieces = [code.pieces(function, counts=_calls) for code in sides]
        numbers = [[len(piece.accesses) for piece in part] for part in pieces]
        if numbers[0] != numbers[1] or not any(numbers[0]):
            pieces = [code.pieces(function, counts=_loads) for code in sides]
    if not all(any(piece.accesses for piece in part) for part in pieces):
        # The change is around accesses that stayed the same.
        pieces = [code.pieces(function, everything=True) for code in sides]
    if not all(pieces):
        return None
    chosen = [max(part, key=rank) for part in pieces]
    ways = [code.ways(piece) for code, piece in zip(sides, chosen, strict=True)]
    counts: list[Count | None] = [None, None]
    streams: list[Stream] = [(), ()]
    made = [
        (code, code.success(piece, way, number))
        for code, piece, way, number in zip(
            sides, chosen, ways, _comparable(ways, sides), strict=False
        )
    ]
    if made and all(path is not None for _, path in made):
        counts = [code.counter.total(path or ()) for code, path in made]
        streams = [code.stream(path or ()) for code, path in made]
    if stand_in and len({count and count.calls for count in counts}) > 1:
        # The paths differ in more than loads.
        counts = [None, None]
    cost, cost_after = (
        code.cost(part, piece, count)
        for code, part, piece, count in zip(sides, pieces, chosen, counts, strict=True)
    )
    target, name = unit.build.target.name, unit.command.file
    worsened = worse(cost, cost_after)
    gain = Gain(target, name, function, cost, cost_after, worsened)
    return Counted(gain, (streams[0], streams[1]))


def _calls(insn: Instruction) -> bool:
    return insn.kind == CALL and not insn.nop


def _loads(insn: Instruction) -> bool:
    return insn.load


def _comparable(ways: Sequence[Paths], sides: Sequence[Code]) -> tuple[int, ...]:
    """The numbers of accesses for which to compare the paths, none if there are none.

    Without a loop, each side makes all its accesses: two small ones may become a large one. Loops
    are compared at the same number of accesses, in the second iteration if both sides have one, as
    the compiler may have unrolled either.
    """
    most = tuple(way.most for way in ways)
    if not all(most):
        return ()
    if not any(way.loops for way in ways):
        return most
    least = max(most)
    if all(way.loops for way in ways):
        least += 1
    for number in range(least, ROUNDS * least + 1):
        if all(
            way.shortest(number, code.counter.weight)
            for way, code in zip(ways, sides, strict=True)
        ):
            return number, number
    return ()


def rank(piece: Piece) -> tuple[int, int]:
    """The order in which copies of a function are chosen for counting: accesses, then size."""
    return len(piece.accesses), sum(size for _, size in piece.stretches)


def _named(unit: Unit, names: Iterable[str], file: str) -> frozenset[str]:
    """The names of the changed file in the line table."""
    wanted = (unit.root / file).resolve()
    last = wanted.name
    return frozenset(
        name
        for name in names
        if name.endswith(last) and (unit.build.out / name).resolve() == wanted
    )
