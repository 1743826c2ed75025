# SPDX-License-Identifier: GPL-2.0
"""Where a call's arguments are, as the ABI of each architecture has it."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.proof.execution.signatures import Signature, Value


@dataclass(frozen=True)
class Convention:
    """How integers, pointers and records are passed; sizes in bytes.

    ``word`` is what a register holds and ``registers`` how many there are. Records of up to
    ``largest`` are in registers; bigger ones are on the stack, or ``by_reference``. What takes
    two registers begins with an even one if ``paired``. Records of up to ``returned`` are
    returned in registers; for others, the first register says where they are put,
    or ``elsewhere`` does. What is not in registers is on the stack, ``stack`` bytes above the
    stack pointer as the function is entered; what follows may still be in registers where
    small ones are ``filling`` them. All of a variadic function's are on the stack where its
    are not ``registered``. The CFA of debug information is ``frame`` bytes above the stack pointer
    as the function is entered.
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
    registered: bool = True
    frame: int = 0


@dataclass(frozen=True)
class Passed:
    """A parameter, and the numbers of the words that hold it, the first part first.

    Words count from the first register, and go on with the first on the stack.
    """

    value: Value
    words: tuple[int, ...]


def is_returned(convention: Convention, value: Value) -> bool:
    """Whether a result is in registers."""
    return not value.record or value.size <= convention.returned


def passed(convention: Convention, signature: Signature) -> tuple[Passed, ...]:
    """The parameters, and before them where the result goes if that is not in registers."""
    parameters = list(signature.parameters)
    result = signature.result
    if result is not None and not is_returned(convention, result):
        if not convention.elsewhere:
            parameters.insert(0, Value(convention.word, result.size))
    found = []
    register, on_stack = 0, convention.registers
    if signature.variadic and not convention.registered:
        register = convention.registers
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
