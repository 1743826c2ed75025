# SPDX-License-Identifier: GPL-2.0
"""Which registers a call's arguments are in, as the ABI of each architecture has it."""

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
    or ``elsewhere`` does.
    """

    word: int
    registers: int
    largest: int = 0
    by_reference: bool = False
    paired: bool = False
    returned: int = 0
    elsewhere: bool = False


@dataclass(frozen=True)
class Passed:
    """A parameter, and the numbers of the registers that hold it, the first part first."""

    value: Value
    registers: tuple[int, ...]


def is_returned(convention: Convention, value: Value) -> bool:
    """Whether a result is in registers."""
    return not value.record or value.size <= convention.returned


def passed(convention: Convention, signature: Signature) -> tuple[Passed, ...]:
    """The parameters that are in registers, and where the result goes if it is not."""
    parameters = list(signature.parameters)
    result = signature.result
    if result is not None and not is_returned(convention, result):
        if not convention.elsewhere:
            parameters.insert(0, Value(convention.word, result.size))
    found = []
    free = 0
    for value in parameters:
        if value.record and value.size > convention.largest:
            if not convention.by_reference:
                continue
            value = Value(convention.word, value.size, constant=True)
        count = -(-value.size // convention.word)
        if convention.paired and count == 2:
            free += free % 2
        if free + count > convention.registers:
            # Of those that follow, smaller records may still find room on x86-64; few do.
            free = convention.registers
            continue
        found.append(Passed(value, tuple(range(free, free + count))))
        free += count
    return tuple(found)
