# SPDX-License-Identifier: GPL-2.0
"""Locate call arguments as the ABI of each architecture prescribes."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.proof.execution.signatures import Signature, Value


@dataclass(frozen=True)
class Convention:
    """How integers, pointers and structs are passed and returned; sizes in bytes.

    ``word`` is the size of a register and ``registers`` their number. Structs up to ``largest`` are
    passed in registers, bigger ones on the stack or ``by_reference``. With ``paired``, an argument
    of two registers starts at an even one. Structs up to ``returned`` are returned in registers;
    otherwise the first argument register points to the result, or another register if
    ``elsewhere``. Stack arguments start ``stack`` bytes above the stack pointer at function entry;
    with ``filling``, later small arguments may still use registers. The CFA is ``frame`` bytes above the stack
    pointer at function entry.
    """

    word: int
    registers: int
    largest: int = 0
    by_reference: bool = False
    paired: bool = False
    returned: int = 0
    elsewhere: bool = False
    stack: int = 0
    filling: bool = False
    frame: int = 0


@dataclass(frozen=True)
class Passed:
    """A parameter and the words that hold it, first word first.

    Words are numbered from the first register, then from the first stack slot.
    """

    value: Value
    words: tuple[int, ...]


def is_returned(convention: Convention, value: Value) -> bool:
    """Whether a result is returned in registers."""
    return not value.record or value.size <= convention.returned


def passed(convention: Convention, signature: Signature) -> tuple[Passed, ...]:
    """Locate the parameters; a pointer to a result in memory comes first."""
    parameters = list(signature.parameters)
    result = signature.result
    if result is not None and not is_returned(convention, result):
        if not convention.elsewhere:
            parameters.insert(0, Value(convention.word, result.size))
    found = []
    register, on_stack = 0, convention.registers
    for value in parameters:
        stacked = value.record and value.size > convention.largest
        if stacked and convention.by_reference:
            value, stacked = Value(convention.word, value.size, constant=True), False
        count = -(-value.size // convention.word)
        pair = convention.paired and count == 2
        first = register + (register % 2 if pair else 0)
        if not stacked and first + count <= convention.registers:
            register = first + count
        else:
            if not convention.filling:
                register = convention.registers
            first = on_stack + (on_stack % 2 if pair else 0)
            on_stack = first + count
        found.append(Passed(value, tuple(range(first, first + count))))
    return tuple(found)
