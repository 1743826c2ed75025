# SPDX-License-Identifier: GPL-2.0
"""Memory of one side: its stack, and kernel memory, whose unknown contents both sides share.

Each call that may write to kernel memory starts a new epoch. Within one, a load of unwritten memory
is a variable named by epoch, base and offset. A write with another base may alias it: the
variable's name then includes all writes, so that two loads are equal only after the same writes.
Nothing is assumed about aliasing, but that no pointer from before an allocation leads into it.
Addresses are split into base and offset, which tells members of an object apart without a solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.values import Order, Word

# Bytes of one variable of kernel memory
WORD = 8
Missing = Callable[[int, int], Word]


@dataclass(frozen=True)
class Place:
    """An address: the numbers of the terms that are added up, and an offset in bytes.

    A constant address has no terms, and is the offset.
    """

    base: tuple[int, ...]
    offset: int


class Load(NamedTuple):
    """A word that is loaded, and the number of the list of the stores before that."""

    epoch: int | str
    base: tuple[int, ...]
    offset: int
    after: int


@dataclass
class Terms:
    """Unique numbers for terms, shared by both sides of a comparison.

    All terms are kept alive, as z3 reuses the ids of dead ones.
    """

    width: int
    order: Order = "little"
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[z3.BitVecRef] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    lists: dict[tuple[object, ...], int] = field(default_factory=dict)
    # The stores of each list, and the loads after these
    stores: list[tuple[Write, ...]] = field(default_factory=list)
    loads: dict[str, Load] = field(default_factory=dict)

    def number(self, term: z3.BitVecRef) -> int:
        """The number of a term."""
        found = self.numbers.get(term.get_id())
        if found is None:
            found = self.numbers[term.get_id()] = len(self.kept)
            self.kept.append(term)
        return found

    def name(self, value: Word) -> int | str:
        """The name of a word for use inside a variable's name; equal sums have one name."""
        value = v.plain(value)
        return f"={value:x}" if isinstance(value, int) else self.number(value)

    def listed(self, writes: Iterable[Write]) -> int:
        """The number of a list of stores."""
        made = (*writes,)
        items = tuple((w.base, w.offset, w.size, self.name(w.value)) for w in made)
        if items not in self.lists:
            self.lists[items] = len(self.stores)
            self.stores.append(made)
        return self.lists[items]

    def lacking(self, names: Iterable[str], model: z3.ModelRef) -> Iterator[z3.BoolRef]:
        """What a model lacks of this: loads of one place after the same stores return the same, and the last of these, if any is there."""

        def is_lacking(said: z3.BoolRef) -> bool:
            return not z3.is_true(model.eval(said, model_completion=True))

        found: dict[int | str, list[tuple[int, str]]] = {}
        for name in names:
            if name in self.loads:
                load = self.loads[name]
                number = _number(model, self.at(load.base, load.offset))
                found.setdefault(load.epoch, []).append((number, name))
                yield from filter(is_lacking, self._after(name, number, model))
        for several in found.values():
            for (at, one), (there, other) in combinations(sorted(several), 2):
                if there - at < WORD:
                    yield from filter(is_lacking, [self._alike(one, other, there - at)])

    def _alike(self, one: str, other: str, away: int) -> z3.BoolRef:
        """That two loads return the same if the second is so far from the first, and the stores before them are equal."""
        loads = self.loads[one], self.loads[other]
        both = [self.stores[load.after] for load in loads]
        old, new = ([(w.base, w.offset, w.size) for w in each] for each in both)
        if old != new:
            return z3.BoolVal(True)
        at, there = (self.at(load.base, load.offset) for load in loads)
        same = [
            v.truth(v.equal(a.value, b.value, 8 * a.size))
            for a, b in zip(*both, strict=True)
        ]
        parts = (away, WORD - 1), (0, WORD - 1 - away)
        if self.order == "big":
            parts = parts[::-1]
        mine, theirs = (
            z3.Extract(8 * last + 7, 8 * first, _whole(name))
            for (first, last), name in zip(parts, (one, other), strict=True)
        )
        return z3.Implies(z3.And(there == at + away, *same), mine == theirs)

    def _after(
        self, name: str, number: int, model: z3.ModelRef
    ) -> Iterator[z3.BoolRef]:
        """That a load, of an address that has this number in a model, returns what was stored there last, and what was there if nothing was."""
        load, width, past = self.loads[name], self.width, list[z3.BoolRef]()
        start, whole = self.at(load.base, load.offset), _whole(name)
        later = list[tuple[z3.BitVecRef, int]]()
        for write in reversed(self.stores[load.after]):
            at, size = self.at(write.base, write.offset), write.size
            from_start = (_number(model, at) - number) & v.mask(width)
            if from_start + size <= WORD:
                low = from_start
                if self.order == "big":
                    low = WORD - from_start - size
                part = z3.Extract(8 * (low + size) - 1, 8 * low, whole)
                kept = (_apart(at, size, *other) for other in later)
                there = z3.And(at == start + from_start, *kept)
                yield z3.Implies(there, part == v.term(write.value, 8 * size))
            later.append((at, size))
            past.append(_apart(at, size, start, WORD))
        if later:
            before = initial(self, load.epoch, Place(load.base, load.offset), WORD)
            yield z3.Implies(z3.And(*past), whole == v.term(before, 8 * WORD))

    def at(self, base: tuple[int, ...], offset: int) -> z3.BitVecRef:
        """The address of a place as a term."""
        return v.term(self.address(Place(base, offset)), self.width)

    def place(self, address: Word) -> Place:
        """The base and offset of an address."""
        if isinstance(address, int):
            return Place((), address)
        known = self.places.get(address.get_id())
        if known is None:
            known = self._place(address)
            self.number(address)
            self.places[address.get_id()] = known
        return known

    def address(self, place: Place) -> Word:
        """The address of a place."""
        found: Word = place.offset & v.mask(self.width)
        for number in place.base:
            found = v.add(found, self.kept[number], self.width)
        return found

    def are_from_before(self, base: tuple[int, ...]) -> bool:
        """Whether terms were known before the last call: arguments, and what memory held after it.

        A load that may have read a store since then has a name with the stores.
        """
        # Negative numbers are of locals.
        terms = (self.kept[n] for n in base if n >= 0)
        names = (str(each.decl().name()) for term in terms for each in v.leaves(term))
        return all(
            each.startswith(("argument ", "memory ")) and "|" not in each
            for each in names
        )

    def _place(self, address: z3.BitVecRef) -> Place:
        """Split an address into a sum of terms with factors, so that equal addresses have one form."""
        offset = 0
        factors: dict[int, int] = {}
        waiting: list[tuple[z3.ExprRef, int]] = [(address, 1)]
        plain: set[int] = set()
        while waiting:
            term, factor = waiting.pop()
            if z3.is_bv_value(term):
                offset += factor * term.as_long()
                continue
            summands = list(_summands(term))
            if summands:
                waiting.extend((each, factor * by) for each, by in summands)
            elif term.get_id() in plain:
                number = self.number(term)
                factors[number] = factors.get(number, 0) + factor
            else:
                # A constant can keep the simplifier from a normal form: split it off first.
                simple = z3.simplify(term)
                self.number(simple)
                plain.add(simple.get_id())
                waiting.append((simple, factor))
        width = v.mask(self.width)
        terms = [
            self.number(self.kept[number] * (factor & width)) if factor != 1 else number
            for number, factor in factors.items()
            if factor & width
        ]
        at = signed(offset, self.width) if terms else offset & width
        return Place(tuple(sorted(terms)), at)


def _whole(name: str) -> z3.BitVecRef:
    return z3.BitVec(name, 8 * WORD)


def _number(model: z3.ModelRef, term: z3.BitVecRef) -> int:
    return int(model.eval(term, model_completion=True).as_long())


def _apart(
    one: z3.BitVecRef, size: int, other: z3.BitVecRef, length: int
) -> z3.BoolRef:
    """The condition that two places do not overlap."""
    return z3.And(z3.UGE(other - one, size), z3.UGE(one - other, length))


def _summands(term: z3.ExprRef) -> Iterator[tuple[z3.ExprRef, int]]:
    """The summands of a term with their factors; nothing if it is not a sum."""
    kind = term.decl().kind()
    children = term.children()
    if kind == z3.Z3_OP_BADD:
        yield from ((each, 1) for each in children)
    elif kind == z3.Z3_OP_BSUB:
        yield children[0], 1
        yield from ((each, -1) for each in children[1:])
    elif kind == z3.Z3_OP_BNEG:
        yield children[0], -1
    elif kind == z3.Z3_OP_BMUL and len(children) == 2:
        one, other = children if z3.is_bv_value(children[0]) else reversed(children)
        # A multiple of anything but a sum is already simple.
        if z3.is_bv_value(one):
            yield other, one.as_long()
    elif kind == z3.Z3_OP_BSHL and z3.is_bv_value(children[1]):
        yield children[0], 1 << min(children[1].as_long(), term.size())
    elif kind == z3.Z3_OP_CONCAT and len(children) == 2:
        # The simplifier writes a shift like this.
        high, low = children
        if z3.is_app_of(high, z3.Z3_OP_EXTRACT) and z3.is_bv_value(low):
            whole, start = high.arg(0), high.params()[1]
            if low.as_long() == 0 and start == 0 and whole.size() == term.size():
                yield whole, 1 << low.size()


@dataclass(frozen=True)
class Written:
    """A written byte: the word it is part of, the size of that, and the byte's index in it."""

    value: Word
    size: int
    index: int

    def start(self, at: int, order: Order) -> int:
        """The start of the word, from the address of the byte."""
        return at - (self.index if order == "little" else self.size - 1 - self.index)


# Bytes by address or offset
Bytes = Mapping[int, Written]


def stored(
    known: Bytes, at: int, value: Word, size: int, order: Order
) -> dict[int, Written]:
    """Add a store to the written bytes."""
    made = dict(known)
    for n in range(size):
        index = n if order == "little" else size - 1 - n
        made[at + n] = Written(value, size, index)
    return made


def loaded(known: Bytes, at: int, size: int, order: Order, missing: Missing) -> Word:
    """The word at an address; ``missing`` returns parts that were not written."""
    first = known.get(at)
    if first is not None and first.size == size:
        bytes_ = [known.get(at + n) for n in range(size)]
        places = [
            b.index for b in bytes_ if b and b.value is first.value and b.size == size
        ]
        if places == list(range(size))[:: 1 if order == "little" else -1]:
            return first.value
    return v.joined(list(_parts(known, at, size, missing)), order)


def _parts(
    known: Bytes, at: int, size: int, missing: Missing
) -> Iterator[tuple[Word, int]]:
    """The parts of a load in address order, each with its size."""
    n = 0
    while n < size:
        byte = known.get(at + n)
        if byte is None:
            end = next((e for e in range(n, size) if at + e in known), size)
            yield missing(at + n, end - n), end - n
            n = end
            continue
        # Adjacent bytes of one word form one part, in either byte order.
        count, step = 1, 0
        while n + count < size:
            after = known.get(at + n + count)
            if not after or after.value is not byte.value or after.size != byte.size:
                break
            way = after.index - byte.index
            if abs(way) != count or (step and way != step * count):
                break
            step = way // count
            count += 1
        low = min(byte.index, byte.index + step * (count - 1))
        yield v.extract(byte.value, 8 * (low + count) - 1, 8 * low), count
        n += count


@dataclass(frozen=True)
class Write:
    """A store to kernel memory."""

    base: tuple[int, ...]
    offset: int
    size: int
    value: Word


@dataclass(frozen=True)
class Heap:
    """Kernel memory of one side since the last call: its writes, in order and by base.

    ``epoch`` counts the calls that may have written, ``credentials`` those that may have changed
    the task's credentials. ``fresh`` is the base of the memory that the last of these calls has
    allocated, empty if it did not.
    """

    epoch: int = 0
    credentials: int = 0
    writes: tuple[Write, ...] = ()
    bases: Mapping[tuple[int, ...], Bytes] = field(default_factory=dict)
    fresh: tuple[int, ...] = ()
    # What a volatile load returned, until something is written
    settled: tuple[Place, int, Word] | None = None

    def may_meet(
        self, terms: Terms, one: tuple[int, ...], other: tuple[int, ...]
    ) -> bool:
        """Whether places with two bases may be the same memory."""
        if one == other or not self.fresh or self.fresh not in (one, other):
            return True
        return not terms.are_from_before(other if one == self.fresh else one)

    def after(self, terms: Terms, place: Place, value: Word, size: int) -> Heap:
        """The heap after a store. An earlier one to the same place leaves nothing, whatever aliases."""
        base, at = place.base, place.offset
        made = stored(self.bases.get(base, {}), at, value, size, terms.order)
        left = (
            w for w in self.writes if (w.base, w.offset, w.size) != (base, at, size)
        )
        writes = (*left, Write(base, at, size, value))
        bases = {**self.bases, base: made}
        return replace(self, writes=writes, bases=bases, settled=None)

    def load(
        self, terms: Terms, place: Place, size: int, epoch: str | None = None
    ) -> Word:
        """The contents of a place; with ``epoch``, only stores with its own base can change it."""
        if self.settled is not None and self.settled[:2] == (place, size):
            return self.settled[2]
        known = self.bases.get(place.base, {})
        after = None
        if epoch is None and any(self._is_met(terms, w, place) for w in self.writes):
            # Include all writes that may alias.
            known, after = self._hidden(terms, place, size, known)
        began = self.epoch if epoch is None else epoch

        def missing(at: int, length: int) -> Word:
            return initial(terms, began, Place(place.base, at), length, after)

        return loaded(known, place.offset, size, terms.order, missing)

    def _is_met(self, terms: Terms, write: Write, place: Place) -> bool:
        """Whether a write may alias a place with another base."""
        return write.base != place.base and self.may_meet(terms, write.base, place.base)

    def _hidden(
        self, terms: Terms, place: Place, size: int, known: Bytes
    ) -> tuple[Bytes, int]:
        """The bytes known after writes with other bases that may alias, and the number of the list of these."""
        at, end = place.offset, place.offset + size
        met = [self._is_met(terms, write, place) for write in self.writes]
        relevant, covered = [], False
        for write, is_met in zip(self.writes, met, strict=True):
            own = write.base == place.base
            stop = write.offset + write.size
            if is_met or own and write.offset < end and at < stop:
                relevant.append(write)
            # Whether a write of all of it comes after all of those with other bases
            whole = own and write.offset <= at and end <= stop
            covered = not is_met and (covered or whole)
        return known if covered else {}, terms.listed(relevant)


def initial(
    terms: Terms, epoch: int | str, place: Place, size: int, after: int | None = None
) -> Word:
    """The contents of a place at the start of an epoch, or ``after`` a list of stores."""
    base = ".".join(map(str, place.base))
    suffix = "" if after is None else f"|{after}"
    at, end = place.offset, place.offset + size
    parts: list[tuple[Word, int]] = []
    while at < end:
        start = at & -WORD
        length = min(end, start + WORD) - at
        name = f"memory {epoch} {base}+{start:#x}{suffix}"
        word = z3.BitVec(name, 8 * WORD)
        number = terms.listed(()) if after is None else after
        terms.loads[name] = Load(epoch, place.base, start, number)
        low = at - start if terms.order == "little" else start + WORD - at - length
        parts.append((v.extract(word, 8 * (low + length) - 1, 8 * low), length))
        at += length
    return v.joined(parts, terms.order)
