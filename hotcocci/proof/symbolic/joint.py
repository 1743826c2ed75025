# SPDX-License-Identifier: GPL-2.0
"""Old and new code at corresponding points of a joint path, and what stays fixed in a comparison.

Words of both sides are compared here: identical, pointing to the same thing, or equal for all values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3

from hotcocci.machine.elf import COLD
from hotcocci.proof.objects.image import Image
from hotcocci.proof.objects.signatures import Local, Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, Stable
from hotcocci.proof.symbolic.code import Code, Liveness
from hotcocci.proof.symbolic.memory import Heap
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Access, End, Event, Path, State, shown
from hotcocci.proof.symbolic.values import Truth, Word

# Both sides have ended.
DONE: tuple[Event, Event] = (End("done"), End("done"))


@dataclass(frozen=True)
class Pair:
    """A local whose address escaped on both sides: its two addresses, and its size in bytes."""

    old: int
    new: int
    size: int


@dataclass(frozen=True)
class Rest:
    """A copy of one side that the other makes as single accesses; ``done`` bytes so far."""

    side: int
    access: Access
    data: Word
    done: int = 0


@dataclass(frozen=True)
class Made:
    """A user access that both sides made; ``data`` is what a load returned."""

    address: Word
    size: int
    data: Word | None = None


@dataclass(frozen=True)
class Answered:
    """A call that both sides made; ``target`` is the pointer of an indirect call."""

    moment: int
    name: str
    target: Word | None


@dataclass(frozen=True)
class Joint:
    """A joint state: both sides and their next events; ``moment`` counts common events."""

    states: tuple[State, State]
    events: tuple[Event | None, Event | None] = (None, None)
    path: Path = field(default_factory=Path)
    moment: int = 0
    # Locals that others may write, and those that they may only read
    escaped: tuple[Pair, ...] = ()
    shown: tuple[Pair, ...] = ()
    rest: Rest | None = None
    permitted: frozenset[str] = frozenset()
    # The new side was refused a window: the old side continues alone to its fault.
    refused: bool = False
    # The old side where it was refused the window that it is followed in (permitting.py)
    refusal: State | None = None
    # Addresses on the two stacks that are known to be those of one local.
    locals_: Mapping[int, int] = field(default_factory=dict)
    # The loops that both sides are in (loops.py).
    loops: tuple[tuple[int, int], ...] = ()
    # The events that an example input is made of (example.py).
    history: tuple[Made | Answered, ...] = ()

    def with_state(self, number: int, state: State) -> Joint:
        """The joint state with another state of one side."""
        old, new = self.states
        return replace(self, states=(old, state) if number else (state, new))

    def with_event(self, number: int, event: Event | None) -> Joint:
        """The joint state with another next event of one side."""
        old, new = self.events
        return replace(self, events=(old, event) if number else (event, new))

    def all(self) -> tuple[State, ...]:
        """The states of both sides, and that of the refusal."""
        return self.states if self.refusal is None else (*self.states, self.refusal)

    def with_all(self, states: Sequence[State]) -> Joint:
        """The joint state with others, in the order of all()."""
        refusal = None if self.refusal is None else states[2]
        return replace(self, states=(states[0], states[1]), refusal=refusal)


@dataclass
class Context:
    """Facts that stay fixed while two functions are compared, and those found on the way.

    ``names`` are the functions, ``top`` is the CFA of both, and ``result`` the type of the result, None for
    void. ``notes`` collects the assumptions made.
    """

    codes: tuple[Code, Code]
    solver: Solver
    stable: Stable
    names: tuple[str, str]
    top: int
    result: Value | None
    liveness: tuple[Liveness, Liveness]
    notes: set[str] = field(default_factory=set)
    leaks: bool = False
    # By side: sites whose user access was compared
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    # What was stored by each access, by its site: of those that both sides made, and of those that
    # the new one left out after a fault.
    stored: dict[int, set[int | str]] = field(default_factory=dict)
    stopped: dict[int, set[int | str]] = field(default_factory=dict)
    # Results of paths without a fault, and those that are to tell of one.
    answers: list[tuple[Path, Word | None]] = field(default_factory=list)
    reports: list[tuple[Path, Word]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.arch, self.terms = self.codes[0].arch, self.codes[0].terms
        self.width = self.terms.width

    def never(self, joint: Joint, condition: Truth) -> bool:
        """Whether a condition cannot hold at a joint state. Raises UnsupportedError."""
        return not self.solver.possible(joint.path, v.settled(condition))

    def model(self, path: Path, condition: Truth) -> tuple[z3.ModelRef | None, Truth]:
        """A model of a condition on a path, with all that is known of memory; None if there is none.

        With it comes the condition with what memory needs for it that its terms do not say.
        """
        model = self.solver.model(path, condition)
        for _ in range(TRIES):
            terms = (*path.conditions, v.truth(condition))
            names = {name for term in terms for name in variables(term)}
            more = [*self.terms.lacking(sorted(names), model)] if model else []
            if not more:
                break
            condition = z3.And(v.truth(condition), *more)
            model = self.solver.model(path, condition)
        return model, condition

    def possible(self, path: Path, condition: Truth) -> bool:
        """Whether a condition can hold on a path, with all that is known of memory."""
        return self.model(path, condition)[0] is not None

    def distance(self, joint: Joint, one: Word, other: Word) -> int | None:
        """The distance from one word to another if it is the same for all values at a joint state; None if not."""
        model = self.solver.model(joint.path)
        away = v.term(v.subtract(other, one, self.width), self.width)
        if model is None:
            return None
        number = model.eval(away, model_completion=True).as_long()
        return None if self.solver.possible(joint.path, away != number) else number

    def reach(self, joint: Joint) -> None:
        """Record that both sides make a user access."""
        for state, reached in zip(joint.states, self.reached, strict=True):
            reached.add(state.access_site)

    def stores(
        self, state: State, access: Access, where: dict[int, set[int | str]]
    ) -> None:
        """Record what an access of the old side stores."""
        if access.data is not None:
            data = self.terms.name(access.data)
            where.setdefault(state.access_site, set()).add(data)

    def side(self, number: int, joint: Joint) -> Side:
        """One side of a joint state, ready to run."""
        pairs = (((pair.old, pair.new)[number], pair.size) for pair in joint.escaped)
        shared = tuple(range(at, at + size) for at, size in pairs)
        state = joint.states[number]
        return Side(self.codes[number], joint.path, state, self.stable, shared)


def continued(joint: Joint, states: Sequence[State], **changes: object) -> Joint:
    joint = joint.with_state(0, states[0]).with_state(1, states[1])
    changes |= {"events": (None, None), "moment": joint.moment + 1, "rest": None}
    return replace(joint, **changes)  # type: ignore[arg-type]


def both_failed(joint: Joint) -> bool:
    """Whether both sides had a fault, or the old one had and the new one was refused its window."""
    old, new = joint.states
    return bool(old.faulted and (new.faulted or new.attempt is not None))


def located(context: Context, joint: Joint) -> list[list[tuple[int, Local]]]:
    """Each local of both sides, with its address, as a call is entered.

    Those of a function that only one side inlines have a frame of their own.
    """
    found = []
    arch = context.arch
    for code, state, name in zip(
        context.codes, joint.states, context.names, strict=True
    ):
        # By DWARF register number; None is the CFA.
        base: dict[int | None, int] = {}
        for number, register in arch.framed.items():
            value = state.registers.get(register)
            if isinstance(value, int):
                pushed = arch.convention.frame if register == arch.registers.sp else 0
                base[number] = value + pushed
        holder = code.image.function_at(state.site)
        caller = holder.name.removesuffix(COLD) if holder else name
        own: dict[int | None, int] = {None: context.top}
        if caller == name:
            own |= base
        places = [(own, each) for each in code.signatures.locals(name)]
        if holder and caller != name:
            cfa = code.signatures.frame(holder.name, state.site - holder.start)
            if cfa is not None and cfa[0] in base:
                base[None] = base[cfa[0]] + cfa[1]
                places += [(base, each) for each in code.signatures.locals(caller)]
        known = ((of[v.register], v) for of, v in places if v.register in of)
        found.append([(start + local.start, local) for start, local in known])
    return found


def next_epoch(heap: Heap, changes: bool) -> Heap:
    """Kernel memory after others may have written to it."""
    return Heap(heap.epoch + 1, heap.credentials + changes)


# How often what is known of memory is added to a question
TRIES = 8
# Bits of the largest address
WHOLE = 64
# Prefixes of uninitialised variables: registers and locals, allocated memory.
UNWRITTEN = (v.POISON, f"memory {v.POISON}")


class Different(Exception):  # noqa: N818 - a finding, no error
    """Old and new code differ; the message says in what.

    ``condition`` says when, on its path. ``joint`` is where; search() sets it.
    """

    def __init__(self, what: str, condition: Truth = 1) -> None:
        super().__init__(what)
        self.condition = condition
        self.joint: Joint | None = None


@dataclass
class Comparison:
    """Comparisons at a joint state.

    ``locals_`` pairs addresses on the two stacks that belong to the same local. ``leaks`` is set if
    uninitialised bytes compared as equal.
    """

    context: Context
    joint: Joint
    leaks: bool = False

    def __post_init__(self) -> None:
        self.codes = self.context.codes
        self.locals_ = dict(self.joint.locals_)

    def possible(self, condition: Truth) -> bool:
        """Whether a condition can hold here."""
        return self.context.possible(self.joint.path, condition)

    def require(self, one: Word, other: Word, width: int, what: str) -> None:
        """Raise Different unless two words are equal for all values."""
        one, other = self._by_name(v.plain(one), v.plain(other))
        if isinstance(one, int) and isinstance(other, int):
            if not self._points_alike(one, other):
                was, now = self._names(one, other)
                was, now = was or shown(one), now or shown(other)
                raise Different(f"{what} was {was}, now {now}")
        elif isinstance(one, int) or isinstance(other, int) or not one.eq(other):
            unequal = list(self._unequal(one, other, width))
            if not unequal:
                return
            differs = v.settled(z3.Or(*unequal))
            model, differs = self.context.model(self.joint.path, differs)
            if model is not None:
                was, now = (_for_example(model, word) for word in (one, other))
                raise Different(f"{what} was {was}, now {now}", differs)

    def _by_name(self, one: Word, other: Word) -> tuple[Word, Word]:
        """The words with addresses of functions and literals replaced by names."""
        sizes = [each.size() for each in (one, other) if not isinstance(each, int)]
        both = zip(self.codes, (one, other), strict=True)
        names = [named(code.image, n) for code, n in both if isinstance(n, int)]
        if not sizes or None in names:
            return one, other
        one, other = v.term(one, sizes[0]), v.term(other, sizes[0])
        numbers = {*v.numbers(one), *v.numbers(other)}
        old, new = (
            {n: name for n in numbers if (name := named(code.image, n)) is not None}
            for code in self.codes
        )
        if old == new:
            return one, other
        return _spelled(one, old), _spelled(other, new)

    def _points_alike(self, one: int, other: int) -> bool:
        """Whether two addresses are those of the same function, literal or local."""
        stack = self.context.arch.layout.stack
        if one in stack and other in stack:
            if one not in self.locals_ and other in self.locals_.values():
                return False
            return self.locals_.setdefault(one, other) == other
        if one in stack or other in stack:
            return False
        was, now = self._names(one, other)
        return was == now if was or now else one == other

    def _names(self, one: int, other: int) -> tuple[str | None, str | None]:
        old, new = (code.image for code in self.codes)
        return named(old, one), named(new, other)

    def _unequal(
        self, one: Word, other: Word, size: int, low: int = 0
    ) -> Iterator[z3.BoolRef]:
        """Conditions for words to differ in some bits, ignoring what is uninitialised on both sides.

        A bit-field may have uninitialised neighbours.
        """
        parts = (v.extract(each, low + size - 1, low) for each in (one, other))
        mine, others = map(v.plain, parts)
        if is_poison(mine) and is_poison(others):
            self.leaks = True
        elif size > 1 and _has_poison(mine) and _has_poison(others):
            for n, length in v.pieces(size, 8 if size > 8 else 1):
                yield from self._unequal(one, other, length, low + n)
        else:
            yield v.truth(v.negation(v.equal(mine, others, size)))


def _for_example(model: z3.ModelRef, word: Word) -> str:
    """The value of a word in a counter-example, as text."""
    if is_poison(word):
        return "uninitialised"
    if not isinstance(word, int):
        word = model.eval(word, model_completion=True)
    return shown(word if isinstance(word, int) else word.as_long())


def _spelled(word: z3.BitVecRef, names: Mapping[int, str]) -> Word:
    pairs = []
    for width in {word.size(), WHOLE}:
        for number, name in names.items():
            fresh = z3.BitVec(f"named {name}", width)
            pairs.append((z3.BitVecVal(number, width), fresh))
    return z3.substitute(word, *pairs)


def named(image: Image, address: int) -> str | None:
    """The function or the literal that an address leads into; None for others."""
    function = image.function_at(address)
    # _RET_IP_ passes an offset into the function, which may differ.
    return image.text(address) if function is None else function.name


def variables(term: Word | z3.BoolRef) -> Iterator[str]:
    """The names of the variables in a word or condition."""
    if not isinstance(term, int):
        for variable in v.leaves(term):
            yield variable.decl().name()


def _has_poison(value: Word) -> bool:
    return any(name.startswith(UNWRITTEN) for name in variables(value))


def is_poison(value: Word) -> bool:
    """Whether a word is entirely uninitialised."""
    if isinstance(value, int):
        return False
    while value.decl().kind() == z3.Z3_OP_EXTRACT:
        value = value.arg(0)
    return bool(z3.is_const(value)) and str(value.decl().name()).startswith(UNWRITTEN)
