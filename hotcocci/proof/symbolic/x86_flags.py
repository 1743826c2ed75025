# SPDX-License-Identifier: GPL-2.0
"""Evaluate the condition flags of x86 (guest_amd64_defs.h)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.flags import (
    WIDTH,
    Operation,
    Thunk,
    bit,
    decided,
    differ,
    either,
    negative,
    operation,
    overflows,
    register,
    result,
    zero,
)
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# The operations in AMD64G_CC_OP_*.
NAMES = "add sub adc sbb logic inc dec shl shr rol ror umul smul".split()
WIDTHS = (8, 16, 32, 64)
# The bits of the flags.
CARRY, PARITY, ZERO, SIGN, OVERFLOW = 0, 2, 6, 7, 11
# Conditions that test one flag; the next code is the negated condition.
CODES = {CARRY: 2, PARITY: 10, ZERO: 4, SIGN: 8, OVERFLOW: 0}
# These take all flags but carry and overflow from another word.
ROTATES = ("rol", "ror")


def helper(name: str, arguments: Sequence[Word]) -> Word:
    """Evaluate a helper of VEX. Raises UnsupportedError."""
    if name == "amd64g_calculate_condition":
        code, *rest = arguments
        if not isinstance(code, int):
            raise UnsupportedError("flags of an unknown operation")
        return v.as_word(_condition(code, Thunk(*rest)), WIDTH)
    thunk = Thunk(*arguments)
    if name == "amd64g_calculate_rflags_c":
        return v.as_word(_condition(CODES[CARRY], thunk), WIDTH)
    if name == "amd64g_calculate_rflags_all":
        if isinstance(thunk.operation, int) and thunk.operation == 0:
            return thunk.one
        # All but the adjust flag.
        return register((at, _condition(code, thunk)) for at, code in CODES.items())
    raise UnsupportedError(f"helper {name}")


def _condition(code: int, thunk: Thunk) -> Truth:
    """Whether a condition holds; code 0 is O, 1 is NO, 2 is B and so on."""
    holds = decided(thunk, lambda each: _holds(code & ~1, _known(each)))
    return v.negation(holds) if code & 1 else holds


def _known(thunk: Thunk) -> Operation:
    op = operation(thunk, NAMES, WIDTHS)
    if op.name not in ("adc", "sbb"):
        return op
    # VEX stores the second operand xored with the carry.
    if isinstance(op.other, int) and isinstance(op.carried, int):
        return replace(op, other=op.other ^ op.carried)
    other, carried = v.term(op.other, op.width), v.term(op.carried, op.width)
    return replace(op, other=v.plain(other ^ carried))


def _holds(code: int, op: Operation) -> Truth:
    if code == 6:
        if op.compared:
            return v.negation(v.below(op.other, op.one, op.width))
        return either(_carry(op), _zero(op))
    if code in (12, 14):
        if op.compared:
            if code == 12:
                return v.signed_below(*op.compared)
            return v.negation(v.signed_below(op.other, op.one, op.width))
        less = differ(_sign(op), _overflow(op))
        return less if code == 12 else either(less, _zero(op))
    return {0: _overflow, 2: _carry, 4: _zero, 8: _sign, 10: _parity}[code](op)


def _kept(op: Operation) -> Word | None:
    """The flags register that holds all flags but carry and overflow, or None."""
    if op.name == "copy":
        return op.one
    return op.before if op.name in ROTATES else None


def _zero(op: Operation) -> Truth:
    kept = _kept(op)
    return zero(op) if kept is None else bit(kept, ZERO)


def _sign(op: Operation) -> Truth:
    kept = _kept(op)
    return negative(op) if kept is None else bit(kept, SIGN)


def _parity(op: Operation) -> Truth:
    kept = _kept(op)
    if kept is not None:
        return bit(kept, PARITY)
    word = result(op)
    if isinstance(word, int):
        return int(bin(word & 0xFF).count("1") % 2 == 0)
    bits = [z3.Extract(n, n, word) for n in range(8)]
    odd = bits[0]
    for each in bits[1:]:
        odd = odd ^ each
    return odd == 0


def _carry(op: Operation) -> Truth:
    one, other, width = op.one, op.other, op.width
    if op.name == "copy":
        return bit(one, CARRY)
    if op.name == "sub":
        return v.below(one, other, width)
    if op.name == "add":
        return v.below(result(op), one, width)
    if op.name in ("adc", "sbb"):
        return _carried(op)
    if op.name == "logic":
        return 0
    if op.name in ("inc", "dec"):
        return bit(op.before, CARRY)
    if op.name == "shl":
        return bit(other, width - 1)
    if op.name == "shr":
        return bit(other, 0)
    if op.name in ROTATES:
        return bit(one, 0 if op.name == "rol" else width - 1)
    return _lost(op)


def _carried(op: Operation) -> Truth:
    """The carry of an operation with carry or borrow."""
    one, other, width = op.one, op.other, op.width
    if op.name == "adc":
        without = v.below(result(op), one, width)
        with_one = v.negation(v.below(one, result(op), width))
    else:
        without = v.below(one, other, width)
        with_one = v.negation(v.below(other, one, width))
    carried = v.extract(op.before, 0, 0)
    if isinstance(carried, int):
        return with_one if carried else without
    return z3.If(carried == 1, v.truth(with_one), v.truth(without))


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
    if op.name == "copy":
        return bit(one, OVERFLOW)
    if op.name == "logic":
        return 0
    if op.name == "inc":
        return v.equal(one, 1 << (width - 1), width)
    if op.name == "dec":
        return v.equal(one, (1 << (width - 1)) - 1, width)
    if op.name in ("shl", "shr"):
        return differ(bit(one, width - 1), bit(other, width - 1))
    if op.name in ROTATES:
        last = 0 if op.name == "rol" else width - 2
        return differ(bit(one, last), bit(one, width - 1))
    if op.name in ("umul", "smul"):
        return _lost(op)
    return overflows(op)
