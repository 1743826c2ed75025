# SPDX-License-Identifier: GPL-2.0
"""The condition flags of ARM64 as VEX keeps them: an operation and what it was done with (guest_arm64_defs.h)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.flags import Thunk, both, differ, either
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# Operations of ARM64G_CC_OP_* from 1, each of 32 and of 64 bits; 0 has the flags themselves.
NAMES = "add sub adc sbc logic".split()
# Where the flags are in the register.
NEGATIVE, ZERO, CARRY, OVERFLOW = 31, 30, 29, 28
WORD = 64
HELPERS = {
    "arm64g_calculate_flag_n": NEGATIVE,
    "arm64g_calculate_flag_z": ZERO,
    "arm64g_calculate_flag_c": CARRY,
    "arm64g_calculate_flag_v": OVERFLOW,
}


def helper(name: str, arguments: Sequence[Word]) -> Word:
    """What a helper of VEX computes. Raises UnsupportedError."""
    thunk = Thunk(*arguments)
    if name == "arm64g_calculate_condition":
        return v.as_word(_split(thunk, _condition), WORD)
    if name == "arm64g_calculate_flags_nzcv":
        found: Word = 0
        for bit in HELPERS.values():
            word = v.choice(_split(thunk, _flag(bit)), 1 << bit, 0, WORD)
            if isinstance(found, int) and isinstance(word, int):
                found |= word
            else:
                found = v.term(found, WORD) | v.term(word, WORD)
        return found
    if name in HELPERS:
        return v.as_word(_split(thunk, _flag(HELPERS[name])), WORD)
    raise UnsupportedError(f"helper {name}")


def _split(thunk: Thunk, of: Callable[[Thunk], Truth]) -> Truth:
    """An operation that depends: a comparison under a condition leaves flags of its own else."""
    operation = v.plain(thunk.operation)
    if isinstance(operation, int):
        return of(Thunk(operation, thunk.one, thunk.other, thunk.before))
    choice = _choice(operation)
    if choice is None:
        raise UnsupportedError("flags of an operation that is not known")
    sides = [
        _split(
            Thunk(
                v.plain(z3.substitute(operation, (choice, choice.arg(n)))),
                thunk.one,
                thunk.other,
                thunk.before,
            ),
            of,
        )
        for n in (1, 2)
    ]
    return z3.If(choice.arg(0), v.truth(sides[0]), v.truth(sides[1]))


def _choice(value: z3.BitVecRef) -> z3.ExprRef | None:
    waiting: list[z3.ExprRef] = [value]
    while waiting:
        term = waiting.pop()
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            return term
        waiting.extend(each for each in term.children() if z3.is_bv(each))
    return None


def _condition(thunk: Thunk) -> Truth:
    """Whether a condition holds: its code is above the operation, 0 is EQ, 1 NE and so on."""
    number = thunk.operation
    assert isinstance(number, int)
    code, operation = number >> 4, number & 15
    known = Thunk(operation, thunk.one, thunk.other, thunk.before)
    if code >= 14:
        return 1
    if code & 1:
        return v.negation(_holds(code - 1, known))
    return _holds(code, known)


def _holds(code: int, thunk: Thunk) -> Truth:
    compared = _compared(thunk)
    if code == 8:
        if compared:
            return v.below(compared[1], compared[0], compared[2])
        return both(_carry(thunk), v.negation(_zero(thunk)))
    if code in (10, 12):
        if compared:
            one, other, width = compared
            if code == 10:
                return v.negation(v.signed_below(one, other, width))
            return v.signed_below(other, one, width)
        less = differ(_negative(thunk), _overflow(thunk))
        return v.negation(less if code == 10 else either(less, _zero(thunk)))
    return {0: _zero, 2: _carry, 4: _negative, 6: _overflow}[code](thunk)


def _flag(bit: int) -> Callable[[Thunk], Truth]:
    return {
        NEGATIVE: _negative,
        ZERO: _zero,
        CARRY: _carry,
        OVERFLOW: _overflow,
    }[bit]


def _kind(thunk: Thunk) -> tuple[str, int]:
    number = thunk.operation
    assert isinstance(number, int)
    if number == 0:
        return "copy", WORD
    if number > 2 * len(NAMES):
        raise UnsupportedError(f"flags of operation {number}")
    index, wide = divmod(number - 1, 2)
    return NAMES[index], 64 if wide else 32


def _operands(thunk: Thunk, width: int) -> tuple[Word, Word]:
    return v.extract(thunk.one, width - 1, 0), v.extract(thunk.other, width - 1, 0)


def _compared(thunk: Thunk) -> tuple[Word, Word, int] | None:
    """What a comparison compared, which says more than its flags."""
    kind, width = _kind(thunk)
    return (*_operands(thunk, width), width) if kind == "sub" else None


def _before(thunk: Thunk, width: int) -> Word:
    """The carry that an operation was done with."""
    return v.zero_extended(v.extract(thunk.before, 0, 0), 1, width)


def _result(thunk: Thunk, kind: str, width: int) -> Word:
    one, other = _operands(thunk, width)
    if kind == "add":
        return v.add(one, other, width)
    if kind == "sub":
        return v.subtract(one, other, width)
    if kind == "adc":
        return v.add(v.add(one, other, width), _before(thunk, width), width)
    if kind == "sbc":
        less = v.subtract(v.subtract(one, other, width), 1, width)
        return v.add(less, _before(thunk, width), width)
    return one


def _negative(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, NEGATIVE)
    return v.signed_below(_result(thunk, kind, width), 0, width)


def _zero(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, ZERO)
    if kind == "sub":
        return v.equal(*_operands(thunk, width), width)
    return v.equal(_result(thunk, kind, width), 0, width)


def _carry(thunk: Thunk) -> Truth:
    """Set by what does not borrow, unlike that of x86."""
    kind, width = _kind(thunk)
    one, other = _operands(thunk, width)
    if kind == "copy":
        return _bit(thunk.one, CARRY)
    if kind == "sub":
        return v.negation(v.below(one, other, width))
    if kind == "logic":
        return 0
    result = _result(thunk, kind, width)
    if kind == "add":
        return v.below(result, one, width)
    before = v.equal(_before(thunk, width), 1, width)
    if kind == "adc":
        ways = v.negation(v.below(one, result, width)), v.below(result, one, width)
    else:
        ways = v.negation(v.below(one, other, width)), v.below(other, one, width)
    if isinstance(before, int):
        return ways[0] if before else ways[1]
    return z3.If(before, v.truth(ways[0]), v.truth(ways[1]))


def _overflow(thunk: Thunk) -> Truth:
    kind, width = _kind(thunk)
    if kind == "copy":
        return _bit(thunk.one, OVERFLOW)
    if kind == "logic":
        return 0
    one, other = _operands(thunk, width)
    result = _result(thunk, kind, width)
    signs = [v.signed_below(each, 0, width) for each in (one, other, result)]
    unlike = differ(signs[0], signs[1])
    if kind in ("add", "adc"):
        unlike = v.negation(unlike)
    return both(unlike, differ(signs[0], signs[2]))


def _bit(value: Word, bit: int) -> Truth:
    if isinstance(value, int):
        return value >> bit & 1
    return v.settled(z3.Extract(bit, bit, value) == 1)
