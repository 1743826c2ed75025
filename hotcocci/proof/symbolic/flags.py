# SPDX-License-Identifier: GPL-2.0
"""Condition flags as in VEX: an operation, its operands, and the flags before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# Width of the flags register in bits.
WIDTH = 64


@dataclass(frozen=True)
class Thunk:
    """The registers that define the flags: cc_op, cc_dep1, cc_dep2 and cc_ndep."""

    operation: Word
    one: Word
    other: Word
    before: Word


@dataclass(frozen=True)
class Operation:
    """A known operation, with its operands truncated to its width.

    The first operand of "copy" is the flags themselves.
    """

    name: str
    width: int
    one: Word
    other: Word
    before: Word

    @property
    def carried(self) -> Word:
        """The carry input, in the operation's width."""
        return v.zero_extended(v.extract(self.before, 0, 0), 1, self.width)

    @property
    def compared(self) -> tuple[Word, Word, int] | None:
        """The operands and width of a comparison, or None."""
        return (self.one, self.other, self.width) if self.name == "sub" else None


def decided(thunk: Thunk, of: Callable[[Thunk], Truth]) -> Truth:
    """Evaluate a condition if the operation itself may depend on one, such as a shift count of 0."""
    operation = v.plain(thunk.operation)
    if isinstance(operation, int):
        return of(Thunk(operation, thunk.one, thunk.other, thunk.before))
    choice = next(v.choices(operation), None)
    if choice is None:
        raise UnsupportedError("flags of an operation that is not known")
    sides = []
    for side in choice.children()[1:]:
        known = v.plain(z3.substitute(operation, (choice, side)))
        sides.append(decided(Thunk(known, thunk.one, thunk.other, thunk.before), of))
    return z3.If(choice.arg(0), v.truth(sides[0]), v.truth(sides[1]))


def operation(thunk: Thunk, names: Sequence[str], widths: Sequence[int]) -> Operation:
    """The operation with a known number: from 1, in each width; 0 means the flags themselves."""
    number = thunk.operation
    assert isinstance(number, int)
    if number == 0:
        return Operation("copy", WIDTH, thunk.one, thunk.other, thunk.before)
    index, size = divmod(number - 1, len(widths))
    if index >= len(names):
        raise UnsupportedError(f"flags of operation {number}")
    one, other = (v.extract(w, widths[size] - 1, 0) for w in (thunk.one, thunk.other))
    return Operation(names[index], widths[size], one, other, thunk.before)


def result(op: Operation) -> Word:
    """The result of an operation; it is the first operand of those not listed."""
    one, other, width = op.one, op.other, op.width
    if op.name == "add":
        return v.add(one, other, width)
    if op.name == "sub":
        return v.subtract(one, other, width)
    if op.name == "adc":
        return v.add(v.add(one, other, width), op.carried, width)
    if op.name == "sbb":
        return v.subtract(v.subtract(one, other, width), op.carried, width)
    if op.name == "sbc":
        less = v.subtract(v.subtract(one, other, width), 1, width)
        return v.add(less, op.carried, width)
    if op.name in ("umul", "smul"):
        return v.plain(v.term(one, width) * v.term(other, width))
    return one


def zero(op: Operation) -> Truth:
    """Whether the result is 0."""
    if op.compared:
        return v.equal(*op.compared)
    return v.equal(result(op), 0, op.width)


def negative(op: Operation) -> Truth:
    """Whether the result is negative."""
    return v.signed_below(result(op), 0, op.width)


def overflows(op: Operation) -> Truth:
    """Whether an addition or subtraction overflows."""
    numbers = op.one, op.other, result(op)
    signs = [v.signed_below(each, 0, op.width) for each in numbers]
    unlike = differ(signs[0], signs[1])
    if op.name in ("add", "adc"):
        unlike = v.negation(unlike)
    return both(unlike, differ(signs[0], signs[2]))


def bit(value: Word, number: int) -> Truth:
    """Whether a bit of a word is set."""
    if isinstance(value, int):
        return value >> number & 1
    return v.settled(z3.Extract(number, number, value) == 1)


def register(flags: Iterable[tuple[int, Truth]]) -> Word:
    """Combine flags, given with their bits, into one word."""
    found: Word = 0
    for number, flag in flags:
        word = v.choice(flag, 1 << number, 0, WIDTH)
        if isinstance(found, int) and isinstance(word, int):
            found |= word
        else:
            found = v.term(found, WIDTH) | v.term(word, WIDTH)
    return found


def either(one: Truth, other: Truth) -> Truth:
    """Whether at least one of two conditions holds."""
    if isinstance(one, int):
        return 1 if one else other
    if isinstance(other, int):
        return 1 if other else one
    return z3.Or(one, other)


def both(one: Truth, other: Truth) -> Truth:
    """Whether both conditions hold."""
    return v.negation(either(v.negation(one), v.negation(other)))


def differ(one: Truth, other: Truth) -> Truth:
    """Whether exactly one of two conditions holds."""
    if isinstance(one, int):
        return v.negation(other) if one else other
    if isinstance(other, int):
        return v.negation(one) if other else one
    return z3.Xor(one, other)
