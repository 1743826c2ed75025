# SPDX-License-Identifier: GPL-2.0
"""The condition flags of x86 as VEX keeps them: an operation and what it was done with (guest_amd64_defs.h)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.values import Truth, Word

# Operations of AMD64G_CC_OP_*, each in four widths, in the order of their numbers from 1.
NAMES = "add sub adc sbb logic inc dec shl shr rol ror umul smul".split()
# Where the flags are in the register.
CARRY, PARITY, ZERO, SIGN, OVERFLOW = 0, 2, 6, 7, 11
WORD = 64


class UnknownFlagsError(Exception):
    """Flags of an operation that kernel code does not use."""


@dataclass(frozen=True)
class Thunk:
    """What the flags follow from; ``operation`` is a number of AMD64G_CC_OP_*."""

    operation: Word
    one: Word
    other: Word
    before: Word


def condition(code: int, thunk: Thunk) -> Truth:
    """Whether a condition of x86 holds: 0 is O, 1 NO, 2 B and so on. Raises UnknownFlagsError."""
    if not isinstance(thunk.operation, int):
        return _split(thunk, lambda each: condition(code, each))
    if code & 1:
        return v.negation(condition(code - 1, thunk))
    if code == 4:
        return _zero(thunk)
    if code == 2:
        return _carry(thunk)
    if code == 8:
        return _sign(thunk)
    if code == 0:
        return _overflow(thunk)
    if code == 6:
        direct = _compared(thunk)
        if direct:
            return v.negation(v.below(direct[1], direct[0], direct[2]))
        return either(_carry(thunk), _zero(thunk))
    if code in (12, 14):
        direct = _compared(thunk)
        if direct:
            one, other, width = direct
            if code == 12:
                return v.signed_below(one, other, width)
            return v.negation(v.signed_below(other, one, width))
        less = differ(_sign(thunk), _overflow(thunk))
        return less if code == 12 else either(less, _zero(thunk))
    if code == 10:
        return _parity(thunk)
    raise UnknownFlagsError(f"condition {code}")


def carry(thunk: Thunk) -> Word:
    """The carry flag as a word. Raises UnknownFlagsError."""
    if not isinstance(thunk.operation, int):
        return v.as_word(_split(thunk, _carry), WORD)
    return v.as_word(_carry(thunk), WORD)


def everything(thunk: Thunk) -> Word:
    """All flags as the register has them, but for the adjust flag. Raises UnknownFlagsError."""
    if isinstance(thunk.operation, int) and thunk.operation == 0:
        return thunk.one
    found: Word = 0
    for bit, code in ((CARRY, 2), (PARITY, 10), (ZERO, 4), (SIGN, 8), (OVERFLOW, 0)):
        word = v.choice(condition(code, thunk), 1 << bit, 0, WORD)
        if isinstance(found, int) and isinstance(word, int):
            found |= word
        else:
            found = v.term(found, WORD) | v.term(word, WORD)
    return found


def _split(thunk: Thunk, of: Callable[[Thunk], Truth]) -> Truth:
    """An operation that depends: a shift by zero leaves the flags of the one before."""
    operation = thunk.operation
    assert not isinstance(operation, int)
    operation = z3.simplify(operation)
    if z3.is_bv_value(operation):
        known = Thunk(operation.as_long(), thunk.one, thunk.other, thunk.before)
        return of(known)
    if operation.decl().kind() != z3.Z3_OP_ITE:
        raise UnknownFlagsError("flags of an operation that is not known")
    decided, one, other = operation.children()
    sides = [
        of(Thunk(v.plain(each), thunk.one, thunk.other, thunk.before))
        for each in (one, other)
    ]
    return z3.If(decided, v.truth(sides[0]), v.truth(sides[1]))


def _kind(thunk: Thunk) -> tuple[str, int]:
    number = thunk.operation
    assert isinstance(number, int)
    if number == 0:
        return "copy", WORD
    if number > 4 * len(NAMES):
        raise UnknownFlagsError(f"flags of operation {number}")
    index, size = divmod(number - 1, 4)
    return NAMES[index], 8 << size


def _operands(thunk: Thunk, width: int) -> tuple[Word, Word]:
    return (
        v.extract(thunk.one, width - 1, 0),
        v.extract(thunk.other, width - 1, 0),
    )


def _compared(thunk: Thunk) -> tuple[Word, Word, int] | None:
    """What a comparison compared, which says more than its flags."""
    kind, width = _kind(thunk)
    return (*_operands(thunk, width), width) if kind == "sub" else None


def _bit(value: Word, bit: int) -> Truth:
    if isinstance(value, int):
        return value >> bit & 1
    return v.settled(z3.Extract(bit, bit, value) == 1)


def _result(thunk: Thunk, kind: str, width: int) -> Word:
    one, other = _operands(thunk, width)
    if kind == "add":
        return v.add(one, other, width)
    if kind == "sub":
        return v.subtract(one, other, width)
    if kind in ("adc", "sbb"):
        old, other = _with_carry(thunk, width)
        if kind == "adc":
            return v.add(v.add(one, other, width), old, width)
        return v.subtract(v.subtract(one, other, width), old, width)
    if kind in ("umul", "smul"):
        return v.plain(v.term(one, width) * v.term(other, width))
    return one


def _with_carry(thunk: Thunk, width: int) -> tuple[Word, Word]:
    """The carry that was added, and the second operand, of adc and sbb."""
    old = v.extract(thunk.before, 0, 0)
    wide = v.zero_extended(old, 1, width)
    _, other = _operands(thunk, width)
    if isinstance(other, int) and isinstance(wide, int):
        return wide, other ^ wide
    return wide, v.plain(v.term(other, width) ^ v.term(wide, width))


def _zero(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, ZERO)
    if kind in ("rol", "ror"):
        return _bit(thunk.before, ZERO)
    if kind == "sub":
        return v.equal(*_operands(thunk, width), width)
    return v.equal(_result(thunk, kind, width), 0, width)


def _sign(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, SIGN)
    if kind in ("rol", "ror"):
        return _bit(thunk.before, SIGN)
    result = _result(thunk, kind, width)
    return v.signed_below(result, 0, width)


def _parity(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, PARITY)
    if kind in ("rol", "ror"):
        return _bit(thunk.before, PARITY)
    result = _result(thunk, kind, width)
    if isinstance(result, int):
        return int(bin(result & 0xFF).count("1") % 2 == 0)
    bits = [z3.Extract(n, n, result) for n in range(8)]
    odd = bits[0]
    for each in bits[1:]:
        odd = odd ^ each
    return odd == 0


def _carry(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    one, other = _operands(thunk, width)
    if kind == "copy":
        return _bit(thunk.one, CARRY)
    if kind == "sub":
        return v.below(one, other, width)
    if kind == "add":
        return v.below(v.add(one, other, width), one, width)
    if kind in ("adc", "sbb"):
        return _carried(thunk, kind, width)
    if kind == "logic":
        return 0
    if kind in ("inc", "dec"):
        return _bit(thunk.before, CARRY)
    if kind == "shl":
        return _bit(other, width - 1)
    if kind == "shr":
        return _bit(other, 0)
    if kind == "rol":
        return _bit(one, 0)
    if kind == "ror":
        return _bit(one, width - 1)
    return _lost(thunk, kind, width)


def _carried(thunk: Thunk, kind: str, width: int) -> Truth:
    one, _ = _operands(thunk, width)
    old, other = _with_carry(thunk, width)
    result = _result(thunk, kind, width)
    if kind == "adc":
        without = v.below(result, one, width)
        with_one = v.negation(v.below(one, result, width))
    else:
        without = v.below(one, other, width)
        with_one = v.negation(v.below(other, one, width))
    if isinstance(old, int):
        return with_one if old else without
    return z3.If(old == 1, v.truth(with_one), v.truth(without))


def _lost(thunk: Thunk, kind: str, width: int) -> Truth:
    """Whether a product does not fit: carry and overflow of a multiplication."""
    one, other = _operands(thunk, width)
    wider = v.zero_extended if kind == "umul" else v.sign_extended
    x = v.term(wider(one, width, 2 * width), 2 * width)
    y = v.term(wider(other, width, 2 * width), 2 * width)
    product = x * y
    kept = wider(z3.Extract(width - 1, 0, product), width, 2 * width)
    return v.settled(product != kept)


def _overflow(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    one, other = _operands(thunk, width)
    if kind == "copy":
        return _bit(thunk.one, OVERFLOW)
    if kind == "logic":
        return 0
    if kind == "inc":
        return v.equal(one, 1 << (width - 1), width)
    if kind == "dec":
        return v.equal(one, (1 << (width - 1)) - 1, width)
    if kind in ("shl", "shr"):
        return differ(_bit(one, width - 1), _bit(other, width - 1))
    if kind == "rol":
        return differ(_bit(one, 0), _bit(one, width - 1))
    if kind == "ror":
        return differ(_bit(one, width - 2), _bit(one, width - 1))
    if kind in ("umul", "smul"):
        return _lost(thunk, kind, width)
    if kind in ("adc", "sbb"):
        _, other = _with_carry(thunk, width)
    result = _result(thunk, kind, width)
    signs = [v.signed_below(each, 0, width) for each in (one, other, result)]
    same = v.negation(differ(signs[0], signs[1]))
    if kind in ("sub", "sbb"):
        same = v.negation(same)
    return both(same, differ(signs[0], signs[2]))


def either(one: Truth, other: Truth) -> Truth:
    """Whether one of two conditions holds."""
    if isinstance(one, int):
        return 1 if one else other
    if isinstance(other, int):
        return 1 if other else one
    return z3.Or(one, other)


def both(one: Truth, other: Truth) -> Truth:
    """Whether two conditions hold."""
    return v.negation(either(v.negation(one), v.negation(other)))


def differ(one: Truth, other: Truth) -> Truth:
    """Whether one condition holds, and the other does not."""
    if isinstance(one, int):
        return v.negation(other) if one else other
    if isinstance(other, int):
        return v.negation(one) if other else one
    return z3.Xor(one, other)
