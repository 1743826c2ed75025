# SPDX-License-Identifier: GPL-2.0
"""Widening: merge the iterations of a loop into one joint state.

Two joint states at the same place differ in some words. Words that grew by a constant grow
together, by a multiple of an unknown iteration count: an index by one, a pointer by four. Other
words that differ become free variables, equal where they were equal. What held for a growing word at the
entry, or that it has not passed a word that stays the same, may hold in each iteration. A joint state that fits
this form already is not followed again: that is the induction step. Dropping knowledge only adds paths.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from math import gcd
from typing import NamedTuple

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.objects.image import Layout
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.joint import Joint, variables
from hotcocci.proof.symbolic.memory import Written
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import (
    Path,
    State,
    UnsupportedError,
    windows,
    with_windows,
)
from hotcocci.proof.symbolic.values import Order, Word

# Width in bits of a whole word, and of a number kept in its lower half.
WHOLE, HALF = 64, 32
# Limits on the pairs of words that may be bounds, and on other conditions, that are tried for one loop.
BOUNDS, CLAIMS = 64, 32
# Limit on merging at one place.
ATTEMPTS = 8
# Limit on sets of conditions with which a loop is entered; more share the first.
ENTRIES = 6


@dataclass(frozen=True)
class Words:
    """The words of one side in order of their locations, with widths in bits; ``shape`` is the rest."""

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    shape: tuple[object, ...]


@dataclass(frozen=True)
class Grows:
    """A word grows by ``step`` per iteration; with ``half`` its upper half is zero."""

    step: int
    half: bool = False


@dataclass(frozen=True)
class Free:
    """A word may have any value; words with the same name are equal, but for what ``apart`` adds."""

    name: str
    apart: int


class Claim(NamedTuple):
    """A condition on the lowest ``width`` bits of the word ``grows``, for which it has a variable, and on words that stay."""

    grows: int
    width: int
    condition: z3.BoolRef
    stays: int = -1


@dataclass(frozen=True)
class Loop:
    """A loop head: its words at entry, and the ``forms`` of those that do not stay the same, by number.

    ``reference`` is a word that grows by one per iteration, -1 if none does. ``claims`` hold in each iteration.
    """

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    conditions: tuple[z3.BoolRef, ...]
    claims: tuple[Claim, ...] = ()
    forms: Mapping[int, Grows | Free] = field(default_factory=dict)
    reference: int = -1
    attempts: int = 0

    @property
    def grows(self) -> dict[int, Grows]:
        """The words that grow."""
        return {n: f for n, f in self.forms.items() if isinstance(f, Grows)}


def words(state: State, arch: Architecture) -> Words:
    """The words of a state: registers, stack contents, windows."""
    known = arch.registers
    values: list[Word] = list(state.registers.values())
    widths = [known.bits(register) for register in state.registers]
    pieces: dict[tuple[int, int], int] = {}
    layout = []
    for at, byte in state.stack.items():
        piece = byte.start(at, arch.layout.order), byte.size
        if piece not in pieces:
            pieces[piece] = len(values)
            values.append(byte.value)
            widths.append(8 * byte.size)
        layout.append((at, piece))
    for window in windows(state):
        if window is not None:
            values += [window.start, window.length]
            widths += [known.width, known.width]
    kinds = tuple(w and (w.directions, w.refused) for w in windows(state))
    order = tuple(state.registers), tuple(layout), kinds
    flags = state.open, state.inside, state.faulted, state.touched, state.checked
    return Words(tuple(values), tuple(widths), (state.pc, *order, *flags))


def rebuilt(state: State, fresh: Sequence[Word], order: Order) -> State:
    """The state with other words."""
    registers = dict(zip(state.registers, fresh, strict=False))
    pieces: dict[tuple[int, int], Word] = {}
    rest = list(fresh[len(registers) :])
    stack = {}
    for at, byte in state.stack.items():
        piece = byte.start(at, order), byte.size
        if piece not in pieces:
            pieces[piece] = rest.pop(0)
        stack[at] = Written(pieces[piece], byte.size, byte.index)
    made = [
        w and replace(w, start=rest.pop(0), length=rest.pop(0)) for w in windows(state)
    ]
    return replace(with_windows(state, made), registers=registers, stack=stack)


def growth_of(was: Word, now: Word, width: int) -> Grows | None:
    """The growth of a word, None if it is not by a constant."""
    if isinstance(was, int) and isinstance(now, int):
        return Grows(signed(now - was, width))
    grown = v.plain(v.subtract(now, was, width))
    if isinstance(grown, int):
        return Grows(signed(grown, width))
    if width == WHOLE and _is_half(was) and _is_half(now):
        half = growth_of(v.extract(was, HALF - 1, 0), v.extract(now, HALF - 1, 0), HALF)
        return half and replace(half, half=True)
    return None


def _is_half(value: Word) -> bool:
    upper = v.plain(v.extract(value, WHOLE - 1, HALF))
    return isinstance(upper, int) and upper == 0


def turns_of(loop: Loop, values: tuple[Word, ...]) -> Word:
    """The number of iterations, derived from the reference word; 0 without one."""
    n = loop.reference
    if n < 0:
        return 0
    width = HALF if loop.grows[n].half else loop.widths[n]
    now, was = (v.extract(each[n], width - 1, 0) for each in (values, loop.values))
    turns = v.plain(v.subtract(now, was, width))
    return v.zero_extended(turns, width, WHOLE) if width < WHOLE else turns


def grown(value: Word, growth: Grows, turns: Word, width: int) -> Word:
    """A word after a number of iterations."""
    if growth.half:
        low = v.extract(value, HALF - 1, 0)
        found = grown(low, replace(growth, half=False), turns, HALF)
        return v.zero_extended(found, HALF, WHOLE)
    part = v.extract(turns, width - 1, 0) if width < WHOLE else turns
    return v.add(value, v.plain(v.term(part, width) * growth.step), width)


def same(one: Word, other: Word) -> bool:
    """Whether two words are equal, without asking z3."""
    one, other = v.plain(one), v.plain(other)
    if isinstance(one, int) or isinstance(other, int):
        return isinstance(one, int) and isinstance(other, int) and one == other
    alike = one.size() == other.size()
    return one.eq(other) or alike and v.plain(one - other) == 0


def split(value: Word) -> tuple[Word, int]:
    """A word without the constant that is added to it, and that; 0 if nothing else is there."""
    value = v.plain(value)
    if isinstance(value, int) or not z3.is_app_of(value, z3.Z3_OP_BADD):
        return value, 0
    first, *rest = value.children()
    if not z3.is_bv_value(first):
        return value, 0
    return v.plain(z3.Sum(rest)), first.as_long()


def identity(value: Word) -> tuple[bool, int]:
    """A key that is equal for identical words."""
    return (True, value) if isinstance(value, int) else (False, value.get_id())


def poisoned(value: Word) -> str:
    """The prefix of an uninitialised word's name, empty for others."""
    if isinstance(value, int) or not z3.is_const(value):
        return ""
    name = str(value.decl().name())
    return " ".join(name.split()[:2]) + " " if name.startswith(v.POISON) else ""


def claims_of(
    loop: Loop, conditions: Sequence[z3.BoolRef], top: int
) -> Iterator[Claim]:
    """Candidate claims: conditions on growing words that held before the loop, user space below ``top``, and bounds.

    A pointer that each iteration accesses user memory with stays there, as it cannot step over the hole.
    """
    growing = {(identity(loop.values[n]), g): n for n, g in loop.grows.items()}
    yield from islice(_entered_with(loop, growing.values(), conditions, top), CLAIMS)
    others = ((n, value) for n, value in enumerate(loop.values) if n not in loop.forms)
    staying = {
        identity(value): n
        for n, value in others
        if not isinstance(value, int) and not poisoned(value)
    }
    pairs = product(growing.values(), staying.values())
    alike = (p for p in pairs if HALF <= loop.widths[p[0]] == loop.widths[p[1]])
    for n, m in islice(alike, BOUNDS):
        yield from _bounds(loop, n, m)


def _entered_with(
    loop: Loop, growing: Iterable[int], conditions: Sequence[z3.BoolRef], top: int
) -> Iterator[Claim]:
    for n in growing:
        start = loop.values[n]
        if isinstance(start, int):
            continue
        width = start.size()
        if width == loop.widths[n] == WHOLE:
            yield Claim(n, width, z3.ULE(_now(width), top))
        mine = set(variables(start))
        for condition in conditions:
            if set(variables(condition)) == mine:
                claim = z3.substitute(condition, (start, _now(width)))
                yield Claim(n, width, claim)


def _bounds(loop: Loop, n: int, m: int) -> Iterator[Claim]:
    """The claims that a word has moved less than to another, and no further than to it."""
    growth = loop.grows[n]
    distance = v.plain(v.subtract(loop.values[m], loop.values[n], loop.widths[n]))
    if set(variables(loop.values[n])) & set(variables(distance)):
        # Words of another object are no bound.
        return
    width = HALF if growth.half else loop.widths[n]
    start, last = (v.extract(loop.values[each], width - 1, 0) for each in (n, m))
    ends = [(_now(width), start), (last, start)]
    if growth.step < 0:
        ends = [(low, high) for high, low in ends]
    done, most = (v.subtract(high, low, width) for high, low in ends)
    yield Claim(n, width, v.truth(v.below(done, most, width)), m)
    yield Claim(n, width, v.truth(v.at_least(most, done, width)), m)


def _now(width: int) -> z3.BitVecRef:
    """The variable for the growing word in a claim."""
    return z3.BitVec(f"cut now {width}", width)


def claimed(claim: Claim, values: Sequence[Word]) -> z3.BoolRef:
    """The claim as a condition on the current values."""
    now = v.extract(values[claim.grows], claim.width - 1, 0)
    pair = _now(claim.width), v.term(now, claim.width)
    return z3.substitute(claim.condition, pair)


def kept(
    loop: Loop, solver: Solver, values: tuple[Word, ...], path: Path
) -> tuple[Claim, ...]:
    """The claims of a loop that hold for these values on this path."""

    def holds(claim: Claim) -> bool:
        try:
            condition = v.settled(z3.Not(claimed(claim, values)))
            return not solver.possible(path, condition)
        except UnsupportedError:
            # z3 gave up, so the condition is not known to hold.
            return False

    return tuple(claim for claim in loop.claims if holds(claim))


def widened(
    loops: dict[tuple[object, ...], list[Loop]],
    solver: Solver,
    joint: Joint,
    rest: tuple[object, ...],
    words: Sequence[Words],
    layout: Layout,
) -> Joint | None:
    """Merge a joint state with earlier ones at the same place; None if these cover it.

    ``words`` are those of its states, in the order of Joint.all().
    """
    shape = (*(each.shape for each in words), rest)
    values = tuple(value for each in words for value in each.values)
    widths = tuple(width for each in words for width in each.widths)
    several = loops.setdefault(shape, [])
    place = hash(shape)
    number = _which(several, place, joint)
    joint = replace(joint, loops=_entered(joint.loops, place, number))
    if number == len(several):
        several.append(Loop(values, widths, joint.path.conditions))
        return joint
    known = several[number]
    if known.attempts and _holds(known, values, joint.path):
        made = known
        claims = kept(known, solver, values, joint.path)
        if claims == known.claims:
            return None
    elif known.attempts >= ATTEMPTS:
        return joint
    else:
        made = _together(known, values, joint.path, layout.user_high)
        claims = kept(made, solver, values, joint.path)
    several[number] = made = replace(made, claims=claims)
    fresh = _values(made)
    path = Path()
    for condition in (*made.conditions, *(claimed(each, fresh) for each in claims)):
        path = path.with_(condition)
    left, states = iter(fresh), []
    for state, each in zip(joint.all(), words, strict=True):
        own = list(islice(left, len(each.values)))
        states.append(replace(rebuilt(state, own, layout.order), forks={}))
    return replace(joint, path=path).with_all(states)


def _entered(
    loops: Sequence[tuple[int, int]], place: int, number: int
) -> tuple[tuple[int, int], ...]:
    """The loops that a path is in, outermost first, after it has entered this one."""
    outer = next((n for n, each in enumerate(loops) if each[0] == place), len(loops))
    return (*loops[:outer], (place, number))


def _which(several: Sequence[Loop], place: int, joint: Joint) -> int:
    """The index of the loop that a joint state is an iteration of; a new one if entered otherwise."""
    inside = dict(joint.loops).get(place)
    if inside is not None:
        return inside
    for number, loop in enumerate(several):
        if _ids(Path(loop.conditions)) <= _ids(joint.path):
            return number
    return len(several) if len(several) < ENTRIES else 0


def _ids(path: Path) -> set[int]:
    return {each.get_id() for each in path.conditions}


def _together(known: Loop, values: tuple[Word, ...], path: Path, top: int) -> Loop:
    """Generalise a loop so that it covers another set of values."""
    first = known.attempts == 0
    turns = turns_of(known, values)
    forms: dict[int, Grows | Free] = {}
    names: dict[tuple[object, ...], tuple[str, int]] = {}
    # z3 reuses the ids of dead terms.
    alive: list[Word] = []
    for n, (was, now, width) in enumerate(
        zip(known.values, values, known.widths, strict=True)
    ):
        form = known.forms.get(n)
        if not isinstance(form, Free):
            if form is None and same(was, now):
                continue
            step = growth_of(was, now, width) if first else form
            if step and (first or same(grown(was, step, turns, width), now)):
                forms[n] = step
                continue
        one, old = split(was)
        other, new = split(now)
        alive += [one, other]
        before: object = identity(one), form
        if isinstance(form, Free):
            before, old = form.name, form.apart
        prefix = poisoned(was) if poisoned(was) == poisoned(now) else ""
        # Words that stay a constant apart, such as a pointer and another to the next element, do so
        # whatever their value.
        moved = (new - old) & v.mask(width)
        key = (before, identity(other), moved, prefix, width)
        named = f"{prefix}cut any {known.attempts} {len(names)} {width}"
        name, start = names.setdefault(key, (named, new))
        forms[n] = Free(name, (new - start) & v.mask(width))
    kept = _ids(path)
    conditions = tuple(c for c in known.conditions if c.get_id() in kept)
    made = replace(
        known, conditions=conditions, forms=forms, attempts=known.attempts + 1
    )
    if first:
        made = _in_turns(made)
        return replace(made, claims=tuple(claims_of(made, known.conditions, top)))
    if isinstance(forms.get(known.reference), Free):
        # Without the reference, the iteration count of the others is unknown.
        lost = {n: Free(f"cut any {known.attempts} lost {n}", 0) for n in made.grows}
        made = replace(made, forms={**forms, **lost}, reference=-1)
    claims = (c for c in known.claims if c.grows in made.grows and c.stays not in forms)
    return replace(made, claims=tuple(claims))


def _in_turns(loop: Loop) -> Loop:
    """Scale the steps to those of the word that grows least, which becomes the reference."""
    grows = loop.grows
    unit = gcd(*(each.step for each in grows.values()))
    least = [n for n, each in grows.items() if abs(each.step) == unit]
    if not least:
        return loop
    # A word that grows in its lower half gives a narrower count.
    least.sort(key=lambda n: grows[n].half)
    unit = grows[least[0]].step
    steps = {n: replace(each, step=each.step // unit) for n, each in grows.items()}
    return replace(loop, forms={**loop.forms, **steps}, reference=least[0])


def _values(loop: Loop) -> tuple[Word, ...]:
    """The words in an arbitrary iteration."""
    turns = v.unknown("cut turns", WHOLE)
    found = []
    for n, (value, width) in enumerate(zip(loop.values, loop.widths, strict=True)):
        form = loop.forms.get(n)
        if isinstance(form, Free):
            value = v.plain(v.add(v.unknown(form.name, width), form.apart, width))
        elif form is not None:
            value = grown(value, form, turns, width)
        found.append(value)
    return tuple(found)


def _holds(loop: Loop, values: tuple[Word, ...], path: Path) -> bool:
    """Whether values fit a loop, apart from its bounds and claims."""
    if not _ids(Path(loop.conditions)) <= _ids(path):
        return False
    turns = turns_of(loop, values)
    bound: dict[str, Word] = {}
    for n, (value, now, width) in enumerate(
        zip(loop.values, values, loop.widths, strict=True)
    ):
        form = loop.forms.get(n)
        if isinstance(form, Free):
            if form.name.startswith(v.POISON) and not poisoned(now):
                return False
            start = v.subtract(now, form.apart, width)
            if not same(bound.setdefault(form.name, start), start):
                return False
        elif not same(value if form is None else grown(value, form, turns, width), now):
            return False
    return True
