# SPDX-License-Identifier: GPL-2.0
"""New names for the variables of a moment, so that moments that are alike are the same to the letter."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.places import Terms
from hotcocci.proof.symbolic.values import Word

# Variables that mean the same wherever the paths are.
LASTING = (
    "argument ",
    "memory argument ",
    "memory constant ",
    "memory credentials ",
    "memory poison ",
)
SETTINGS = "key "
# What memory holds now is what it holds in the first epoch from there on.
NOW = "memory 0 "
MEMORY = re.compile(r"([\d.]*)\+(-?0x[0-9a-f]+)$")


@dataclass
class Kept:
    """Terms that were seen, which z3 would give the number of to others; and their variables."""

    terms: list[object] = field(default_factory=list)
    leaves: dict[int, tuple[z3.ExprRef, ...]] = field(default_factory=dict)

    def variables(self, term: z3.ExprRef) -> tuple[z3.ExprRef, ...]:
        """The variables in a term, in the order of meeting them."""
        found = self.leaves.get(term.get_id())
        if found is None:
            found = tuple(v.leaves(term))
            self.leaves[term.get_id()] = found
            self.terms.append(term)
        return found


@dataclass
class Names:
    """New names for the variables of one moment: each is named by the first place that it is met in.

    What memory holds now (``epoch``) is named last, by the new name of the pointer to it.
    """

    kept: Kept
    terms: Terms
    epoch: str
    remembers: bool
    # By the number of a variable: the variable, and what it is called now.
    pairs: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=dict)
    later: list[tuple[z3.ExprRef, str]] = field(default_factory=list)

    def note(self, value: Word, place: str) -> None:
        """Name the variables of a word; ``place`` is where it is."""
        if isinstance(value, int):
            return
        for number, variable in enumerate(self.kept.variables(value)):
            name = variable.decl().name()
            if self.remembers and name.startswith(self.epoch):
                self.later.append((variable, f"{place} {number}"))
            else:
                self._name(variable, f"{place} {number}")

    def settle(self) -> None:
        """Name what memory holds now."""
        for variable, place in self.later:
            self._now(variable, place)

    def renamed(self, value: z3.ExprRef) -> z3.ExprRef:
        """A term with new names."""
        # z3's interface takes long over each pair: only those that matter.
        pairs = [
            self.pairs[variable.get_id()]
            for variable in self.kept.variables(value)
            if variable.get_id() in self.pairs
        ]
        found = z3.substitute(value, *pairs) if pairs else value
        self.kept.terms.append(found)
        return found

    def word(self, value: Word) -> Word:
        """A word with new names."""
        return value if isinstance(value, int) else self.renamed(value)

    def lasts(self, term: z3.ExprRef) -> bool:
        """Whether all that a term depends on has a name."""
        return all(
            variable.get_id() in self.pairs
            or variable.decl().name().startswith((*LASTING, SETTINGS))
            for variable in self.kept.variables(term)
        )

    def now(self, term: z3.ExprRef) -> None:
        """Name what a term has of the memory as it is now, where the pointers to it have names."""
        for variable in self.kept.variables(term):
            name = variable.decl().name()
            if self.remembers and name.startswith(self.epoch):
                self._now(variable, "")

    def _now(self, variable: z3.ExprRef, place: str) -> None:
        if variable.get_id() in self.pairs:
            return
        found = MEMORY.match(variable.decl().name().removeprefix(self.epoch))
        if found is None:
            # It follows writes that are forgotten.
            if place:
                self._name(variable, place)
            return
        bases = [self.terms.kept[int(n)] for n in found[1].split(".") if n]
        for base in bases:
            self.now(base)
        if not all(self.lasts(base) for base in bases):
            if place:
                self._name(variable, place)
            return
        numbers = [self.terms.number(z3.simplify(self.renamed(b))) for b in bases]
        base = ".".join(map(str, sorted(numbers)))
        self._pair(variable, f"{NOW}{base}+{found[2]}")

    def _name(self, variable: z3.ExprRef, place: str) -> None:
        if variable.get_id() in self.pairs or not z3.is_bv(variable):
            return
        name = variable.decl().name()
        if name.startswith(LASTING):
            return
        prefix = ""
        if name.startswith(v.POISON):
            prefix = " ".join(name.split()[:2]) + " "
        self._pair(variable, f"{prefix}cut {place}")

    def _pair(self, variable: z3.ExprRef, name: str) -> None:
        fresh = z3.BitVec(name, variable.size())
        self.pairs[variable.get_id()] = (variable, fresh)
