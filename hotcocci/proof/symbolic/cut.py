# SPDX-License-Identifier: GPL-2.0
"""Moments that were seen before: two paths that meet are one from there on, and a loop is done.

After both sides have done the same, all that the rest depends on is where they are and what they
hold. Variables are renamed by their places, so that only what values have in common counts. A moment like an earlier one needs no second look: what follows was proven, or is being
proven. What was decided on the way is forgotten unless ``Cuts.keeps``; that only adds paths,
so a proof with it holds, but a difference found with it may be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.code import Code
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.memory import Written
from hotcocci.proof.symbolic.state import Path, State, Window
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.widen import Loop, widened, words

# Variables that mean the same wherever the paths are.
LASTING = ("argument ", "memory constant ", "memory credentials ", "memory poison ")
SETTINGS = "key "
POISON = "poison "


@dataclass
class Cuts:
    """The moments that were seen.

    ``keeps`` tells that what was decided is a part of them, ``widens`` that turns of a loop are
    put together as one (widen.py).
    """

    keeps: bool
    widens: bool = False
    loops: dict[tuple[object, ...], Loop] = field(default_factory=dict)
    seen: set[tuple[object, ...]] = field(default_factory=set)
    kept: list[object] = field(default_factory=list)
    variables: dict[int, tuple[z3.ExprRef, ...]] = field(default_factory=dict)


@dataclass
class _Names:
    """New names for the variables of one moment: each is named by the first place that it is met in."""

    cuts: Cuts
    epoch: str
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def renamed(self, value: Word, place: str) -> Word:
        """A word with new names; ``place`` is where it is."""
        if isinstance(value, int):
            return value
        for number, variable in enumerate(_variables(self.cuts, value)):
            self._name(variable, f"{place} {number}")
        found = z3.substitute(value, *self.pairs) if self.pairs else value
        self.cuts.kept.append(found)
        return found

    def _name(self, variable: z3.ExprRef, place: str) -> None:
        if variable.get_id() in self.known or not z3.is_bv(variable):
            return
        name = variable.decl().name()
        if name.startswith((*LASTING, self.epoch)):
            return
        self.known.add(variable.get_id())
        prefix = ""
        if name.startswith(POISON):
            prefix = " ".join(name.split()[:2]) + " "
        fresh = z3.BitVec(f"{prefix}cut {place}", variable.size())
        self.pairs.append((variable, fresh))


def _variables(cuts: Cuts, term: z3.ExprRef) -> tuple[z3.ExprRef, ...]:
    found = cuts.variables.get(term.get_id())
    if found is None:
        found = tuple(_leaves(term))
        cuts.variables[term.get_id()] = found
        cuts.kept.append(term)
    return found


def _leaves(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    waiting = [term]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if each.get_id() in seen:
            continue
        seen.add(each.get_id())
        if z3.is_const(each):
            if each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                yield each
            continue
        waiting.extend(reversed(each.children()))


def cut(cuts: Cuts, codes: tuple[Code, Code], joint: Joint) -> Joint | None:
    """The moment with new names, None if one like it was seen; as it is where it cannot be told."""
    old, new = joint.states
    if joint.rest is not None or not (_is_plain(old) and _is_plain(new)):
        return joint
    if joint.refused or not new.touched <= old.touched:
        return joint
    names = _Names(cuts, f"memory {old.heap.epoch} ")
    both = [
        _renamed(names, code, state)
        for code, state in zip(codes, joint.states, strict=True)
    ]
    path = _path(cuts, names, joint.path)
    cuts.kept.append(path)
    uses = _uses_epoch(names, codes[0], both)
    epochs = (old.heap.epoch, old.heap.credentials) if uses else ()
    locals_ = tuple(sorted(joint.locals_.items()))
    around = (joint.escaped, locals_, joint.permitted, epochs)
    made = replace(joint, states=(both[0], both[1]), path=path)
    if not _is_new(cuts, made, around):
        return None
    if not cuts.widens:
        return made
    held = codes[0].arch.registers
    each = words(both[0], held), words(both[1], held)
    wider = widened(cuts.loops, made, around, each)
    if wider is None or wider is made:
        return wider
    cuts.kept.append(wider)
    return wider if _is_new(cuts, wider, around) else None


def _is_new(cuts: Cuts, joint: Joint, around: tuple[object, ...]) -> bool:
    """Whether a moment was not seen before."""
    known = tuple(sorted(each.get_id() for each in joint.path.conditions))
    whole = (*(_key(state) for state in joint.states), known, around)
    if whole in cuts.seen:
        return False
    cuts.seen.add(whole)
    return True


def _is_plain(state: State) -> bool:
    """Whether nothing is under way that has to be remembered word by word."""
    return not state.heap.writes and state.torn is None and state.partial is None


def _uses_epoch(names: _Names, code: Code, states: list[State]) -> bool:
    """Whether a word is known to be what memory holds now."""
    lasting = (names.epoch, "memory credentials ")
    return any(
        variable.decl().name().startswith(lasting)
        for state in states
        for value in words(state, code.arch.registers).values
        if not isinstance(value, int)
        for variable in _variables(names.cuts, value)
    )


def _renamed(names: _Names, code: Code, state: State) -> State:
    registers = {
        register: names.renamed(value, f"{code.side} r{register}")
        for register, value in sorted(state.registers.items())
    }
    sp = state.registers[code.arch.registers.sp]
    assert isinstance(sp, int)
    made: dict[int, Word] = {}
    stack = {}
    for at in sorted(state.stack):
        # What lies below is free.
        if at < sp:
            continue
        byte = state.stack[at]
        value = made.get(id(byte.value))
        if value is None:
            place = f"{code.side} {at:#x}"
            value = made[id(byte.value)] = names.renamed(byte.value, place)
        stack[at] = Written(value, byte.size, byte.index)
    window = state.window
    if window is not None:
        window = replace(
            window,
            start=names.renamed(window.start, f"{code.side} start"),
            length=names.renamed(window.length, f"{code.side} length"),
        )
    return replace(
        state,
        registers=registers,
        stack=stack,
        window=window,
        attempt=None,
        stopped=None,
        touched=frozenset(_bases(names, code, state.touched)),
    )


def _bases(
    names: _Names, code: Code, touched: frozenset[tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """The objects that were accessed and can be again, by the new names of their pointers."""
    held = {variable.get_id() for variable, _ in names.pairs}
    for base in touched:
        terms = [code.terms.kept[number] for number in base]
        lasting = all(
            _lasts(variable, held, names.epoch)
            for term in terms
            for variable in _variables(names.cuts, term)
        )
        if lasting:
            renamed = [names.renamed(term, "touched") for term in terms]
            yield tuple(
                sorted(
                    code.terms.number(z3.simplify(v.term(each, 0))) for each in renamed
                )
            )


def _key(state: State) -> tuple[object, ...]:
    return (
        state.pc,
        tuple((r, _id(value)) for r, value in state.registers.items()),
        tuple(
            (at, _id(byte.value), byte.size, byte.index)
            for at, byte in state.stack.items()
        ),
        _window(state.window),
        state.open,
        state.inside,
        state.faulted,
        state.touched,
    )


def _id(value: Word) -> tuple[bool, int]:
    if isinstance(value, int):
        return True, value
    return False, value.get_id()


def _window(window: Window | None) -> tuple[object, ...]:
    if window is None:
        return ()
    return _id(window.start), _id(window.length), window.directions


def _path(cuts: Cuts, names: _Names, path: Path) -> Path:
    """What is still known: of the kernel's settings, and with ``keeps`` of what is held."""
    found = Path()
    held = {variable.get_id() for variable, _ in names.pairs}
    for condition in path.conditions:
        variables = _variables(cuts, condition)
        if all(each.decl().name().startswith(SETTINGS) for each in variables):
            found = found.with_(condition)
        elif cuts.keeps and all(_lasts(each, held, names.epoch) for each in variables):
            renamed = (
                z3.substitute(condition, *names.pairs) if names.pairs else condition
            )
            found = found.with_(renamed)
    return found


def _lasts(variable: z3.ExprRef, held: set[int], epoch: str) -> bool:
    return variable.get_id() in held or variable.decl().name().startswith(
        (*LASTING, SETTINGS, epoch)
    )
