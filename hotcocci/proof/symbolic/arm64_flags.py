# SPDX-License-Identifier: GPL-2.0
"""Evaluate the condition flags of ARM64 (guest_arm64_defs.h)."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.flags import (
    WORD,
    Operation,
    Thunk,
    bit,
    both,
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

# The operations in ARM64G_CC_OP_*.
NAMES = "add sub adc sbc logic".split()
WIDTHS = (32, 64)
# The bits of the flags.
NEGATIVE, ZERO, CARRY, OVERFLOW = 31, 30, 29, 28
HELPERS = {
    "arm64g_calculate_flag_n": NEGATIVE,
    "arm64g_calculate_flag_z": ZERO,
    "arm64g_calculate_flag_c": CARRY,
    "arm64g_calculate_flag_v": OVERFLOW,
}


def helper(name: str, arguments: Sequence[Word]) -> Word:
    """Evaluate a helper of VEX. Raises UnsupportedError."""
    thunk = Thunk(*arguments)
    if name == "arm64g_calculate_condition":
        return v.as_word(decided(thunk, _condition), WORD)
    if name == "arm64g_calculate_flags_nzcv":
        return register((number, _flag(thunk, number)) for number in HELPERS.values())
    if name in HELPERS:
        return v.as_word(_flag(thunk, HELPERS[name]), WORD)
    raise UnsupportedError(f"helper {name}")


def _flag(thunk: Thunk, number: int) -> Truth:
    of = {NEGATIVE: _negative, ZERO: _zero, CARRY: _carry, OVERFLOW: _overflow}[number]
    return decided(thunk, lambda each: of(operation(each, NAMES, WIDTHS)))


def _condition(thunk: Thunk) -> Truth:
    """Whether a condition holds; its code, above the operation, is 0 for EQ, 1 for NE and so on."""
    number = thunk.operation
    assert isinstance(number, int)
    code = number >> 4
    if code >= 14:
        return 1
    known = Thunk(number & 15, thunk.one, thunk.other, thunk.before)
    holds = _holds(code & ~1, operation(known, NAMES, WIDTHS))
    return v.negation(holds) if code & 1 else holds


def _holds(code: int, op: Operation) -> Truth:
    if code == 8:
        if op.compared:
            return v.below(op.other, op.one, op.width)
        return both(_carry(op), v.negation(_zero(op)))
    if code in (10, 12):
        if op.compared:
            if code == 10:
                return v.negation(v.signed_below(*op.compared))
            return v.signed_below(op.other, op.one, op.width)
        less = differ(_negative(op), _overflow(op))
        return v.negation(less if code == 10 else either(less, _zero(op)))
    return {0: _zero, 2: _carry, 4: _negative, 6: _overflow}[code](op)


def _negative(op: Operation) -> Truth:
    return bit(op.one, NEGATIVE) if op.name == "copy" else negative(op)


def _zero(op: Operation) -> Truth:
    return bit(op.one, ZERO) if op.name == "copy" else zero(op)


def _carry(op: Operation) -> Truth:
    """The carry flag, which a subtraction sets if it does not borrow, unlike on x86."""
    one, other, width = op.one, op.other, op.width
    if op.name == "copy":
        return bit(one, CARRY)
    if op.name == "logic":
        return 0
    if op.name == "sub":
        return v.negation(v.below(one, other, width))
    total = result(op)
    if op.name == "add":
        return v.below(total, one, width)
    carried = v.equal(op.carried, 1, width)
    if op.name == "adc":
        ways = v.negation(v.below(one, total, width)), v.below(total, one, width)
    else:
        ways = v.negation(v.below(one, other, width)), v.below(other, one, width)
    if isinstance(carried, int):
        return ways[0] if carried else ways[1]
    return z3.If(carried, v.truth(ways[0]), v.truth(ways[1]))


def _overflow(op: Operation) -> Truth:
    if op.name == "copy":
        return bit(op.one, OVERFLOW)
    return 0 if op.name == "logic" else overflows(op)
