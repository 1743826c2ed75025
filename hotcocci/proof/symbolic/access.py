# SPDX-License-Identifier: GPL-2.0
"""Loads and stores of one side: map addresses to stack, kernel memory or known contents."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pyvex
import z3

from hotcocci.proof.objects.compiled import Credentials
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.code import Block, Code
from hotcocci.proof.symbolic.memory import Place, Terms, Write, initial, loaded, stored
from hotcocci.proof.symbolic.state import (
    ForkNeeded,
    Path,
    State,
    UnsupportedError,
    ValueNeeded,
    decide,
)
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Memory, execute

# The epoch of memory that never changes.
CONSTANT = "constant"
# Prefix of the constants that only variants have (objects/placed.py)
OURS = "hotcocci_"
# Limit on the entries of a constant table that are looked up
ENTRIES = 64
# VEX's jump kind for a block that ends at an unknown instruction.
UNTRANSLATED = "Ijk_NoDecode"
# The state's pc during an indirect call.
UNKNOWN = 0


@dataclass(frozen=True)
class Stable:
    """Memory that calls preserve: the pointer to the current task, and its credentials.

    ``current`` are the addresses of the pointer to the task; ``task`` is the task's own address on
    architectures that have it in a register.
    """

    current: frozenset[int]
    credentials: Credentials
    task: int | None = None
    # Epochs of credentials that were read.
    read: set[str] = field(default_factory=set)

    def epoch(self, code: Code, state: State, place: Place, size: int) -> str | None:
        """The epoch of a place that calls preserve; None for other memory."""
        pointer_size = code.terms.width // 8
        if not place.base and place.offset in self.current and size == pointer_size:
            return CONSTANT
        named = "" if place.base else code.image.registry.outside(place.offset)
        if named and named.startswith(OURS):
            return CONSTANT
        mine = f"credentials {state.heap.credentials}"
        for task in self.tasks(code):
            if place.base == task.base:
                away = place.offset - task.offset & v.mask(code.terms.width)
                if away in self.credentials.offsets:
                    return mine
                continue
            for offset in self.credentials.offsets:
                held = Place(task.base, task.offset + offset)
                pointer = initial(code.terms, mine, held, pointer_size)
                assert not isinstance(pointer, int)
                if place.base == (code.terms.number(pointer),):
                    return mine if 0 <= place.offset < self.credentials.size else None
        return None

    def tasks(self, code: Code) -> tuple[Place, ...]:
        """The current task, as reached by each of the known pointers."""
        found = [] if self.task is None else [Place((), self.task)]
        for at in sorted(self.current):
            task = initial(code.terms, CONSTANT, Place((), at), code.terms.width // 8)
            assert not isinstance(task, int)
            found.append(Place((code.terms.number(task),), 0))
        return tuple(found)


def resolve(path: Path, terms: Terms, address: Word) -> Word:
    """An address without if-then-else terms; each condition is decided.

    Raises ForkNeeded.
    """
    while not isinstance(address, int):
        choice = next(v.choices(address), None)
        if choice is None:
            break
        taken = choice.arg(1) if decide(path, choice.arg(0)) else choice.arg(2)
        address = v.replaced(address, (choice, taken))
    if isinstance(address, int):
        return address
    place = terms.place(address)
    known = [n for n in place.base if terms.kept[n].get_id() in path.chosen]
    if known:
        offset = sum(path.chosen[terms.kept[n].get_id()] for n in known)
        base = tuple(n for n in place.base if n not in known)
        return terms.address(Place(base, place.offset + offset))
    return address


def chosen(path: Path, value: Word) -> Word:
    """A word without the if-then-else terms whose conditions are decided on this path.

    Names of later loads contain what was stored (memory.py), so that a masked address must be stored as
    the address that it is.
    """
    while not isinstance(value, int):
        known = []
        for choice in v.choices(value):
            taken = path.knows(z3.simplify(choice.arg(0)))
            if taken is not None:
                known.append((choice, choice.arg(1 if taken else 2)))
        if not known:
            break
        value = v.replaced(value, *known)
    return value


@dataclass
class Side(Memory):
    """The memory of one side while a block runs; ``state`` is updated by stores.

    ``shared`` are the escaped locals, which other pointers may lead to, in the same order on both sides.
    """

    code: Code
    path: Path
    state: State
    stable: Stable
    shared: tuple[range, ...] = ()
    # The ways of branches, by address, where they do not follow the path (permitting.py)
    forced: Mapping[int, bool] | None = None

    def __post_init__(self) -> None:
        self.arch, self.terms = self.code.arch, self.code.terms
        self.width = self.terms.width

    def decided(self, condition: Truth, branch: int = 0) -> bool:
        """Which way a condition goes on this path.

        Raises ForkNeeded if both are possible.
        """
        known = v.settled(condition)
        if branch and self.forced is not None and not isinstance(known, int):
            if branch not in self.forced:
                raise ForkNeeded(known, branch)
            return self.forced[branch]
        return decide(self.path, condition, branch)

    def run(
        self, block: pyvex.IRSB | None, memory: Memory
    ) -> tuple[dict[int, Word], Word]:
        """The registers after a block that accesses this memory, and the address to continue at.

        Raises UnsupportedError, and what the memory and decisions raise.
        """
        assert block is not None, "only what VEX models is run"
        registers = dict(self.state.registers)
        after = execute(block, registers, memory, self.decided, self.arch)
        return registers, after

    def load(self, address: Word, size: int) -> Word:
        """Load ``size`` bytes. Raises ForkNeeded and ValueNeeded."""
        place = self.place(address)
        self._check(place)
        if not place.base:
            known = self._known(place.offset, size)
            if known is not None:
                return known
        elif self.code.question.looks_up:
            at = place.offset & v.mask(self.width)
            if self.code.image.is_of_table(at):
                raise ValueNeeded(self.terms.kept[place.base[0]], ENTRIES)
        epoch = self.stable.epoch(self.code, self.state, place, size)
        if epoch is None:
            self._touch(place)
        elif epoch != CONSTANT:
            self.stable.read.add(epoch)
        return self.state.heap.load(self.terms, place, size, epoch)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Store ``size`` bytes. Raises ForkNeeded and ValueNeeded."""
        place = self.place(address)
        value = chosen(self.path, value)
        self._check(place)
        if self.is_local(place) or not place.base and place.offset in self.arch.private:
            self._put(place.offset, value, size)
            self._met(place.offset, value, size)
            return
        self._touch(place)
        heap = self.state.heap
        if self.stable.epoch(self.code, self.state, place, size) is not None:
            heap = replace(heap, credentials=heap.credentials + 1)
        heap = heap.after(self.terms, place, value, size)
        self.state = replace(self.state, heap=heap)
        if place.base:
            self._smash()

    def constant(self, word: Word) -> int:
        """A word that must be constant. Raises ValueNeeded if it is not known."""
        found = self.path.known(v.plain(word))
        if not isinstance(found, int):
            raise ValueNeeded(found)
        return found

    def place(self, address: Word) -> Place:
        """The base and offset of an address. Raises ForkNeeded."""
        return self.terms.place(self.resolved(address))

    def resolved(self, address: Word) -> Word:
        """An address without if-then-else terms. Raises ForkNeeded."""
        return resolve(self.path, self.terms, address)

    def is_shared(self, place: Place) -> bool:
        """Whether a place is in a local that others may write."""
        return not place.base and any(place.offset in each for each in self.shared)

    def _met(self, at: int, value: Word, size: int) -> None:
        """Record a store to an escaped local, which loads through pointers may see."""
        for number, local in enumerate(self.shared):
            if at in local:
                write = Write((-1 - number,), at - local.start, size, value)
                heap = self.state.heap
                heap = replace(heap, writes=(*heap.writes, write))
                self.state = replace(self.state, heap=heap)

    def _smash(self) -> None:
        """Let a store through a pointer change every escaped local.

        Their contents then depend on all stores, in order.
        """
        heap = self.state.heap
        history = f"{heap.epoch} {self.terms.listed(heap.writes)}"
        for number, local in enumerate(self.shared):
            for n, length in v.pieces(len(local)):
                word = v.unknown(f"shared {history} {number} {n:#x}", 8 * length)
                self._put(local.start + n, word, length)

    def _put(self, at: int, value: Word, size: int) -> None:
        """Store in a local."""
        stack = stored(self.state.stack, at, value, size, self.terms.order)
        self.state = replace(self.state, stack=stack)

    def move(self, target: Word, source: Word, size: int) -> None:
        """Copy within the kernel between places that do not overlap, or only exactly."""
        words = [(n, self.load(self.after(source, n), s), s) for n, s in v.pieces(size)]
        for n, word, length in words:
            self.store(self.after(target, n), word, length)

    def fill(self, target: Word, byte: Word, size: int) -> None:
        """Fill memory with one byte."""
        low = v.extract(byte, 7, 0)
        for n, length in v.pieces(size):
            word = v.joined([(low, 1)] * length, "little")
            self.store(self.after(target, n), word, length)

    def after(self, address: Word, distance: int) -> Word:
        """The address that many bytes further on."""
        return v.add(address, distance, self.width)

    def _touch(self, place: Place) -> None:
        """Record that an object is accessed: the pointer to it must be valid."""
        if place.base and place.base not in self.state.touched:
            touched = self.state.touched | {place.base}
            self.state = replace(self.state, touched=touched)

    def is_local(self, place: Place) -> bool:
        """Whether a place is on the stack of the function."""
        return not place.base and place.offset in self.arch.layout.stack

    def _check(self, place: Place) -> None:
        """Raise ValueNeeded if the index of an array on the stack is not known."""
        at = place.offset & v.mask(self.width)
        if place.base and at in self.arch.layout.stack:
            raise ValueNeeded(self.terms.kept[place.base[0]])

    def _known(self, at: int, size: int) -> Word | None:
        """The contents of a known address outside the kernel's unknown memory; None inside."""
        code, order = self.code, self.terms.order
        if at in self.arch.layout.stack:
            return stack_word(code, self.state, at, size)
        if at in self.arch.private:
            return loaded(self.state.stack, at, size, order, self._constant)
        if at in code.constants:
            return self._constant(at, size)
        if not code.image.is_constant(at):
            return None
        return int.from_bytes(code.image.read(at, size), order)

    def _constant(self, at: int, size: int) -> Word:
        if at not in self.code.constants:
            raise UnsupportedError("a part of what opening user access writes")
        return int.from_bytes(self.code.constants[at][:size], self.terms.order)


def stack_word(code: Code, state: State, at: int, size: int) -> Word:
    """A word of the stack; what the function has not written is the caller's, or poison of this side."""

    def unwritten(at: int, size: int) -> Word:
        if at >= code.caller:
            return initial(code.terms, "argument", Place((), at - code.caller), size)
        return initial(code.terms, f"poison {code.side}", Place((), at), size)

    return loaded(state.stack, at, size, code.terms.order, unwritten)


def plain(side: Side, found: Block) -> None:
    """Run a block of plain instructions."""
    assert found.vex is not None
    if found.vex.jumpkind == UNTRANSLATED:
        line = side.code.line(found.last)
        raise UnsupportedError(f"unsupported instruction at line {line}")
    registers, after = side.run(found.vex, side)
    side.state = replace(side.state, registers=registers, site=found.last)
    go_on(side, after)


def go_on(side: Side, after: Word) -> None:
    """Continue at an address; an unknown one is an indirect call."""
    after = side.resolved(after)
    if isinstance(after, int):
        side.state = replace(side.state, pc=after)
    else:
        side.state = replace(side.state, pc=UNKNOWN, target=after)
