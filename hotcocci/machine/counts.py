# SPDX-License-Identifier: GPL-2.0
"""Count the instructions of a function's success path, including those of the tree's out-of-line accessors; their cycles, with rates from llvm-mca.

That path runs if no user access fails: the shortest one with the maximum number of the given accesses
that also closes user access again. An error path skips later accesses, so it is never chosen, however the
source handles errors. Jump labels and alternatives are taken as the object has them. In a loop, the caller
gives the number of accesses.
"""

import heapq
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import capstone

from hotcocci.c.flow import closure
from hotcocci.findings import Count, Gain
from hotcocci.machine import costs
from hotcocci.machine.code import CALL, CLOSE, OPEN, PLAIN, RETURN, Instruction, Marks
from hotcocci.machine.costs import Rates, modelled, processors
from hotcocci.machine.elf import (
    ARM64,
    I386,
    POWERPC,
    POWERPC64,
    X86_64,
    Address,
    ElfError,
    ObjectFile,
    Symbol,
)
from hotcocci.machine.flow import Flow
from hotcocci.machine.reading import architecture
from hotcocci.saves import of_gains
from hotcocci.tree.build import Build
from hotcocci.tree.command import generated

# The address reached, the number of accesses made, and whether user access is open
_State = tuple[Address, int, bool]
# The last instruction of a path, and the path before it
_Trail = tuple[Instruction, "_Trail"] | None
Weigh = Callable[[Instruction], int]
# Maximum call depth among the routines of one object.
_MOST_DEEP = 3
# Routines that copy any number of bytes, whose number of instructions is unknown.
COPIES = re.compile(
    r"_*(?:arch_|inline_)?copy_(?:to|from|tofrom)_user\w*|_*copy_user_\w+"
)
NOTHING = Count(0, 0, 0, 0)


@dataclass(frozen=True)
class Paths:
    """The non-faulting paths through a function.

    ``most`` is the maximum number of accesses on a path without back edges, ``loops`` is true
    if an access is in a loop.
    """

    flow: Flow
    function: Symbol
    accesses: frozenset[Address]
    onward: Mapping[Address, tuple[Address, ...]]
    most: int
    loops: bool

    def shortest(
        self, accesses: int, weigh: Weigh, to_return: bool = False
    ) -> tuple[Instruction, ...] | None:
        """The path of least weight with this number of accesses; None if there is none.

        It ends where user access is closed after the last one, or at a return if ``to_return``.
        """
        assert self.function.address is not None
        first = (self.function.address, 0, False)
        best = {first: 0}
        # No two have both the cost and the state in common, so that trails are never compared.
        queue: list[tuple[int, _State, _Trail]] = [(0, first, None)]
        while queue:
            cost, state, trail = heapq.heappop(queue)
            if cost > best[state]:
                continue
            address, made, opened = state
            insn = self.flow.instruction(address)
            if insn is None:
                continue
            trail = insn, trail
            made += address in self.accesses
            mark = self.flow.mark(insn)
            if mark in (OPEN, CLOSE):
                opened = mark == OPEN
            if made > accesses:
                continue
            there = insn.kind == RETURN if to_return else not opened
            if made == accesses and there:
                return _path(trail)
            further = cost + weigh(insn)
            for target in self.onward.get(address, ()):
                after = (target, made, opened)
                if further < best.get(after, further + 1):
                    best[after] = further
                    heapq.heappush(queue, (further, after, trail))
        return None

    def rest(self, last: Instruction) -> list[Instruction]:
        """The instructions that always follow one, up to and including the next branch."""
        found: list[Instruction] = []
        successors = self.onward.get(last.address, ())
        while len(successors) == 1:
            insn = self.flow.instruction(successors[0])
            if insn is None or insn in found:
                break
            found.append(insn)
            successors = self.onward.get(insn.address, ())
        return found


def _path(trail: _Trail) -> tuple[Instruction, ...]:
    found: list[Instruction] = []
    while trail is not None:
        insn, trail = trail
        found.append(insn)
    return tuple(reversed(found))


def paths(flow: Flow, function: Symbol, accesses: frozenset[Address]) -> Paths:
    """Find the paths through a function with these accesses."""
    assert function.address is not None
    onward: dict[Address, tuple[Address, ...]] = {}
    # Back edges, which close loops.
    back: set[tuple[Address, Address]] = set()
    done: dict[Address, bool] = {}
    postorder: list[Address] = []
    stack = [(function.address, False)]
    while stack:
        address, left = stack.pop()
        if left:
            done[address] = True
            postorder.append(address)
            continue
        if address in done:
            continue
        insn = flow.instruction(address)
        if insn is None:
            continue
        done[address] = False
        stack.append((address, True))
        onward[address] = tuple(dict.fromkeys(flow.onward(insn, function)))
        for target in onward[address]:
            if done.get(target) is False:
                back.add((address, target))
            elif target not in done:
                stack.append((target, False))
    most: dict[Address, int] = {}
    # Post-order: successors come first.
    for address in postorder:
        ahead = (to for to in onward[address] if (address, to) not in back)
        further = max((most.get(to, 0) for to in ahead), default=0)
        most[address] = (address in accesses) + further

    loops = any(
        access in closure(onward.get(access, ()), lambda at: onward.get(at, ()))
        for access in accesses
    )
    return Paths(flow, function, accesses, onward, most.get(function.address, 0), loops)


@dataclass(frozen=True)
class Counter:
    """Counts the instructions of one object; ``routines`` are the known counts of callees."""

    flow: Flow
    marks: Marks
    routines: Mapping[str, Count] = field(default_factory=dict)

    def accesses(self, insn: Instruction) -> bool:
        """Whether an instruction accesses user memory, itself or in a known callee."""
        if insn.kind == CALL:
            name = self.flow.callee(insn)
            return name in self.routines or COPIES.fullmatch(name) is not None
        return bool(self.flow.faults(insn.address))

    def weight(self, insn: Instruction) -> int:
        """The number of instructions executed for one, including a known callee's."""
        return self._one(insn).instructions

    def total(self, insns: Iterable[Instruction]) -> Count:
        """The count for a path, including known callees."""
        return added(self._one(insn) for insn in insns)

    def written(self, insns: Iterable[Instruction]) -> Count:
        """The count for instructions alone, without callees."""
        return added(self._own(insn) for insn in insns)

    def _one(self, insn: Instruction) -> Count:
        own = self._own(insn)
        if insn.kind != CALL:
            return own
        name = self.flow.callee(insn)
        called = self.routines.get(name) or self._switch(name) or self._copy(name)
        return added((own, called)) if called else own

    def _copy(self, name: str) -> Count | None:
        """The count of a copy of any size that the compiler did not inline; None for others."""
        function = self.flow.called(name) if COPIES.fullmatch(name) else None
        if function is None or not name.removeprefix("_").startswith("inline_copy_"):
            return None
        return _routine(function, self)

    def _switch(self, name: str) -> Count | None:
        """The count of an out-of-line function that only opens or closes; None for others."""
        function = self.flow.called(name) if self.flow.helper(name) else None
        if function is None:
            return None
        found = paths(self.flow, function, frozenset())
        path = found.shortest(0, lambda _: 1, to_return=True)
        return self.total(path) if path else None

    def _own(self, insn: Instruction) -> Count:
        switch = insn.address in self.marks.at
        fence = insn.fence or insn.address in self.marks.fences
        if insn.nop and not switch and not fence:
            return NOTHING
        call, returns = insn.kind == CALL, insn.kind == RETURN
        return Count(1, *map(int, (call, switch, fence, insn.load, insn.copy, returns)))


def added(counts: Iterable[Count]) -> Count:
    """The sum of several counts."""
    fields = zip(*(vars(count).values() for count in (NOTHING, *counts)), strict=True)
    return Count(*map(sum, fields))


@lru_cache(maxsize=16)
def routines(build: Build) -> Mapping[str, Count]:
    """The counts of a build's out-of-line accessors on their non-faulting path, by name.

    kbuild compiles them once per build. Raises ElfError if one does not compile, and BuildError
    if there is no make.
    """
    found: dict[str, Count] = {}
    for file in build.target.routines:
        if not (build.tree / file).exists():
            continue
        path = generated(build, file)
        if path is None:
            raise ElfError(f"kbuild does not compile {file}")
        found |= _measured(ObjectFile(path), build, found)
    return found


def _measured(
    obj: ObjectFile, build: Build, known: Mapping[str, Count]
) -> dict[str, Count]:
    """The counts of an object's functions that access user memory and return.

    ``known`` are routines that they may call. For a routine that copies any number of bytes, the
    minimum is used, one access on the shortest path, so that savings are never overstated.
    """
    kind = architecture(obj, build.out)
    marks = kind.marks(obj, lambda _: ())
    flow = Flow(obj, kind, marks, frozenset(), lambda _address, _begun, last: last)
    # Those of PowerPC have no size.
    sizeless = (symbol for symbol in obj.symbols if symbol.address and not symbol.size)
    plain = [symbol for symbol in sizeless if COPIES.fullmatch(symbol.name)]
    found: dict[str, Count] = {}
    # A function may call one that is measured after it.
    for _ in range(_MOST_DEEP):
        counter = Counter(flow, marks, {**known, **found})
        for function in (*obj.functions, *plain):
            count = _routine(function, counter)
            # __pfx_ symbols are kCFI padding before a function.
            if count is not None and not function.name.startswith("__pfx_"):
                found[function.name] = count
    return found


def _routine(function: Symbol, counter: Counter) -> Count | None:
    """The count of one function; None if it accesses no user memory or no path is known."""
    flow = counter.flow
    reached = map(flow.instruction, paths(flow, function, frozenset()).onward)
    accesses = {insn.address for insn in reached if insn and counter.accesses(insn)}
    found = paths(flow, function, frozenset(accesses))
    copies = COPIES.fullmatch(function.name) is not None
    if not found.most or (found.loops and not copies):
        return None
    # A byte may be two accesses: a load and a store that may fault (6.1's copy_user_generic_unrolled()).
    numbers = range(1 if copies else found.most, found.most + 1)
    ways = (found.shortest(n, counter.weight, to_return=True) for n in numbers)
    path = next(filter(None, ways), None)
    return counter.total(path) if path else None


# Lines of assembly.
Stream = tuple[str, ...]

BIG, LITTLE = capstone.CS_MODE_BIG_ENDIAN, capstone.CS_MODE_LITTLE_ENDIAN
DECODERS = {
    X86_64: (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    I386: (capstone.CS_ARCH_X86, capstone.CS_MODE_32),
    ARM64: (capstone.CS_ARCH_ARM64, LITTLE),
    POWERPC: (capstone.CS_ARCH_PPC, capstone.CS_MODE_32 | BIG),
    POWERPC64: (capstone.CS_ARCH_PPC, capstone.CS_MODE_64 | LITTLE),
}
# llvm-mca's triple of each kernel, and the directive for capstone's syntax.
X86 = ".intel_syntax noprefix"
TRIPLES = {
    "x86-64": ("x86_64", X86),
    "i386": ("i386", X86),
    "arm64": ("aarch64", ""),
    "powerpc-8xx": ("powerpc", ""),
    "powerpc-book3s32": ("powerpc", ""),
    "powerpc-book3s64": ("powerpc64le", ""),
}


@dataclass(frozen=True)
class Counted:
    """A gain without cycles, and the paths that were counted before and after."""

    gain: Gain
    streams: tuple[Stream, Stream]


def stream(obj: ObjectFile, path: Iterable[Instruction]) -> Stream:
    """The plain instructions of a path as assembly: no branches, copies, fences or nops."""
    decoder = capstone.Cs(*DECODERS[obj.machine])
    if obj.machine in (POWERPC, POWERPC64):
        # LLVM's assembler writes registers as numbers.
        decoder.syntax = capstone.CS_OPT_SYNTAX_NOREGNAME
    lines = []
    for insn in path:
        if insn.kind != PLAIN or insn.nop or insn.fence or insn.copy:
            continue
        section, offset = insn.address
        code = obj.data(section)[offset : offset + insn.size]
        for _, _, name, operands in decoder.disasm_lite(code, offset):
            lines.append(f"{name} {operands}")
    return tuple(lines)


def with_cycles(counted: Sequence[Counted]) -> list[Gain]:
    """The gains of one unit with their cycles on each processor."""
    found = []
    for each, known in zip(counted, _rates(counted), strict=True):
        gain = each.gain
        taken = modelled(gain.before, gain.after, gain.target, known)
        gain = replace(gain, cycles=taken)
        found.append(replace(gain, saves=of_gains([gain])))
    return found


def _rates(counted: Sequence[Counted]) -> list[dict[str, Rates]]:
    """The rates of each gain's paths, by processor; one run of llvm-mca for each processor."""
    found: list[dict[str, Rates]] = [{} for _ in counted]
    streams = [side for each in counted for side in each.streams]
    targets = {each.gain.target for each in counted}
    for processor in processors():
        if not processor.mca or not targets.intersection(processor.targets):
            continue
        triple, head = TRIPLES[next(iter(targets))]
        made = costs.rates(triple, processor.mca, head, streams)
        for number, known in enumerate(found):
            known[processor.name] = made[2 * number], made[2 * number + 1]
    return found
