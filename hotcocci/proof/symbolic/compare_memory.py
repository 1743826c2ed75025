# SPDX-License-Identifier: GPL-2.0
"""Compare memory visible outside the function, locals whose address is passed on, and whole copies on both sides."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import stack_word
from hotcocci.proof.symbolic.architecture import with_registers
from hotcocci.proof.symbolic.calls import answered, back
from hotcocci.proof.symbolic.joint import (
    Comparison,
    Context,
    Different,
    Joint,
    Made,
    Pair,
    continued,
    located,
    next_epoch,
    variables,
)
from hotcocci.proof.symbolic.memory import Bytes, Heap, Place, Terms, Write, stored
from hotcocci.proof.symbolic.prover import LOADED_LATE, PARTS, STOPS, ZEROED
from hotcocci.proof.symbolic.state import Call, Routine, State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# Prefixes of variables for what a fault left: user.py.
ZERO, PART = ("zeroed ",), ("part ", "left ")
# Of loads that only one side makes: permitting.py
DROPPED = "dropped new "
STOPPED = "dropped old "
WITHIN = "a copy of unknown size stays within its stack variable"
# Largest copy that is compared and set word by word, in bytes.
COPIED = 4096
LIKE_ANY = "the zero left by a faulting load looks like any other zero"


def require_heaps(
    comparison: Comparison,
    faulted: bool = False,
    matters: Callable[[tuple[int, ...], int], bool] | None = None,
    late: bool = False,
) -> frozenset[str]:
    """Compare kernel memory; return the permitted differences.

    ``matters`` selects the places to compare, all by default. ``late`` is set if the new code failed at an access
    where the old code's check did. Raises Different, and UnsupportedError where the result depends on aliasing.
    """
    old, new = (state.heap for state in comparison.joint.states)
    try:
        permitted = _require_places(comparison, old, new, faulted, matters, late)
    except Different:
        was, old = old, _with_names_of(comparison, old, new)
        if old is was:
            raise
        permitted = _require_places(comparison, old, new, faulted, matters, late)
    if permitted or matters is not None:
        return permitted
    orders = [_order(comparison.context.terms, heap) for heap in (old, new)]
    if orders[0] != orders[1] and len({base for o in orders for base, _ in o}) > 1:
        _require_bytes(comparison, old, new)
    return frozenset()


def _with_names_of(comparison: Comparison, old: Heap, new: Heap) -> Heap:
    """The old side's heap with the new one's names of objects that are the same on this path; itself if there are none."""
    context, joint = comparison.context, comparison.joint
    terms, names = context.terms, dict[tuple[int, ...], Place]()
    gone, come = (a.bases.keys() - b.bases.keys() for a, b in ((old, new), (new, old)))
    for base, other in product(gone, come):
        # Negative numbers are of locals.
        if min((*base, *other), default=0) >= 0:
            places = (terms.address(Place(each, 0)) for each in (other, base))
            away = context.distance(joint, *places)
            if away is not None:
                names[base] = Place(other, signed(away, terms.width))
    if not names:
        return old
    heap = replace(old, writes=(), bases={})
    for write in old.writes:
        own = names.get(write.base, Place(write.base, 0))
        place = Place(own.base, own.offset + write.offset)
        heap = heap.after(terms, place, write.value, write.size)
    return heap


def _require_places(
    comparison: Comparison,
    old: Heap,
    new: Heap,
    faulted: bool,
    matters: Callable[[tuple[int, ...], int], bool] | None,
    late: bool,
) -> frozenset[str]:
    """Compare the places that are written, by name; return the permitted differences."""
    permitted: set[str] = set()
    terms = comparison.context.terms
    for base in dict.fromkeys((*old.bases, *new.bases)):
        was, now = old.bases.get(base, {}), new.bases.get(base, {})
        for at, size in _stretches(was, now):
            if matters is not None and not matters(base, at):
                continue
            where = f"kernel memory at {_named(base, at)}"
            before, after = (
                _held(terms, heap, Place(base, at), size) for heap in (old, new)
            )
            try:
                comparison.require(before, after, 8 * size, where)
            except Different:
                allowed = _allowed(before, after, at in now) if faulted else None
                if late and at not in was and _is_late(after):
                    allowed = LOADED_LATE
                if allowed is None:
                    zero = any(isinstance(w, int) and w == 0 for w in (before, after))
                    if faulted and zero and not comparison.context.arch.tells_zeros:
                        raise UnsupportedError(LIKE_ANY) from None
                    raise
                permitted.add(allowed)
                continue
            if base != new.fresh and any(
                n in now and n not in was for n in range(at, at + size)
            ):
                # Another CPU may have written there since it was read.
                raise Different(f"{where} was not written")
    return frozenset(permitted)


def _named(base: tuple[int, ...], at: int) -> str:
    return f"{'+'.join(f'object {n}' for n in base) or 'variables'}+{at:#x}"


def _order(terms: Terms, heap: Heap) -> list[tuple[tuple[int, ...], object]]:
    """The bytes written to each base in turn, until a store with another base.

    Memory that no other base leads into is left out.
    """
    found: list[tuple[tuple[int, ...], dict[int, object]]] = []
    bases = {write.base for write in heap.writes} - {heap.fresh}
    met = any(heap.may_meet(terms, heap.fresh, each) for each in bases)
    apart = bool(heap.fresh) and not met
    for write in heap.writes:
        if apart and write.base == heap.fresh:
            continue
        if not found or found[-1][0] != write.base:
            found.append((write.base, {}))
        for n in range(write.size):
            byte = v.piece(write.value, write.size, n, 1, terms.order)
            found[-1][1][write.offset + n] = terms.name(byte)
    return list(found)


def _require_bytes(comparison: Comparison, old: Heap, new: Heap) -> None:
    """Raise UnsupportedError unless any byte of memory is the same after all stores, whatever aliases."""
    terms = comparison.context.terms
    at, before = z3.BitVec("some address", terms.width), z3.BitVec("some byte", 8)
    after = [_byte_after(terms, heap, at, before) for heap in (old, new)]
    if comparison.possible(v.settled(after[0] != after[1])):
        raise UnsupportedError("stores that may alias were reordered")


def _byte_after(
    terms: Terms, heap: Heap, at: z3.BitVecRef, before: z3.BitVecRef
) -> z3.BitVecRef:
    """The byte at any address after a heap's stores."""
    found = before
    for write in heap.writes:
        away = z3.simplify(at - v.term(_start(terms, write), terms.width))
        for n in range(write.size):
            byte = v.piece(write.value, write.size, n, 1, terms.order)
            found = z3.If(away == n, v.term(byte, 8), found)
    return found


def _start(terms: Terms, write: Write) -> Word:
    """The address of a store; a shared local has one on both sides."""
    if write.base and write.base[0] < 0:
        local = v.unknown(f"shared local {-write.base[0]}", terms.width)
        return v.add(local, write.offset, terms.width)
    return terms.address(Place(write.base, write.offset))


def _stretches(was: Bytes, now: Bytes) -> Iterator[tuple[int, int]]:
    """The written ranges of either side, in disjoint pieces of at most a word."""
    addresses = sorted(was.keys() | now.keys())
    n = 0
    while n < len(addresses):
        start = addresses[n]
        sizes = [known[start].size for known in (was, now) if start in known]
        wanted = max(sizes)
        end = n + 1
        most = min(len(addresses), n + wanted)
        while end < most and addresses[end] == start + end - n:
            end += 1
        yield start, end - n
        n = end


def _held(terms: Terms, heap: Heap, place: Place, size: int) -> Word:
    return replace(heap, writes=()).load(terms, place, size)


def _allowed(was: Word, now: Word, written: bool) -> str | None:
    """The permitted difference that explains memory after a fault, None if none does."""
    names = set(variables(was))
    if isinstance(was, int) or not names:
        return None
    if all(name.startswith(ZERO) for name in names):
        return None if written else ZEROED
    if z3.is_const(was) and names.pop().startswith(STOPPED):
        # The destination of a load that the new side, which stopped at the fault, does not make.
        return None if written else STOPS
    mine = {name for name in names if name.startswith((*ZERO, *PART))}
    if not any(name.startswith(PART) for name in mine):
        return None
    if written and not all(name.startswith(ZERO) for name in variables(now)):
        return None
    return PARTS if not written or not isinstance(now, int) else None


def _is_late(word: Word) -> bool:
    """Whether a word is what loads of a refused range left: their zeros, or user data (`_dropped`)."""
    names = list(variables(word))
    return bool(names) and all(name.startswith((*ZERO, DROPPED)) for name in names)


LESS_ALIGNED = "that may be aligned to less than before on another architecture"


def extent(comparison: Comparison, pair: tuple[int, int]) -> Pair:
    """The local variable that two addresses point into.

    The whole variable counts, as a pointer may lead to the first of several elements. Raises
    UnsupportedError if it is unknown or differs between the sides.
    """
    found: list[tuple[int, int]] = []
    aligned: list[int] = []
    locals_ = located(comparison.context, comparison.joint)
    for starts, at in zip(locals_, pair, strict=True):
        within = [(s, local) for s, local in starts if s <= at < s + local.size]
        if not within:
            raise UnsupportedError("a call is passed the address of an unknown local")
        start, local = max(within, key=lambda one: (one[1].size, one[1].alignment))
        found.append((at - start, local.size))
        aligned.append(local.alignment)
    if found[0] != found[1]:
        raise UnsupportedError("a call is passed the address of a different local")
    if aligned[0] > aligned[1]:
        raise UnsupportedError(
            f"a call is passed the address of a local {LESS_ALIGNED}"
        )
    before, length = found[0]
    return Pair(pair[0] - before, pair[1] - before, length)


def require_local(comparison: Comparison, pair: Pair) -> list[tuple[int, int]]:
    """Raise Different unless a local has the same contents on both sides.

    Returns the addresses of other locals that it contains.
    """
    found = []
    states = comparison.joint.states
    for n, size in _pieces(comparison.context.terms, states, pair):
        old, new = (
            v.plain(stack_word(code, state, at + n, size))
            for code, state, at in zip(
                comparison.codes, states, (pair.old, pair.new), strict=True
            )
        )
        comparison.require(old, new, 8 * size, f"a local at +{n:#x}")
        if isinstance(old, int) and isinstance(new, int):
            if comparison.locals_.get(old) == new:
                found.append((old, new))
    return found


def _pieces(
    terms: Terms, states: tuple[State, State], pair: Pair
) -> Iterator[tuple[int, int]]:
    """The words in which a local was written, possibly unaligned, and the rest in between."""
    whole = terms.width // 8
    was, now = (
        {n: state.stack[at + n] for n in range(pair.size) if at + n in state.stack}
        for state, at in zip(states, (pair.old, pair.new), strict=True)
    )
    done = 0
    for start, size in [*_stretches(was, now), (pair.size, 0)]:
        for first, length in ((done, start - done), (start, size)):
            yield from ((first + n, part) for n, part in v.pieces(length, whole))
        done = start + size


def rewritten(terms: Terms, state: State, at: int, size: int, name: str) -> State:
    """The state after others may have written to a local; the values are the same on both sides."""
    stack = state.stack
    for n, length in v.pieces(size, terms.width // 8):
        word = v.unknown(f"{name} {n:#x}", 8 * length)
        stack = stored(stack, at + n, word, length, terms.order)
    return replace(state, stack=stack)


def entered(context: Context, joint: Joint) -> Joint:
    """Step into the routines that are about to be entered."""
    for number, event in enumerate(joint.events):
        if isinstance(event, Routine):
            side = context.side(number, joint)
            state = user.entered(side.state, event.name, back(side))
            joint = joint.with_state(number, state).with_event(number, None)
    return joint


def match_routines(comparison: Comparison, old: Routine, new: Routine) -> list[Joint]:
    """Treat the same copy on both sides as one event; step into it otherwise."""
    context, joint = comparison.context, comparison.joint
    arch, width, loads = context.arch, context.width, old.loads
    # The user's end comes first.
    ends = (old.source, new.source), (old.target, new.target)
    ends = ends if loads else ends[::-1]
    try:
        if (old.name, loads) != (new.name, new.loads):
            raise Different("another routine")
        comparison.require(old.size, new.size, width, "the size")
        for one, other in ends:
            comparison.require(one, other, width, "an end")
    except Different:
        return [entered(context, joint)]
    moved = _moved(comparison, old, ends[1], loads)
    if moved is None:
        return [entered(context, joint)]
    for reached, state in zip(context.reached, joint.states, strict=True):
        reached.add(state.site)
    unknown = z3.BitVec(f"copied {joint.moment}", width)
    left = v.term(user.counted(arch, old.name, unknown), width)
    path = joint.path.with_(z3.simplify(z3.ULE(left, v.term(old.size, width))))
    call = Call(old.name, (), None, Value(width // 8), True)
    states = []
    for number in range(len(moved)):
        side = context.side(number, replace(joint, states=moved))
        after = answered(side, call, f"{joint.moment}")
        states.append(with_registers(after, {arch.registers.results[0]: left}))
    history = joint.history
    if loads and isinstance(old.size, int) and old.size <= COPIED:
        data = _fetched(joint, old.size)
        fetched = (Made(v.add(old.source, n, width), s, word) for n, s, word in data)
        history = (*history, *fetched)
    return [continued(joint, states, path=path, history=history)]


def _fetched(joint: Joint, size: int) -> Iterator[tuple[int, int, Word]]:
    """The data that a copy has read from user memory: offsets, sizes and words."""
    for n, length in v.pieces(size):
        yield n, length, v.unknown(f"copied {joint.moment} {n:#x}", 8 * length)


def _moved(
    comparison: Comparison, routine: Routine, kernel: tuple[Word, Word], loads: bool
) -> tuple[State, State] | None:
    """Memory of both sides after the same copy; None to step into it instead."""
    context, joint = comparison.context, comparison.joint
    size = routine.size
    places = [context.terms.place(each) for each in kernel]
    local = [context.side(n, joint).is_local(place) for n, place in enumerate(places)]
    if local[0] != local[1]:
        return None
    if local[0]:
        offsets = places[0].offset, places[1].offset
        return _with_local(comparison, size, offsets, loads)
    known = isinstance(size, int) and size <= COPIED
    if not (known and loads):
        require_heaps(comparison)
    made = []
    for number, state in enumerate(joint.states):
        if not loads:
            made.append(state)
        elif known:
            assert isinstance(size, int)
            side = context.side(number, joint)
            for n, length, word in _fetched(joint, size):
                side.store(side.after(kernel[number], n), word, length)
            made.append(side.state)
        else:
            made.append(replace(state, heap=next_epoch(state.heap, False)))
    return made[0], made[1]


def _with_local(
    comparison: Comparison, size: Word, ends: tuple[int, int], loads: bool
) -> tuple[State, State] | None:
    """Memory after a copy from or to a local; None to step into it instead."""
    context, joint = comparison.context, comparison.joint
    if isinstance(size, int):
        pair = Pair(*ends, size)
    else:
        try:
            whole = extent(comparison, ends)
        except UnsupportedError:
            return None
        pair = Pair(*ends, whole.old + whole.size - ends[0])
        context.notes.add(WITHIN)
    if not (loads and isinstance(size, int)):
        try:
            require_local(comparison, pair)
        except Different:
            if not loads:
                raise
            # The rest of the variable, which is not overwritten, differs.
            return None
        context.leaks |= comparison.leaks
    if not loads:
        return joint.states
    terms, name = context.terms, f"copied {joint.moment}"
    old, new = (
        rewritten(terms, state, at, pair.size, name)
        for state, at in zip(joint.states, ends, strict=True)
    )
    return old, new
