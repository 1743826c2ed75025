# SPDX-License-Identifier: GPL-2.0
"""Merge joint states that were seen before, which joins paths and closes loops.

After a common event, the rest depends only on the two pcs and on live values. Variables are renamed by location,
so that only equalities between values count, and dead values do not (liveness.py). A joint state equal to an
earlier one need not be followed: the rest has been proven or is being proven. Path conditions are dropped unless
``Cuts.keeps``. That only adds paths: a proof stays valid, but a difference may be spurious.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import chosen
from hotcocci.proof.symbolic.code import Liveness
from hotcocci.proof.symbolic.joint import Context, Joint
from hotcocci.proof.symbolic.loops import (
    Loop,
    Words,
    identity,
    poisoned,
    rebuilt,
    widened,
    words,
)
from hotcocci.proof.symbolic.memory import Terms
from hotcocci.proof.symbolic.state import Path, State
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


class Variable(NamedTuple):
    """A variable, with what z3 takes long to tell."""

    term: z3.ExprRef
    id: int
    name: str


@dataclass
class Kept:
    """Keeps terms alive, as z3 reuses the ids of dead ones, and caches their variables."""

    terms: list[object] = field(default_factory=list)
    leaves: dict[int, tuple[Variable, ...]] = field(default_factory=dict)

    def variables(self, term: z3.ExprRef) -> tuple[Variable, ...]:
        """The variables in a term, in order of occurrence."""
        number = term.get_id()
        found = self.leaves.get(number)
        if found is None:
            found = tuple(
                Variable(each, each.get_id(), each.decl().name())
                for each in v.leaves(term)
            )
            self.leaves[number] = found
            self.terms.append(term)
        return found


@dataclass
class Names:
    """New names for the variables of a joint state: the first location that each occurs in.

    Variables for current memory contents (``epoch``) are named last, by the new names of the pointers to them.
    """

    kept: Kept
    terms: Terms
    epoch: str
    remembers: bool
    # By id of a variable: the variable and its replacement
    pairs: dict[int, tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=dict)
    later: list[tuple[Variable, str]] = field(default_factory=list)

    def note(self, value: Word, place: str) -> None:
        """Name the variables of a word at a location."""
        if isinstance(value, int):
            return
        for number, variable in enumerate(self.kept.variables(value)):
            if self.remembers and variable.name.startswith(self.epoch):
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
        own = (variable.id for variable in self.kept.variables(value))
        pairs = [self.pairs[number] for number in own if number in self.pairs]
        found = z3.substitute(value, *pairs) if pairs else value
        self.kept.terms.append(found)
        return found

    def word(self, value: Word) -> Word:
        """A word with its variables renamed."""
        return value if isinstance(value, int) else self.renamed(value)

    def lasts(self, term: z3.ExprRef) -> bool:
        """Whether every variable of a term has a new name or needs none."""
        return all(
            variable.id in self.pairs or variable.name.startswith((*LASTING, SETTINGS))
            for variable in self.kept.variables(term)
        )

    def now(self, term: z3.ExprRef) -> None:
        """Name the variables for current memory contents in a term, if their pointers have names."""
        for variable in self.kept.variables(term):
            if self.remembers and variable.name.startswith(self.epoch):
                self._now(variable, "")

    def _now(self, variable: Variable, place: str) -> None:
        if variable.id in self.pairs:
            return
        found = MEMORY.match(variable.name.removeprefix(self.epoch))
        # Without a match, it depends on writes that are forgotten.
        numbers = self.base(n for n in found[1].split(".") if n) if found else None
        if found and numbers is not None:
            base = ".".join(map(str, numbers))
            self._pair(variable, f"{NOW}{base}+{found[2]}")
        elif place:
            self._name(variable, place)

    def base(self, numbers: Iterable[int | str]) -> tuple[int, ...] | None:
        """The new numbers of terms that are pointers; None if one has no new name and needs one."""
        terms = [self.terms.kept[int(number)] for number in numbers]
        for term in terms:
            self.now(term)
        if not all(map(self.lasts, terms)):
            return None
        fresh = (z3.simplify(self.renamed(term)) for term in terms)
        return tuple(sorted(map(self.terms.number, fresh)))

    def _name(self, variable: Variable, place: str) -> None:
        name = variable.name
        if variable.id in self.pairs or name.startswith(LASTING):
            return
        if z3.is_bv(variable.term):
            self._pair(variable, f"{poisoned(variable.term)}cut {place}")

    def _pair(self, variable: Variable, name: str) -> None:
        fresh = z3.BitVec(name, variable.term.size())
        self.pairs[variable.id] = (variable.term, fresh)


@dataclass
class Cuts:
    """The joint states seen so far.

    ``keeps``: path conditions are part of them. ``widens``: iterations of a loop are merged by widening
    (loops.py). ``forgets``: contents of kernel memory are dropped at the start of an iteration.
    """

    keeps: bool = False
    widens: bool = False
    forgets: bool = False
    loops: dict[tuple[object, ...], list[Loop]] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)
    kept: Kept = field(default_factory=Kept)


def cut(cuts: Cuts, context: Context, joint: Joint, turn: bool) -> Joint | None:
    """Return the renamed joint state, None if an equal one was seen.

    ``turn``: both sides start another iteration of a loop. Returns ``joint`` unchanged where
    merging is not supported.
    """
    old, new = joint.states
    states = joint.all()
    # No pending writes, and no faulted copy
    plain = all(not state.heap.writes and state.torn is None for state in states)
    alike = len({state.heap.epoch for state in states}) == 1
    if joint.rest is not None or not (plain and alike and new.touched <= old.touched):
        return joint
    epoch, arch = f"memory {old.heap.epoch} ", context.arch
    remembers = not (cuts.forgets and turn)
    names = Names(cuts.kept, context.terms, epoch, remembers)
    live = (*context.liveness, context.liveness[0])
    needed = [_needed(*each, joint.path) for each in zip(live, states, strict=False)]
    each = [words(state, arch) for state in needed]
    for number, known in enumerate(each):
        for place, value in enumerate(known.values):
            names.note(value, f"{number} {place}")
    names.settle()
    renamed = []
    for state, known in zip(needed, each, strict=True):
        fresh = rebuilt(state, list(map(names.word, known.values)), arch.layout.order)
        heap = replace(state.heap, epoch=0, fresh=())
        # The accessed objects that are still reachable, by the new names of their pointers.
        reached = map(names.base, () if cuts.widens else state.touched)
        touched = frozenset(base for base in reached if base is not None)
        renamed.append(replace(fresh, asked=None, heap=heap, touched=touched))
    path = _path(cuts, names, joint.path)
    cuts.kept.terms.append(path)
    each = [words(state, arch) for state in renamed]
    uses = _uses_credentials(names, each)
    epochs = old.heap.credentials if uses else 0
    locals_ = tuple(sorted(joint.locals_.items()))
    ended = joint.refused and str(joint.events[1])
    rest = (joint.escaped, joint.shown, locals_, joint.permitted, epochs, ended)
    merged = replace(joint, path=path).with_all(renamed)
    whole = _whole(merged, each, rest)
    if whole in cuts.seen:
        return None
    cuts.seen.add(whole)
    if not (cuts.widens and turn):
        return merged
    wider = widened(cuts.loops, context.solver, merged, rest, each, arch.layout)
    if wider is None:
        return None
    cuts.kept.terms.append(wider)
    together = _whole(wider, [words(state, arch) for state in wider.all()], rest)
    seen = together != whole and together in cuts.seen
    cuts.seen.add(together)
    return None if seen else wider


def _whole(
    joint: Joint, states: Sequence[Words], rest: tuple[object, ...]
) -> tuple[object, ...]:
    """The key of a joint state: everything that the rest of a path depends on."""
    known = tuple(sorted(each.get_id() for each in joint.path.conditions))
    keys = ((each.shape, tuple(map(identity, each.values))) for each in states)
    return (*keys, known, rest)


def _uses_credentials(names: Names, states: Sequence[Words]) -> bool:
    """Whether a word depends on the current contents of the credentials."""
    values = (value for state in states for value in state.values)
    terms = (value for value in values if not isinstance(value, int))
    found = (variable.name for term in terms for variable in names.kept.variables(term))
    return any(name.startswith("memory credentials ") for name in found)


def _needed(liveness: Liveness, state: State, path: Path) -> State:
    """The state without dead registers and stack, and without choices that the path has made."""
    known = liveness.code.arch.registers
    live = liveness.at(state.pc, state.inside.back if state.inside else 0)
    # An endless loop reads none of these.
    live |= {known.sp, *known.ambient}
    sp = state.registers[known.sp]
    assert isinstance(sp, int)
    kept = (r for r in sorted(state.registers) if r in live)
    # The stack below the stack pointer is free.
    stack = {at: state.stack[at] for at in sorted(state.stack) if at >= sp}
    registers = {r: chosen(path, state.registers[r]) for r in kept}
    return replace(state, registers=registers, stack=stack)


def _path(cuts: Cuts, names: Names, path: Path) -> Path:
    """The conditions that are still known: of static keys, and with ``keeps`` of live values."""
    found = Path()
    for condition in path.conditions:
        variables = cuts.kept.variables(condition)
        if all(each.name.startswith(SETTINGS) for each in variables):
            found = found.with_(condition)
        elif cuts.keeps:
            names.now(condition)
            for part in _parts(condition):
                if names.lasts(part):
                    found = found.with_(names.renamed(part))
    return found


def _parts(condition: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The conjuncts of a condition: one may stay known when the whole does not."""
    if z3.is_and(condition):
        for each in condition.children():
            yield from _parts(each)
    elif z3.is_not(condition) and z3.is_or(condition.arg(0)):
        for each in condition.arg(0).children():
            yield from _parts(v.truth(v.negation(each)))
    else:
        yield condition
