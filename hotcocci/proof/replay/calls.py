# SPDX-License-Identifier: GPL-2.0
"""Record the calls that leave the function, and supply their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hotcocci.machine import x86_insn as x86
from hotcocci.proof.known import (
    BUILTINS,
    COPIES,
    FILLS,
    IGNORED,
    MOVES,
    NULL_IS_NOTHING,
    TAKES_LOCK,
    WARNINGS,
    allocator,
)
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.objects.signatures import (
    Local,
    Passed,
    Signature,
    Value,
    asked,
    passed,
)
from hotcocci.proof.objects.x86 import CONVENTION
from hotcocci.proof.replay.cpu import RIP
from hotcocci.proof.replay.memory import filling, word
from hotcocci.proof.replay.run import Run
from hotcocci.proof.replay.trace import ENDLESS, OOPS, STOPPED, Call, Warned
from hotcocci.proof.symbolic.answer import Result

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
    if name in (*COPIES, *MOVES, *FILLS):
        value = _imitated(run, name)
    elif name in WARNINGS:
        run.event(Warned())
    elif name not in IGNORED:
        check_closed(run, name)
        if name in TAKES_LOCK and run.cpu.argument(0) < PAGE:
            run.stop(OOPS, f"in {name}()")
            return
        of = _signature(run, name)
        nothing = NULL_IS_NOTHING.get(name)
        # A call that does nothing is no event, and takes no number from those that do.
        if nothing is None or run.cpu.argument(nothing):
            value = _answered(run, name, of)
        if of is not None and of.result is not None:
            size = of.result.size
    run.cpu.clobber(value, size)
    run.cpu.leave(run.memory)


def check_closed(run: Run, name: str) -> None:
    """Record a violation if user access is open on entry to a function that is not safe for that."""
    if name not in run.question.safe and run.cpu.is_open():
        run.violations.append(f"{name}() is called with user access open")


def _imitated(run: Run, name: str) -> int:
    """Do what memcpy(), memmove() or memset() does; returns their result."""
    target, source, size = (run.cpu.argument(n) for n in range(3))
    if size > 16 * PAGE:
        run.stop(ENDLESS, f"it moves more than {16 * PAGE} bytes")
    elif size and name in FILLS:
        run.write(target, bytes([source & 0xFF]) * size)
    elif size:
        if name in COPIES and 0 < abs(target - source) < size:
            what = f"memcpy() of {size} bytes to and from memory that overlaps"
            run.violations.append(what)
        run.write(target, run.memory.read(source, size))
    return target


def _answered(run: Run, name: str, of: Signature | None) -> int:
    """Record a call and return its result: a random pointer, or 0 for integers, unless the input has it."""
    number = run.calls.get(name, 0)
    run.calls[name] = number + 1
    places = _places(of)
    texts = tuple(shared(run, value_of(run, p.words), p.value) for p in places)
    run.event(Call(name, texts, frozenset(run.written.items())))
    for each, place in enumerate(places):
        _fill(run, f"filled by {name} {number} {each}", place)
    value = run.given.values.get(Result(name, number))
    own = value is not None and run.memory.is_stack(value)
    if value is None or own and allocator(name, len(places)):
        is_number = of is not None and of.result and of.result.target is None
        value = 0 if is_number else word(f"call {name} {number}")
    return value


def _fill(run: Run, what: str, place: Passed) -> None:
    """Fill the stack variable that an argument points to, unless that is const."""
    size = place.value.target
    at = value_of(run, place.words)
    if (
        size is None
        or size > PAGE
        or place.value.constant
        or not run.memory.is_stack(at)
    ):
        return
    local = _local_at(run, at) if size <= 1 else None
    # A pointer to bytes may give access to the whole variable unless that is a struct.
    if local is not None and local[0] == at and not (size and local[1].record):
        size = local[1].size
    if size and run.memory.is_stack(at + size - 1):
        run.memory.write(at, filling(what, size))


def _signature(run: Run, name: str) -> Signature | None:
    """The signature of a called function, with the arguments of its format string; None if not known."""
    signatures = run.side.signatures
    through = name.startswith("*")
    found = run.side.through(run.previous) if through else signatures.of(name)
    count = BUILTINS.get(name)
    if found is None and count is not None:
        found = Signature((Value(POINTER),) * count, Value(POINTER))
    if found is None or not found.variadic or not found.parameters:
        return found
    last = _places(found)[-1]
    text = run.side.image.constant(value_of(run, last.words))
    if text is None or last.value.target != 1:
        return found
    more = asked(name, text, POINTER)
    return replace(found, parameters=found.parameters + more)


def _places(of: Signature | None) -> tuple[Passed, ...]:
    """The locations of a call's arguments."""
    return passed(CONVENTION, of) if of is not None else ()


def value_of(run: Run, words: Sequence[int]) -> int:
    """The value held by words as numbered in passing.py, first word first."""
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
    found = [
        v for v in run.locals if v.register is None and v.start <= at < v.start + v.size
    ]
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
    """How many bytes a callee may read through a pointer to the stack.

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
