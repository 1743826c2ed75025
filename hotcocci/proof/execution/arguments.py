# SPDX-License-Identifier: GPL-2.0
"""Read and compare call arguments in a form that is the same for old and new code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace


from hotcocci.proof.execution.formats import asked
from hotcocci.proof.execution.library import BUILTINS
from hotcocci.proof.execution.locals import Local
from hotcocci.proof.execution.passing import Passed, passed
from hotcocci.proof.execution.signatures import Signature, Value
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.state import Running


def signature(machine: Running, name: str) -> Signature | None:
    """Return the signature of a called function, including arguments of its format string.

    Returns None if it is not known.
    """
    state, pointer = machine.state, machine.processor.layout.pointer
    if name.startswith("*"):
        found = machine.through(state.previous)
    else:
        found = machine.signatures.of(name)
        count = BUILTINS.get(name)
        if found is None and count is not None:
            found = Signature((Value(pointer),) * count, Value(pointer))
    if found is not None and found.variadic:
        more = _asked(machine, name, found) or ()
        found = replace(found, parameters=found.parameters + more)
    return found


def _asked(machine: Running, name: str, of: Signature) -> tuple[Value, ...] | None:
    """The variadic arguments, derived from the last named one, a format string."""
    if not of.parameters:
        return None
    last = passed(machine.processor.convention, of)[-1]
    text = machine.image.constant(value_of(machine, last.words))
    if text is None or last.value.target != 1:
        return None
    return asked(name, text, machine.processor.layout.pointer)


def given(machine: Running, of: Signature | None) -> tuple[Passed, ...]:
    """The locations of a call's arguments."""
    return passed(machine.processor.convention, of) if of is not None else ()


def texts(machine: Running, of: Signature | None) -> tuple[str, ...]:
    """The arguments of the current call as text."""
    return tuple(
        shared(machine, value_of(machine, each.words), each.value)
        for each in given(machine, of)
    )


def value_of(machine: Running, words: Sequence[int]) -> int:
    """The value held by words as numbered in passing.py, first word first."""
    layout, convention = machine.processor.layout, machine.processor.convention
    data = b""
    for number in words:
        if number < convention.registers:
            value = machine.processor.argument(machine.engine, number)
            data += value.to_bytes(layout.pointer, layout.order)
            continue
        data += machine.space.read(_on_stack(machine, number), convention.word)
    return int.from_bytes(data, layout.order)


def give(machine: Running, number: int, value: int) -> None:
    """Write one word of the arguments where the callee expects it."""
    convention = machine.processor.convention
    if number < convention.registers:
        machine.engine.reg_write(machine.processor.arguments[number], value)
        return
    data = value.to_bytes(convention.word, machine.processor.layout.order)
    machine.space.write(_on_stack(machine, number), data)


def _on_stack(machine: Running, number: int) -> int:
    """The address of an argument word that is not in a register."""
    convention = machine.processor.convention
    above = (number - convention.registers) * convention.word
    return machine.processor.stack(machine.engine) + convention.stack + above


def local_at(machine: Running, address: int) -> tuple[int, Local] | None:
    """The smallest stack variable that contains an address, and the address it starts at."""
    at = address - machine.state.frame
    found = [
        v
        for v in machine.locals
        if v.register is None and v.start <= at < v.start + v.size
    ]
    best = min(found, key=lambda v: v.size, default=None)
    return (machine.state.frame + best.start, best) if best is not None else None


def shared(machine: Running, value: int, kind: Value) -> str:
    """A value as text that is the same for old and new code.

    Pointers to the stack are replaced by the contents, pointers to code and literals by a name.
    """
    value &= (1 << 8 * kind.size) - 1
    if kind.target is None and kind.size < machine.processor.layout.pointer:
        return f"{value:#x}"
    if machine.space.is_stack(value):
        size = _extent(machine, value, kind.target or 0)
        if not size or size > PAGE:
            return "stack"
        return f"stack {_contents(machine, value, size)}"
    return named(machine, value) or f"{value:#x}"


def _extent(machine: Running, address: int, target: int) -> int:
    """How many bytes a callee may read through a pointer to the stack.

    A pointer to bytes, or of unknown type, gives access to the rest of the variable.
    """
    local = local_at(machine, address) if target <= 1 else None
    if local is None:
        return target
    start, variable = local
    return start + variable.size - address


def _contents(machine: Running, address: int, size: int) -> str:
    """Bytes of the stack word by word; pointers among them are named as in named()."""
    layout = machine.processor.layout
    data = machine.space.read(address, size)
    words = []
    for start in range(0, size, layout.pointer):
        word_ = data[start : start + layout.pointer]
        value = int.from_bytes(word_, layout.order)
        whole = len(word_) == layout.pointer and address % layout.pointer == 0
        words.append((named(machine, value) if whole else "") or word_.hex())
    return " ".join(words)


def named(machine: Running, value: int) -> str:
    """A name for a pointer to the object's own code, literals or stack; empty for others."""
    if machine.space.is_stack(value):
        return "stack"
    function = machine.image.function_at(value)
    if function is not None:
        # _RET_IP_ passes an offset into the function, which may differ.
        return function.name
    return machine.image.text(value) or ""
