# SPDX-License-Identifier: GPL-2.0
"""Rename the variables of a joint state by location, so that equal states become identical."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.places import Terms
from hotcocci.proof.symbolic.values import Word

# Variables that mean the same on all paths
LASTING = (
    "argument ",
    "memory argument ",
    "memory constant ",
    "memory credentials ",
    "memory poison ",
)
SETTINGS = "key "
# Prefix for current memory contents: the renamed state starts at epoch 0.
NOW = "memory 0 "
MEMORY = re.compile(r"([\d.]*)\+(-?0x[0-9a-f]+)$")


@dataclass
class Kept:
    """Keeps terms alive, as z3 reuses the ids of dead ones, and caches their variables."""

    terms: list[object] = field(default_factory=list)
    leaves: dict[int, tuple[z3.ExprRef, ...]] = field(default_factory=dict)

    def variables(self, term: z3.ExprRef) -> tuple[z3.ExprRef, ...]:
        """The variables in a term, in order of occurrence."""
        found = self.leaves.get(term.get_id())
        if found is None:
            found = tuple(v.leaves(term))
            self.leaves[term.get_id()] = found
            self.terms.append(term)
        return found


@dataclass
class Names:
    """New names for the variables of a joint state: the first location that each occurs in.

    Variables for current memory contents (``epoch``) are named last, by the new names of the
    pointers to them.
    """

    kept: Kept
    terms: Terms
    epoch: str
    remembers: bool
    # By id of a variable: the variable and its replacement
    pairs: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=dict)
    later: list[tuple[z3.ExprRef, str]] = field(default_factory=list)

    def note(self, value: Word, place: str) -> None:
        """Name the variables of a word at a location."""
        if isinstance(value, int):
            return
        for number, variable in enumerate(self.kept.variables(value)):
            name = variable.decl().name()
            if self.remembers and name.startswith(self.epoch):
                self.later.append((variable, f"{place} {number}"))
            else:
                self._name(variable, f"{place} {number}")

    def settle(self) -> None:
        """Name the variables for current memory contents."""
        for variable, place in self.later:
            self._now(variable, place)

    def renamed(self, value: z3.ExprRef) -> z3.ExprRef:
        """A term with its variables renamed."""
        # z3 is slow with many pairs: pass only those that occur.
        pairs = [
            self.pairs[variable.get_id()]
            for variable in self.kept.variables(value)
            if variable.get_id() in self.pairs
        ]
        found = z3.substitute(value, *pairs) if pairs else value
        self.kept.terms.append(found)
        return found

    def word(self, value: Word) -> Word:
        """A word with its variables renamed."""
        return value if isinstance(value, int) else self.renamed(value)

    def lasts(self, term: z3.ExprRef) -> bool:
        """Whether every variable of a term has a new name or needs none."""
        return all(
            variable.get_id() in self.pairs
            or variable.decl().name().startswith((*LASTING, SETTINGS))
            for variable in self.kept.variables(term)
        )

    def now(self, term: z3.ExprRef) -> None:
        """Name the variables for current memory contents in a term, if their pointers have names."""
        for variable in self.kept.variables(term):
            name = variable.decl().name()
            if self.remembers and name.startswith(self.epoch):
                self._now(variable, "")

    def _now(self, variable: z3.ExprRef, place: str) -> None:
        if variable.get_id() in self.pairs:
            return
        found = MEMORY.match(variable.decl().name().removeprefix(self.epoch))
        if found is None:
            # It depends on writes that are forgotten.
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
