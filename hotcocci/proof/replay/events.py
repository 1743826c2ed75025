# SPDX-License-Identifier: GPL-2.0
"""Record what leaves the function: calls, whose results are supplied, and user accesses, which may fault."""

from collections.abc import Sequence
from dataclasses import replace

from hotcocci.machine import x86
from hotcocci.names import count
from hotcocci.proof import known
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.objects.marks import READ, WRITE
from hotcocci.proof.objects.processor import Passed, arguments
from hotcocci.proof.objects.signatures import Local, Signature, Value
from hotcocci.proof.symbolic.x86 import CONVENTION, LAYOUT
from hotcocci.proof.replay.compare import (
    CLOSED,
    ENDLESS,
    LOAD,
    OOPS,
    STOPPED,
    STORE,
    UNKNOWN,
    Access,
    Call,
    Fault,
    Run,
    Warned,
)
from hotcocci.proof.replay.cpu import COPY, RIP, Step, filling, word
from hotcocci.proof.symbolic.prover import Result

POINTER = 8


def outside(run: Run, address: int) -> None:
    """Handle a jump out of the loaded objects: a call, a tail call or a special routine."""
    name = run.side.image.registry.outside(address) or ""
    thunk = x86.THUNK.match(name)
    if name in (*x86.RETURN_THUNKS, *x86.TRACERS):
        run.cpu.leave(run.memory)
    elif thunk:
        run.cpu.write(RIP, run.cpu.named(thunk[1]))
    else:
        # The address names an indirect call: memory is random, so no two pointers are equal.
        call(run, name or f"*{address:#x}")


def call(run: Run, name: str) -> None:
    """Handle a call of another function that was just entered, and return from it."""
    if name in run.question.noreturn:
        run.stop(STOPPED, name)
        return
    value, size = 0, POINTER
    if name in (*known.COPIES, *known.MOVES, *known.FILLS):
        value = _imitated(run, name)
    elif name in known.WARNINGS:
        run.event(Warned())
    elif name not in known.IGNORED:
        check_closed(run, name)
        if name in known.TAKES_LOCK and run.cpu.argument(0) < PAGE:
            run.stop(OOPS, f"in {name}()")
            return
        of = run.side.signatures.of(name)
        # A call that does nothing is no event, and takes no number from those that do.
        if not _does_nothing(run, name, of):
            value = _answered(run, name, of)
        if of is not None and of.result is not None:
            size = of.result.size
    run.cpu.clobber(value, size)
    run.cpu.leave(run.memory)


def _does_nothing(run: Run, name: str, of: Signature | None) -> bool:
    """Whether a call has no effect, and returns 0: it frees NULL, or allocates more than there can be.

    Sizes that overflow are SIZE_MAX for that (include/linux/overflow.h).
    """
    null = known.NULL_IS_NOTHING.get(name)
    if null is not None:
        return not run.cpu.argument(null)
    made = known.allocator(name, len(of.parameters)) if of is not None else None
    if made is None or made.size is None:
        return False
    return run.cpu.argument(made.size) == (1 << 8 * POINTER) - 1


def check_closed(run: Run, name: str) -> None:
    """Record a violation if user access is open on entry to a function that is not safe for that."""
    if name not in run.question.safe and run.cpu.is_open():
        run.violations.append(f"{name}() is called with user access open")


def _imitated(run: Run, name: str) -> int:
    """Do what memcpy(), memmove() or memset() does; returns their result."""
    target, source, size = (run.cpu.argument(n) for n in range(3))
    if size > 16 * PAGE:
        run.stop(ENDLESS, f"it moves more than {16 * PAGE} bytes")
    elif size and name in known.FILLS:
        run.write(target, bytes([source & 0xFF]) * size)
    elif size:
        if name in known.COPIES and 0 < abs(target - source) < size:
            what = f"memcpy() of {size} bytes to and from memory that overlaps"
            run.violations.append(what)
        run.write(target, run.memory.read(source, size))
    return target


def _answered(run: Run, name: str, of: Signature | None) -> int:
    """Record a call and return its result: a random pointer, or 0 for integers, unless the input has it."""
    number = run.called.get(name, 0)
    run.called[name] = number + 1
    places = _bounded(run, name, _places(run, name, of))
    values = [value_of(run, place.words) for place in places]
    texts = tuple(shared(run, v, p.value) for v, p in zip(values, places, strict=True))
    of_null = values == [0] and places[0].value.target is not None
    run.event(Call(name, texts, frozenset(run.written.items()), of_null))
    for each, place in enumerate(places):
        _fill(run, f"filled by {name} {number} {each}", place)
    value = run.given.values.get(Result(name, number))
    own = value is not None and run.memory.is_stack(value)
    if value is None or own and known.allocator(name, len(places)):
        kind = of.result if of is not None else None
        is_number = name.startswith("*") or kind is not None and kind.target is None
        value = 0 if is_number else word(f"call {name} {number}")
    made = known.allocator(name, len(places))
    if value and made and made.size is not None and made.flags is not None:
        size = run.cpu.argument(made.size)
        if run.cpu.argument(made.flags) & known.ZERO and size <= PAGE:
            run.write(value, bytes(size))
    return value


def _fill(run: Run, what: str, place: Passed) -> None:
    """Fill the stack variable that an argument points to, unless that is const."""
    size, at = place.value.target, value_of(run, place.words)
    if size is None or size > PAGE or place.value.constant:
        return
    if not run.memory.is_stack(at):
        return
    local = _local_at(run, at) if size <= 1 else None
    # A pointer to bytes may give access to the whole variable unless that is a struct.
    if local is not None and local[0] == at and not (size and local[1].record):
        size = local[1].size
    if size and run.memory.is_stack(at + size - 1):
        run.memory.write(at, filling(what, size))


def _places(run: Run, name: str, of: Signature | None) -> tuple[Passed, ...]:
    """The locations of a call's arguments."""
    uses = run.side.image.uses.get(run.previous)
    return arguments(CONVENTION, name, of, uses) or ()


def _bounded(run: Run, name: str, places: tuple[Passed, ...]) -> tuple[Passed, ...]:
    """The arguments of a call; the first one points to what it may write."""
    number = known.BOUNDED.get(name)
    if number is None or len(places) <= number:
        return places
    first, *rest = places
    room = _extent(run, value_of(run, first.words), 1)
    size = min(value_of(run, places[number].words), room)
    return replace(first, value=replace(first.value, target=size)), *rest


def value_of(run: Run, words: Sequence[int]) -> int:
    """The value held by words as Passed numbers them, first word first."""
    data = b""
    for number in words:
        if number < CONVENTION.registers:
            data += run.cpu.argument(number).to_bytes(POINTER, "little")
        else:
            data += run.memory.read(run.cpu.stack(number), POINTER)
    return int.from_bytes(data, "little")


def _local_at(run: Run, address: int) -> tuple[int, Local] | None:
    """The smallest stack variable that contains an address, and the address it starts at."""
    at = address - run.frame
    own = (v for v in run.locals if v.register is None)
    found = (v for v in own if v.start <= at < v.start + v.size)
    best = min(found, key=lambda v: v.size, default=None)
    return (run.frame + best.start, best) if best is not None else None


def shared(run: Run, value: int, kind: Value) -> str:
    """A value as text that is the same for old and new code.

    Pointers to the stack are replaced by the contents, pointers to code and literals by a name.
    """
    value &= (1 << 8 * kind.size) - 1
    if kind.target is None and kind.size < POINTER:
        return f"{value:#x}"
    if run.memory.is_stack(value):
        size = _extent(run, value, kind.target or 0)
        return f"stack {_contents(run, value, size)}" if 0 < size <= PAGE else "stack"
    return run.named(value) or f"{value:#x}"


def _extent(run: Run, address: int, target: int) -> int:
    """The number of bytes that a callee may read through a pointer to the stack.

    A pointer to bytes, or of unknown type, gives access to the rest of the variable.
    """
    local = _local_at(run, address) if target <= 1 else None
    return local[0] + local[1].size - address if local is not None else target


def _contents(run: Run, address: int, size: int) -> str:
    """Bytes of the stack word by word; pointers among them have names."""
    data = run.memory.read(address, size)
    words = []
    for start in range(0, size, POINTER):
        held = data[start : start + POINTER]
        whole = len(held) == POINTER and address % POINTER == 0
        name = run.named(int.from_bytes(held, "little")) if whole else ""
        words.append(name or held.hex())
    return " ".join(words)


def guarded(run: Run, address: int, step: Step) -> None:
    """Handle an instruction in the exception table."""
    if step.kind == COPY:
        _guarded_copy(run, address, step)
        return
    at = run.cpu.address(step)
    if is_kernel(at):
        run.in_kernel += 1
        return
    _check_range(run, address, at, step)
    if not run.cpu.is_open():
        run.violations.append(CLOSED)
    if _faults_at(run, at, step.size):
        run.event(Fault(STORE if step.stores else LOAD, at, step.size))
        _fix(run, address)


def _check_range(run: Run, address: int, at: int, step: Step) -> None:
    """Record a violation if an access is outside its window."""
    begun = run.window
    # Routines of other objects check their arguments themselves.
    if begun is None or run.side.image.function_at(address) is None:
        return
    kind = STORE if step.stores else LOAD
    what = f"{step.size}-byte {kind} at {at:#x}"
    if not begun.directions & (WRITE if step.stores else READ):
        run.violations.append(f"{what} in a window for the other direction")
    elif begun.start >= LAYOUT.user_high and at >= LAYOUT.user_high:
        # mask_user_address() moved a bad pointer there, and every access faults. One that is outside
        # the window is outside with a good pointer as well.
        return
    elif not begun.start <= at <= begun.start + begun.length - step.size:
        window = f"{count(begun.length, 'byte')} at {begun.start:#x}"
        run.violations.append(f"{what} is outside its window: {window}")


def _guarded_copy(run: Run, address: int, step: Step) -> None:
    copy = run.cpu.copy(step)
    if copy.count == 0:
        return
    stores = _is_user_side(run, copy.target, copy.source)
    at = copy.target if stores or copy.source is None else copy.source
    inside = copy.source if stores else copy.target
    # Non-canonical addresses count as kernel memory, as they do for plain loads.
    if inside is not None and not LAYOUT.user_high <= inside < LAYOUT.end + PAGE:
        run.stop(OOPS, f"accessing {inside:#x}")
        return
    if is_kernel(at):
        # The emulator makes it, element by element.
        run.in_kernel += run.previous != address
        return
    done = _transferred(run, at, copy.count)
    if not run.cpu.is_open():
        run.violations.append(CLOSED)
    kind = STORE if stores else LOAD
    if done > PAGE:
        run.stop(ENDLESS, f"it copies more than {PAGE} bytes")
        return
    if done:
        data = copy.fill * (done // step.size)
        if copy.source is not None:
            data = run.memory.read(copy.source, done)
        run.event(Access(kind, at, data, True))
        (run.memory if stores else run).write(copy.target, data)
    run.cpu.copied(step, done)
    if done < copy.count:
        run.event(Fault(kind, at + done, copy.count - done))
        _fix(run, address)
    else:
        run.cpu.write(RIP, address + step.length)


def _transferred(run: Run, at: int, size: int) -> int:
    """The number of bytes of a copy that are transferred before it faults."""
    lost = _lost(run, at, size)
    if lost:
        return min(lost) - at
    return 0 if at < LAYOUT.user_low else max(0, min(size, LAYOUT.user_high - at))


def _is_user_side(run: Run, target: int, source: int | None) -> bool:
    """Whether a copy stores to user memory, judging by its addresses."""
    if source is None or run.memory.is_user(target):
        return True
    if run.memory.is_user(source) or not is_kernel(source):
        return False
    return not is_kernel(target)


def is_kernel(address: int) -> bool:
    """Whether an address is one of kernel memory."""
    # The top page holds no memory: error pointers, and masks of bad addresses.
    return LAYOUT.kernel <= address < LAYOUT.end


def _faults_at(run: Run, address: int, size: int) -> bool:
    """Whether an access faults."""
    inside = LAYOUT.user_low <= address <= LAYOUT.user_high - size
    return bool(_lost(run, address, size)) or not inside


def _lost(run: Run, address: int, size: int) -> set[int]:
    """The bytes of an access that fault: that of the n-th access to the planned address (Input.hit), and again later.

    Nothing maps a page during a call.
    """
    bytes_ = range(address, address + size)
    hit = run.given.hit
    if run.lost.isdisjoint(bytes_) and hit is not None and hit[0] in bytes_:
        run.hits += 1
        if run.hits == hit[1]:
            run.lost.add(hit[0])
    return run.lost.intersection(bytes_)


def _fix(run: Run, address: int) -> None:
    why = run.cpu.fault(run.side.image.fixups[address])
    if why:
        run.stop(UNKNOWN, why)
