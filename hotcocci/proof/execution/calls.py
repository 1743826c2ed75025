# SPDX-License-Identifier: GPL-2.0
"""Calls that leave the function: they are recorded, and answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import unicorn

from hotcocci.proof.execution.credentials import Credentials
from hotcocci.proof.execution.image import Image
from hotcocci.proof.execution.inputs import Result, filling, word
from hotcocci.proof.execution.library import IGNORED, PURE, imitate
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import passed
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.execution.signatures import Signature, Signatures, Value
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.state import State, violate
from hotcocci.proof.execution.trace import ENDLESS, STOPPED, Call, Event, Warned


class Calling(Protocol):
    """What is needed of a machine."""

    engine: unicorn.Uc
    processor: Processor
    image: Image
    space: AddressSpace
    state: State
    signatures: Signatures
    safe: frozenset[str]
    noreturn: frozenset[str]
    credentials: Credentials | None

    def stop(self, end: str, detail: str = "") -> None:
        """End the run."""

    def event(self, event: Event) -> None:
        """Note what others can see of the run."""

    def write(self, address: int, data: bytes) -> None:
        """Write to kernel memory on behalf of the code that runs."""


# WARN() as a call, as newer trees have it (arch/x86/include/asm/bug.h): its entry has another place, as lines move.
WARNINGS = ("__SCT__WARN_trap", "__WARN_trap")


def outside(machine: Calling, address: int) -> None:
    """The code goes on outside of the objects at hand: a call, or a jump in place of one."""
    name = machine.image.registry.outside(address) or ""
    special = machine.processor.special(machine.engine, name)
    if special is None:
        call(machine, name or "a pointer", address)
    elif special.returns:
        machine.processor.leave(machine.engine, machine.space)
    else:
        machine.processor.go(machine.engine, special.jumps)


def call(machine: Calling, name: str, address: int) -> None:
    """Answer a call of another function, which was just entered."""
    if name in machine.noreturn:
        machine.stop(STOPPED, name)
        return
    signature = machine.signatures.of(name)
    if name in WARNINGS:
        machine.event(Warned())
    value = 0 if name in WARNINGS else imitate(name, Caller(machine))
    if value is None and name in IGNORED:
        value = 0
    if value is None:
        check_closed(machine, name, address)
        value = _answered(machine, name, signature, address)
    size = machine.processor.layout.pointer
    if signature is not None and signature.result is not None:
        size = signature.result.size
    machine.processor.clobber(machine.engine, value, size)
    machine.processor.leave(machine.engine, machine.space)


def check_closed(machine: Calling, name: str, address: int) -> None:
    """A function is entered: user access has to be closed, unless it is made for that."""
    if name not in machine.safe and machine.processor.is_open(machine.engine):
        violate(machine.state, f"{name}() is called with user access open", address)


def _answered(
    machine: Calling, name: str, signature: Signature | None, address: int
) -> int:
    """Record a call; returns its result."""
    state = machine.state
    number = state.calls.get(name, 0)
    state.calls[name] = number + 1
    arguments = _arguments(machine, signature)
    machine.event(Call(name, arguments, frozenset(state.told.items())))
    if signature is not None:
        _fill(machine, name, number, signature)
    # What a function of the same object changes is no secret to the compiler.
    own = machine.image.function_at(address) is not None
    if state.given.moving and not own and name not in PURE:
        known = machine.credentials
        kept = known.after(machine.space, name) if known is not None else []
        machine.space.refill(f"{name} {number}", kept)
    origin = Result(name, number)
    value = state.given.values.get(origin)
    if value is None:
        value = _usual(machine, name, number, signature)
    state.read[origin] = value
    return value


def _usual(
    machine: Calling, name: str, number: int, signature: Signature | None
) -> int:
    """What a call returns if nobody says: a pointer, or that all is well in half of the runs."""
    seed = machine.state.given.seed
    result = signature.result if signature is not None else None
    if result is not None and result.target is None and seed % 2 == 0:
        return 0
    return machine.processor.layout.number(word(seed, f"call {name} {number}"))


def _arguments(machine: Calling, signature: Signature | None) -> tuple[str, ...]:
    if signature is None:
        return ()
    return tuple(
        shared(machine, _held(machine, each.words), each.value)
        for each in passed(machine.processor.convention, signature)
    )


def _held(machine: Calling, words: Sequence[int]) -> int:
    """The number that words of passing.py hold together, the first one its first bytes."""
    layout, convention = machine.processor.layout, machine.processor.convention
    data = b""
    for number in words:
        if number < convention.registers:
            value = machine.processor.argument(machine.engine, number)
            data += value.to_bytes(layout.pointer, layout.order)
            continue
        data += machine.space.read(_on_stack(machine, number), convention.word)
    return int.from_bytes(data, layout.order)


def give(machine: Calling, number: int, value: int) -> None:
    """Put a word of the arguments where the function that is entered looks for it."""
    convention = machine.processor.convention
    if number < convention.registers:
        machine.engine.reg_write(machine.processor.arguments[number], value)
        return
    data = value.to_bytes(convention.word, machine.processor.layout.order)
    machine.space.write(_on_stack(machine, number), data)


def _on_stack(machine: Calling, number: int) -> int:
    """Where a word of the arguments lies that is in no register."""
    convention = machine.processor.convention
    above = (number - convention.registers) * convention.word
    return machine.processor.stack(machine.engine) + convention.stack + above


def shared(machine: Calling, value: int, kind: Value) -> str:
    """A value in a form that both sides share: what lies elsewhere there is told by content."""
    value &= (1 << 8 * kind.size) - 1
    if kind.target is None and kind.size < machine.processor.layout.pointer:
        return f"{value:#x}"
    if machine.space.is_stack(value):
        if not kind.target or kind.target > PAGE:
            return "stack"
        return f"stack {_contents(machine, value, kind.target)}"
    return named(machine, value) or f"{value:#x}"


def _contents(machine: Calling, address: int, size: int) -> str:
    """Bytes of the stack, word by word: a pointer among them is told like one."""
    layout = machine.processor.layout
    data = machine.space.read(address, size)
    words = []
    for start in range(0, size, layout.pointer):
        word_ = data[start : start + layout.pointer]
        value = int.from_bytes(word_, layout.order)
        whole = len(word_) == layout.pointer and address % layout.pointer == 0
        words.append((named(machine, value) if whole else "") or word_.hex())
    return " ".join(words)


def named(machine: Calling, value: int) -> str:
    """What a pointer to the object's own code, literals or stack points to; empty for others."""
    if machine.space.is_stack(value):
        return "stack"
    function = machine.image.function_at(value)
    if function is not None:
        # How far from its start, as _RET_IP_ tells, is not the source's business.
        return function.name
    return machine.image.text(value) or ""


def _fill(machine: Calling, name: str, number: int, signature: Signature) -> None:
    """A call writes what its arguments let it write, on the run's own stack."""
    for each, argument in enumerate(passed(machine.processor.convention, signature)):
        value = argument.value
        if not value.target or value.constant or value.target > PAGE:
            continue
        at = _held(machine, argument.words)
        last = at + value.target - 1
        if machine.space.is_stack(at) and machine.space.is_stack(last):
            what = f"filled by {name} {number} {each}"
            data = filling(machine.state.given.seed, what, value.target)
            machine.space.write(at, machine.processor.layout.pointing(data))


class Caller:
    """The arguments of a call, and kernel memory, for what is imitated."""

    def __init__(self, machine: Calling) -> None:
        self._machine = machine

    def argument(self, number: int) -> int:
        """An argument of the call at hand."""
        return self._machine.processor.argument(self._machine.engine, number)

    def move(self, target: int, source: int, size: int) -> None:
        """memmove() between kernel addresses."""
        if self._possible(size):
            self._machine.write(target, self._machine.space.read(source, size))

    def fill(self, target: int, byte: int, size: int) -> None:
        """memset() of a kernel address."""
        if self._possible(size):
            self._machine.write(target, bytes([byte]) * size)

    def _possible(self, size: int) -> bool:
        if size > 16 * PAGE:
            self._machine.stop(
                ENDLESS, "it moves more than a function of interest does"
            )
        return 0 < size <= 16 * PAGE
