# SPDX-License-Identifier: GPL-2.0
"""Condition flags as in VEX: an operation, its operands, and the flags before it.

Architectures differ in the numbers of operations and conditions, in where the flags are, and in what the carry is
after a subtraction.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# Width of the flags register in bits.
WIDTH = 64
# These take all flags but carry and overflow from another word.
ROTATES = ("rol", "ror")


class Flag(StrEnum):
    """A flag, or a condition on several flags, as after a comparison."""

    CARRY = auto()
    PARITY = auto()
    ZERO = auto()
    SIGN = auto()
    OVERFLOW = auto()
    NOT_ABOVE = auto()
    LESS = auto()
    NOT_GREATER = auto()


@dataclass(frozen=True)
class Thunk:
    """The registers that define the flags: cc_op, cc_dep1, cc_dep2 and cc_ndep."""

    operation: Word
    one: Word
    other: Word
    before: Word


@dataclass(frozen=True)
class Operation:
    """A known operation, with its operands truncated to its width, and the carry or borrow that it begins with.

    The first operand of "copy" is the flags themselves.
    """

    name: str
    width: int
    one: Word
    other: Word
    before: Word
    carried: Word

    def result(self) -> Word:
        """The result; it is the first operand of operations not listed."""
        one, other, width = self.one, self.other, self.width
        carried = v.zero_extended(self.carried, 1, width)
        if self.name == "add":
            return v.add(one, other, width)
        if self.name == "sub":
            return v.subtract(one, other, width)
        if self.name == "adc":
            return v.add(v.add(one, other, width), carried, width)
        if self.name == "sbb":
            return v.subtract(v.subtract(one, other, width), carried, width)
        if self.name in ("umul", "smul"):
            return v.plain(v.term(one, width) * v.term(other, width))
        return one


def decided(thunk: Thunk, of: Callable[[Thunk], Truth]) -> Truth:
    """Evaluate a condition if the operation itself may depend on one, such as a shift count of 0."""
    number = v.plain(thunk.operation)
    if isinstance(number, int):
        return of(replace(thunk, operation=number))
    choice = next(v.choices(number), None)
    if choice is None:
        raise UnsupportedError("flags of an operation that is not known")
    taken = (z3.substitute(number, (choice, side)) for side in choice.children()[1:])
    one, other = (v.truth(decided(replace(thunk, operation=t), of)) for t in taken)
    return z3.If(choice.arg(0), one, other)


@dataclass(frozen=True)
class Flags:
    """The flags of an architecture: the names of its operations, numbered from 1 in each width, and the bits of the flags.

    The carry after a subtraction is the borrow, or with ``inverted`` its opposite.
    """

    names: Sequence[str]
    widths: Sequence[int]
    bits: Mapping[Flag, int]
    inverted: bool = False

    def holds(self, name: Flag, thunk: Thunk) -> Truth:
        """Whether a flag is set, or a condition holds. Raises UnsupportedError."""
        return decided(thunk, lambda each: self._holds(name, self._operation(each)))

    def register(self, thunk: Thunk) -> Word:
        """All flags as one word."""
        found: Word = 0
        for name, number in self.bits.items():
            word = v.choice(self.holds(name, thunk), 1 << number, 0, WIDTH)
            if isinstance(found, int) and isinstance(word, int):
                found |= word
            else:
                found = v.term(found, WIDTH) | v.term(word, WIDTH)
        return found

    def _operation(self, thunk: Thunk) -> Operation:
        number, before = thunk.operation, thunk.before
        assert isinstance(number, int)
        if number == 0:
            return Operation("copy", WIDTH, thunk.one, thunk.other, before, 0)
        index, size = divmod(number - 1, len(self.widths))
        if index >= len(self.names):
            raise UnsupportedError(f"flags of operation {number}")
        name, width = self.names[index], self.widths[size]
        one, other = (v.extract(w, width - 1, 0) for w in (thunk.one, thunk.other))
        carried = v.extract(before, 0, 0)
        if self.inverted:
            if name == "sbb":
                carried = _xor(carried, 1, 1)
        elif name in ("adc", "sbb"):
            # VEX stores the second operand xored with the carry.
            other = _xor(other, v.zero_extended(carried, 1, width), width)
        return Operation(name, width, one, other, before, carried)

    def _holds(self, name: Flag, op: Operation) -> Truth:
        if op.name == "sub" and name in COMPARED:
            return COMPARED[name](op.one, op.other, op.width)
        if name in (Flag.LESS, Flag.NOT_GREATER):
            less = differ(self._holds(Flag.SIGN, op), self._holds(Flag.OVERFLOW, op))
            return (
                less if name == Flag.LESS else either(less, self._holds(Flag.ZERO, op))
            )
        if name == Flag.NOT_ABOVE:
            carry = self._holds(Flag.CARRY, op)
            borrow = v.negation(carry) if self.inverted else carry
            return either(borrow, self._holds(Flag.ZERO, op))
        if op.name == "copy":
            return bit(op.one, self.bits[name])
        if op.name in ROTATES and name not in (Flag.CARRY, Flag.OVERFLOW):
            return bit(op.before, self.bits[name])
        if name == Flag.CARRY:
            inverted = self.inverted and op.name in ("sub", "sbb")
            carry = _carry(op, self.bits[Flag.CARRY])
            return v.negation(carry) if inverted else carry
        return FLAGS[name](op)


# What a comparison says of these, in simpler terms
COMPARED: Mapping[Flag, Callable[[Word, Word, int], Truth]] = {
    Flag.ZERO: v.equal,
    Flag.NOT_ABOVE: lambda one, other, width: v.at_least(other, one, width),
    Flag.LESS: v.signed_below,
    Flag.NOT_GREATER: lambda one, other, width: v.negation(
        v.signed_below(other, one, width)
    ),
}


def _parity(op: Operation) -> Truth:
    word = op.result()
    if isinstance(word, int):
        return int(bin(word & 0xFF).count("1") % 2 == 0)
    bits = [z3.Extract(n, n, word) for n in range(8)]
    odd = bits[0]
    for each in bits[1:]:
        odd = odd ^ each
    return odd == 0


def _carry(op: Operation, place: int) -> Truth:
    """The carry or borrow; of some operations it is the one before, at this place in the flags."""
    one, other, width = op.one, op.other, op.width
    if op.name == "sub":
        return v.below(one, other, width)
    if op.name == "add":
        return v.below(op.result(), one, width)
    if op.name in ("adc", "sbb"):
        low, high = (op.result(), one) if op.name == "adc" else (one, other)
        without = v.below(low, high, width)
        with_one = v.at_least(high, low, width)
        if isinstance(op.carried, int):
            return with_one if op.carried else without
        return z3.If(op.carried == 1, v.truth(with_one), v.truth(without))
    if op.name == "logic":
        return 0
    if op.name in ("inc", "dec"):
        return bit(op.before, place)
    if op.name in ("umul", "smul"):
        return _lost(op)
    # What was shifted or rotated out
    word = other if op.name in ("shl", "shr") else one
    return bit(word, width - 1 if op.name in ("shl", "ror") else 0)


def _lost(op: Operation) -> Truth:
    """Whether a product overflows: the carry and overflow flags of a multiplication."""
    width = op.width
    wider = v.zero_extended if op.name == "umul" else v.sign_extended
    x = v.term(wider(op.one, width, 2 * width), 2 * width)
    y = v.term(wider(op.other, width, 2 * width), 2 * width)
    product = x * y
    kept = wider(z3.Extract(width - 1, 0, product), width, 2 * width)
    return v.settled(product != kept)


def _overflow(op: Operation) -> Truth:
    one, other, width = op.one, op.other, op.width
    if op.name == "logic":
        return 0
    if op.name in ("inc", "dec"):
        return v.equal(one, (1 << (width - 1)) - (op.name == "dec"), width)
    if op.name in ("shl", "shr"):
        return differ(bit(one, width - 1), bit(other, width - 1))
    if op.name in ROTATES:
        last = 0 if op.name == "rol" else width - 2
        return differ(bit(one, last), bit(one, width - 1))
    if op.name in ("umul", "smul"):
        return _lost(op)
    signs = [v.signed_below(each, 0, width) for each in (one, other, op.result())]
    unlike = differ(signs[0], signs[1])
    if op.name in ("add", "adc"):
        unlike = v.negation(unlike)
    return both(unlike, differ(signs[0], signs[2]))


FLAGS: Mapping[Flag, Callable[[Operation], Truth]] = {
    Flag.ZERO: lambda op: v.equal(op.result(), 0, op.width),
    Flag.SIGN: lambda op: v.signed_below(op.result(), 0, op.width),
    Flag.PARITY: _parity,
    Flag.OVERFLOW: _overflow,
}


def _xor(one: Word, other: Word, width: int) -> Word:
    if isinstance(one, int) and isinstance(other, int):
        return one ^ other
    return v.plain(v.term(one, width) ^ v.term(other, width))


def bit(value: Word, number: int) -> Truth:
    """Whether a bit of a word is set."""
    if isinstance(value, int):
        return value >> number & 1
    return v.settled(z3.Extract(number, number, value) == 1)


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
