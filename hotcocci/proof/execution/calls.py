# SPDX-License-Identifier: GPL-2.0
"""Record the calls that leave the function, and supply their results."""

from __future__ import annotations


from hotcocci.proof.execution.arguments import (
    given,
    value_of,
    local_at,
    signature,
    texts,
)
from hotcocci.proof.execution.heap import FREES, allocator, fresh
from hotcocci.proof.execution.inputs import Result, filling, word
from hotcocci.proof.execution.library import IGNORED, PURE, imitate
from hotcocci.proof.execution.poison import FREED
from hotcocci.proof.execution.signatures import Signature
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.state import Running
from hotcocci.proof.execution.trace import (
    ENDLESS,
    OOPS,
    STOPPED,
    Call,
    Warned,
)
from hotcocci.proof.idioms import NULL_IS_NOTHING, TAKES_LOCK


# Size in bytes of the largest number.
NUMBER = 8
# WARN() as a call in newer trees (arch/x86/include/asm/bug.h). Its bug table entry moves with the
# lines.
WARNINGS = ("__SCT__WARN_trap", "__WARN_trap")


def outside(machine: Running, address: int) -> None:
    """Handle a jump out of the loaded objects: a call, a tail call or a special routine."""
    name = machine.image.registry.outside(address) or ""
    special = machine.processor.special(machine.engine, name)
    if special is None:
        # The address names an indirect call: memory is random, so no two pointers are equal.
        call(machine, name or f"*{address:#x}")
    elif special.returns:
        machine.processor.leave(machine.engine, machine.space)
    else:
        machine.processor.go(machine.engine, special.jumps)


def call(machine: Running, name: str) -> None:
    """Handle a call of another function that was just entered, and return from it."""
    if name in machine.noreturn:
        machine.stop(STOPPED, name)
        return
    if name in WARNINGS:
        machine.event(Warned())
    value = 0 if name in WARNINGS else imitate(name, Caller(machine))
    if value is None and name in IGNORED:
        value = 0
    size = machine.processor.layout.pointer
    if value is None:
        check_closed(machine, name)
        if name in TAKES_LOCK and value_of(machine, (0,)) < PAGE:
            machine.stop(OOPS, f"in {name}()")
            return
        of = signature(machine, name)
        # A call that does nothing is no event, and takes no number from those that do.
        value = 0 if _is_nothing(machine, name) else _answered(machine, name, of)
        if of is not None and of.result is not None:
            size = of.result.size
    machine.processor.clobber(machine.engine, value, size)
    machine.processor.leave(machine.engine, machine.space)


def _is_nothing(machine: Running, name: str) -> bool:
    """Whether a call does nothing because an argument is NULL."""
    number = NULL_IS_NOTHING.get(name)
    return number is not None and not value_of(machine, (number,))


def check_closed(machine: Running, name: str) -> None:
    """Record a violation if user access is open on entry to a function that is not safe for that."""
    if name not in machine.safe and machine.processor.is_open(machine.engine):
        machine.state.violations.append(f"{name}() is called with user access open")


def _answered(machine: Running, name: str, of: Signature | None) -> int:
    """Record a call and return its result."""
    state = machine.state
    number = state.calls.get(name, 0)
    state.calls[name] = number + 1
    written = frozenset(state.shared.items())
    same = frozenset(state.same)
    machine.event(Call(name, texts(machine, of), written, same))
    if of is not None:
        _fill(machine, name, number, of)
        _free(machine, name, of)
    if state.given.moving and name not in PURE:
        # The callee or other CPUs may write it.
        kept = machine.credentials.after(machine.space, name)
        machine.space.refill(f"{name} {number}", kept)
    origin = Result(name, number)
    value = state.given.values.get(origin)
    if value is None or _is_impossible(machine, name, of, value):
        value = _usual(machine, name, number, of)
    state.results[origin] = value
    if of is not None:
        _allocate(machine, name, of, value)
    return value


def _is_impossible(
    machine: Running, name: str, of: Signature | None, value: int
) -> bool:
    """Whether a call allocates memory and this is a local."""
    count = 0 if of is None else len(of.parameters)
    return allocator(name, count) is not None and machine.space.is_stack(value)


def _usual(machine: Running, name: str, number: int, of: Signature | None) -> int:
    """The default result of a call: a random pointer, or for integers 0 with every other seed."""
    seed = machine.state.given.seed
    result = of.result if of is not None else None
    if result is not None and result.target is None and seed % 2 == 0:
        return 0
    return machine.processor.layout.number(word(seed, f"call {name} {number}"))


def _fill(machine: Running, name: str, number: int, of: Signature) -> None:
    """Fill the stack variables that the arguments point to and that are not const."""
    for each, argument in enumerate(given(machine, of)):
        value = argument.value
        if value.target is None or value.constant or value.target > PAGE:
            continue
        at = value_of(machine, argument.words)
        size = value.target
        _initialise(machine, name, at, size)
        if size <= 1 and machine.space.is_stack(at):
            local = local_at(machine, at)
            # A pointer to bytes may give access to the whole variable unless that is a struct.
            if (
                local is not None
                and local[0] == at
                and (not size or not local[1].record)
            ):
                size = local[1].size
        last = at + size - 1
        if size and machine.space.is_stack(at) and machine.space.is_stack(last):
            what = f"filled by {name} {number} {each}"
            data = filling(machine.state.given.seed, what, size)
            machine.space.write(at, machine.processor.layout.pointing(data))


def _initialise(machine: Running, name: str, at: int, size: int) -> None:
    """Initialise allocated memory that is passed to a call, which may have written it."""
    state = machine.state
    if name in FREES:
        return
    for start, length in state.allocated.items():
        # Memory that is not zeroed holds the seed's contents already.
        if start <= at < start + length and start in state.zeroed:
            rest = start + length - at
            # A pointer to an integer may be one to an array.
            machine.space.settle(at, min(size, rest) if size > NUMBER else rest)


def _allocate(machine: Running, name: str, of: Signature, value: int) -> None:
    """Record newly allocated memory, and zero it if the allocator does."""
    layout, places = machine.processor.layout, given(machine, of)
    found = allocator(name, len(places))
    if found is None or not layout.kernel <= value < layout.end - PAGE:
        return

    def argument(number: int) -> int:
        words = places[number].words if number < len(places) else ()
        return value_of(machine, words) & (1 << 8 * layout.pointer) - 1

    size, zeroed = fresh(found, argument)
    machine.state.allocated[value] = size
    if zeroed:
        machine.state.zeroed.add(value)
        machine.space.clear(value, size)


def _free(machine: Running, name: str, of: Signature) -> None:
    """Poison freed memory."""
    number = FREES.get(name.removesuffix("_noprof"))
    places = given(machine, of)
    if number is None or number >= len(places):
        return
    layout = machine.processor.layout
    at = value_of(machine, places[number].words)
    if layout.kernel <= at < layout.end - PAGE and not machine.space.is_stack(at):
        if machine.image.segment(at) is None:
            size = machine.state.allocated.get(at, PAGE)
            machine.space.write(at, FREED * size)


class Caller:
    """Arguments and kernel memory for the functions that library.py imitates."""

    def __init__(self, machine: Running) -> None:
        self._machine = machine

    def argument(self, number: int) -> int:
        """An integer argument of the current call."""
        return self._machine.processor.argument(self._machine.engine, number)

    def move(self, target: int, source: int, size: int, apart: bool) -> None:
        """memmove() between kernel addresses; memcpy() if they must be ``apart``."""
        if self._possible(size):
            if apart and 0 < abs(target - source) < size:
                what = f"memcpy() of {size} bytes to and from memory that overlaps"
                self._machine.state.violations.append(what)
            self._machine.write(target, self._machine.space.read(source, size))

    def fill(self, target: int, byte: int, size: int) -> None:
        """memset() of a kernel address."""
        if self._possible(size):
            self._machine.write(target, bytes([byte]) * size)

    def _possible(self, size: int) -> bool:
        if size > 16 * PAGE:
            self._machine.stop(ENDLESS, f"it moves more than {16 * PAGE} bytes")
        return 0 < size <= 16 * PAGE
