# SPDX-License-Identifier: GPL-2.0
"""Split addresses into base and offset, to distinguish members of an object without a solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.values import Word


@dataclass(frozen=True)
class Place:
    """An address: the numbers of the terms that are added up, and an offset in bytes.

    A constant address has no terms.
    """

    base: tuple[int, ...]
    offset: int


@dataclass
class Terms:
    """Unique numbers for terms, shared by both sides of a comparison.

    All terms are kept alive, as z3 reuses the ids of dead ones.
    """

    width: int
    order: Literal["little", "big"] = "little"
    numbers: dict[int, int] = field(default_factory=dict)
    kept: list[z3.BitVecRef] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    lists: dict[tuple[object, ...], int] = field(default_factory=dict)

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

    def listed(self, items: tuple[object, ...]) -> int:
        """The number of a list of names."""
        return self.lists.setdefault(items, len(self.lists))

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

        A load that may have read a store since then has a name with the stores (memory.py).
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
            number if factor == 1 else self._multiple(number, factor & width)
            for number, factor in factors.items()
            if factor & width
        ]
        return Place(tuple(sorted(terms)), signed(offset & width, self.width))

    def _multiple(self, number: int, factor: int) -> int:
        """The number of a multiple of a term."""
        return self.number(self.kept[number] * factor)


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
