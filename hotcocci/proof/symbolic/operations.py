# SPDX-License-Identifier: GPL-2.0
"""The integer operations of VEX (libvex_ir.h) that kernel code uses."""

import operator
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.state import UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

Operation = Callable[..., Any]

NAMED = re.compile(r"Iop_([A-Za-z]+?)(\d+)([SU]?)$")
WIDENED = re.compile(r"Iop_(\d+)([US])to(\d+)$")
NARROWED = re.compile(r"Iop_(\d+)(HI)?to(\d+)$")
JOINED = re.compile(r"Iop_(\d+)HLto(\d+)$")
DIVIDED = re.compile(r"Iop_DivMod([US])(\d+)to(\d+)$")
MULTIPLIED = re.compile(r"Iop_Mull([US])(\d+)$")


class UnknownOperationError(Exception):
    """A VEX operation that integer code does not use."""


@lru_cache(maxsize=512)
def operation(name: str) -> Operation:
    """The function that computes a VEX operation. Raises UnknownOperationError."""
    if name in FIXED:
        return FIXED[name]
    for pattern, make in (
        (WIDENED, _widened),
        (NARROWED, _narrowed),
        (JOINED, _joined),
        (DIVIDED, _divided),
        (MULTIPLIED, _multiplied),
        (NAMED, _named),
    ):
        found = pattern.match(name)
        made = make(found) if found else None
        if made:
            return made
    raise UnknownOperationError(name)


def _widened(found: re.Match[str]) -> Operation:
    width, wider = int(found[1]), int(found[3])
    if width == 1:
        ones = v.mask(wider) if found[2] == "S" else 1
        return lambda a: v.choice(a, ones, 0, wider)
    extended = v.sign_extended if found[2] == "S" else v.zero_extended
    return lambda a: extended(a, width, wider)


def _narrowed(found: re.Match[str]) -> Operation:
    width, narrower = int(found[1]), int(found[3])
    if narrower == 1:
        return v.as_truth
    low = width - narrower if found[2] else 0
    return lambda a: v.extract(a, low + narrower - 1, low)


def _joined(found: re.Match[str]) -> Operation:
    width = int(found[1])
    return lambda a, b: v.concat(a, b, width, width)


def _divided(found: re.Match[str]) -> Operation:
    """The remainder above the quotient, each half as wide as the dividend."""
    wide, narrow = int(found[2]), int(found[3])
    is_signed = found[1] == "S"

    def divide(a: Word, b: Word) -> Word:
        wider = v.sign_extended if is_signed else v.zero_extended
        x, y = v.term(a, wide), v.term(wider(b, narrow, wide), wide)
        ends = (z3.SRem(x, y), x / y) if is_signed else (z3.URem(x, y), z3.UDiv(x, y))
        high, low = (v.extract(v.plain(end), narrow - 1, 0) for end in ends)
        return v.concat(high, low, narrow, narrow)

    return divide


def overflows(name: str, a: Word, b: Word) -> Truth:
    """Whether a division traps as its quotient does not fit; the divisor is not 0.

    Raises UnsupportedError.
    """
    found = DIVIDED.match(name)
    assert found is not None
    wide, narrow = int(found[2]), int(found[3])
    high, low = v.extract(a, wide - 1, narrow), v.extract(a, narrow - 1, 0)
    if found[1] == "U":
        return v.settled(v.at_least(high, b, narrow))
    sign = v.extract(v.sign_extended(low, narrow, wide), wide - 1, narrow)
    solver = z3.Solver()
    solver.add(z3.Not(v.truth(v.equal(high, sign, narrow))))
    if solver.check() != z3.unsat:
        raise UnsupportedError("a signed division of a double word")
    least = v.equal(low, 1 << narrow - 1, narrow)
    minus_one = v.equal(b, v.mask(narrow), narrow)
    return v.settled(z3.And(v.truth(least), v.truth(minus_one)))


def _multiplied(found: re.Match[str]) -> Operation:
    width = int(found[2])
    wider = v.sign_extended if found[1] == "S" else v.zero_extended
    return lambda a, b: _product(
        wider(a, width, 2 * width), wider(b, width, 2 * width), 2 * width
    )


def _product(a: Word, b: Word, width: int) -> Word:
    if isinstance(a, int) and isinstance(b, int):
        return a * b & v.mask(width)
    return v.term(a, width) * v.term(b, width)


def _quotient(a: Word, b: Word, width: int, is_signed: bool) -> Word:
    """Division that does not trap: x / 0 is 0 as on ARM64, and undefined on powerpc."""
    x, y = v.term(a, width), v.term(b, width)
    found = x / y if is_signed else z3.UDiv(x, y)
    return v.plain(z3.If(y == 0, z3.BitVecVal(0, width), found))


def _bitwise(known: Callable[[Any, Any], Any], width: int, a: Word, b: Word) -> Word:
    if isinstance(a, int) and isinstance(b, int):
        return int(known(a, b))
    result: Word = known(v.term(a, width), v.term(b, width))
    return result


def _and(width: int, a: Word, b: Word) -> Word:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, int):
            if isinstance(other, int):
                return one & other
            if one == 0:
                return 0
            if one == v.mask(width):
                return other
            kept = one.bit_length()
            if one == v.mask(kept):
                return v.zero_extended(v.extract(other, kept - 1, 0), kept, width)
    flags = v.flag(a), v.flag(b)
    if flags[0] is not None and flags[1] is not None:
        # As one condition, which a branch on it decides (access.py).
        return v.choice(z3.And(*flags), 1, 0, width)
    return v.term(a, width) & v.term(b, width)


def _xor(width: int, a: Word, b: Word) -> Word:
    if isinstance(a, int) and isinstance(b, int):
        return a ^ b
    x, y = v.term(a, width), v.term(b, width)
    return 0 if x.eq(y) else x ^ y


def _shifted(name: str, width: int, a: Word, by: Word) -> Word:
    if isinstance(by, int):
        if by == 0:
            return a
        if isinstance(a, int):
            if name == "Sar":
                return signed(a, width) >> min(by, width - 1) & v.mask(width)
            return (a << by if name == "Shl" else a >> by) & v.mask(width)
        if by == width - 1 and name == "Sar":
            # The mask that put_user() applies to addresses (arch/x86/lib/putuser.S).
            return v.choice(v.signed_below(a, 0, width), v.mask(width), 0, width)
        if by < width and name == "Shl":
            # Normalise the forms in which compilers write a shift, product or index.
            return a * v.term(1 << by, width)
        if by < width and name == "Shr":
            return v.zero_extended(v.extract(a, width - 1, by), width - by, width)
    x = v.term(a, width)
    count = v.term(v.zero_extended(by, 8, width) if width > 8 else by, width)
    if name == "Shl":
        return x << count
    return z3.LShR(x, count) if name == "Shr" else x >> count


def _named(found: re.Match[str]) -> Operation | None:
    """An operation on words of one width; None for unknown ones."""
    name, width = found[1], int(found[2])
    smaller = v.signed_below if found[3] == "S" else v.below

    def orders(a: Word, b: Word) -> Word:
        """powerpc condition fields: less, greater, equal."""
        greater = v.choice(smaller(b, a, width), 4, 2, width)
        return v.choice(smaller(a, b, width), 8, greater, width)

    known: dict[str, Operation] = {
        "Add": lambda a, b: v.add(a, b, width),
        "Sub": lambda a, b: v.subtract(a, b, width),
        "Mul": lambda a, b: _product(a, b, width),
        "DivU": lambda a, b: _quotient(a, b, width, False),
        "DivS": lambda a, b: _quotient(a, b, width, True),
        "And": partial(_and, width),
        "Or": partial(_bitwise, operator.or_, width),
        "Xor": partial(_xor, width),
        **{each: partial(_shifted, each, width) for each in ("Shl", "Shr", "Sar")},
        "Not": lambda a: a ^ v.mask(width) if isinstance(a, int) else ~a,
        "Clz": lambda a: _zeros(a, width, False),
        "Ctz": lambda a: _zeros(a, width, True),
        "Left": lambda a: _bitwise(operator.or_, width, a, v.subtract(0, a, width)),
        "CmpwNEZ": lambda a: v.choice(
            v.negation(v.equal(a, 0, width)), v.mask(width), 0, width
        ),
        "CmpEQ": lambda a, b: v.equal(a, b, width),
        "CmpNE": lambda a, b: v.negation(v.equal(a, b, width)),
        "CmpNEZ": lambda a: v.negation(v.equal(a, 0, width)),
        "CmpLT": lambda a, b: smaller(a, b, width),
        "CmpLE": lambda a, b: v.negation(smaller(b, a, width)),
        "CmpORD": orders,
    }
    # Cas and Exp say where it comes from, Nat that 0 is defined.
    return known.get(re.sub("^(?:Cas|Exp)(?=Cmp)|Nat$", "", name))


def _zeros(value: Word, width: int, trailing: bool) -> Word:
    """The number of leading zero bits."""
    if isinstance(value, int):
        first = (value & -value).bit_length() - 1 if value else width
        return first if trailing else width - value.bit_length()
    found: Word = width
    order = range(width - 1, -1, -1) if trailing else range(width)
    for bit in order:
        count = bit if trailing else width - 1 - bit
        found = v.choice(z3.Extract(bit, bit, value) == 1, count, found, width)
    return found


FIXED: dict[str, Operation] = {
    "Iop_Not1": v.negation,
    "Iop_And1": lambda a, b: z3.And(v.truth(a), v.truth(b)),
    "Iop_Or1": lambda a, b: z3.Or(v.truth(a), v.truth(b)),
}
