# SPDX-License-Identifier: GPL-2.0
"""Addresses as a base and a distance, so that members of one object are told apart without a solver."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.values import Word


@dataclass(frozen=True)
class Place:
    """An address: the terms that are added up, by number, and the bytes from there.

    A known address has no terms.
    """

    base: tuple[int, ...]
    offset: int


@dataclass
class Terms:
    """Numbers for terms: one term has one number, on both sides of a comparison.

    z3 gives a number to another term once the first is gone, so all are kept.
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
        """What stands for a word in the name of another."""
        return f"={value:x}" if isinstance(value, int) else self.number(value)

    def listed(self, items: tuple[object, ...]) -> int:
        """A number for a list of names."""
        return self.lists.setdefault(items, len(self.lists))

    def place(self, address: Word) -> Place:
        """The base and the distance of an address."""
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

    def _place(self, address: z3.BitVecRef) -> Place:
        offset = 0
        terms: list[int] = []
        waiting: list[z3.ExprRef] = [address]
        plain: set[int] = set()
        while waiting:
            term = waiting.pop()
            if z3.is_bv_value(term):
                offset += term.as_long()
            elif term.decl().kind() == z3.Z3_OP_BADD:
                waiting.extend(term.children())
            elif term.decl().kind() == z3.Z3_OP_BSUB and z3.is_bv_value(term.arg(1)):
                offset -= term.arg(1).as_long()
                waiting.append(term.arg(0))
            elif term.get_id() in plain:
                terms.append(self.number(term))
            else:
                # A constant within keeps the simplifier from one form: it goes first.
                simple = z3.simplify(term)
                self.number(simple)
                plain.add(simple.get_id())
                waiting.append(simple)
        width = v.mask(self.width)
        return Place(tuple(sorted(terms)), v.signed(offset & width, self.width))
