# SPDX-License-Identifier: GPL-2.0
"""Results of operators if an operand is an int instead of an unsigned int (C11 6.3.1.8).

Such operands are of two kinds: of the same value, never negative (VALUE), and of the
same bits (BITS). If an operator may distinguish the types, there is no result.
"""

from __future__ import annotations

from hotcocci.rules.ld304_narrow_local.integers import (
    BITS,
    LONG,
    MOST,
    POINTER,
    SIGNED,
    SMALL,
    UNKNOWN,
    UNSIGNED,
    VALUE,
    WIDE,
    WORD,
    Class,
)

CHANGED = (VALUE, BITS)
# Converted to these types, a nonnegative int and an unsigned int of the same value are
# equal.
_ABSORBING = (UNSIGNED, WORD, WIDE)
_ORDER = (SMALL, SIGNED, UNSIGNED, LONG, WORD, WIDE, POINTER, UNKNOWN)
EQUALITIES = ("==", "!=")
RELATIONS = ("<", ">", "<=", ">=")
TRUTH = Class(SMALL, 1)


def combined(operator: str, left: Class, right: Class) -> Class | None:
    """The result of a binary operator, except assignments; None if it may distinguish the types."""
    if operator in ("&&", "||"):
        return TRUTH
    if operator == ",":
        return right
    if left.kind not in CHANGED and right.kind not in CHANGED:
        return _unchanged(operator, left, right)
    if operator in ("<<", ">>"):
        return _shifted(operator, left, right)
    if operator in EQUALITIES:
        return _equal(left, right)
    if operator in RELATIONS:
        return _related(left, right)
    if operator in ("/", "%"):
        return _divided(operator, left, right)
    if operator == "&":
        return _masked(left, right)
    if operator in ("|", "^", "+", "-", "*"):
        return _mixed(operator, left, right)
    return None


def _unchanged(operator: str, left: Class, right: Class) -> Class:
    if operator in (*EQUALITIES, *RELATIONS):
        return TRUTH
    both = left.kind == SMALL and right.kind == SMALL
    if operator == "&" and SMALL in (left.kind, right.kind):
        other = left if right.kind == SMALL else right
        if other.kind != POINTER:
            kind = SMALL if other.kind == SIGNED else other.kind
            return Class(kind, min(c.bound for c in (left, right) if c.kind == SMALL))
    if both and operator in ("|", "^"):
        return Class(SMALL, _ones(max(left.bound, right.bound)))
    if both and operator in ("/", ">>"):
        return Class(SMALL, left.bound)
    if both and operator == "%":
        return Class(SMALL, right.bound)
    if both and operator in ("+", "*"):
        made = _computed(operator, left.bound, right.bound)
        return Class(SMALL, made) if made <= MOST else Class(SIGNED)
    if operator in ("<<", ">>"):
        return Class(left.kind if left.kind != SMALL else SIGNED)
    if both:
        return Class(SIGNED)
    return Class(max(left.kind, right.kind, key=_ORDER.index))


def _ones(bound: int) -> int:
    return int((1 << bound.bit_length()) - 1)


def _computed(operator: str, left: int, right: int) -> int:
    return left + right if operator == "+" else left * right


def _value(bound: int) -> Class:
    return Class(VALUE, bound) if bound <= MOST else Class(BITS)


def _shifted(operator: str, left: Class, right: Class) -> Class | None:
    if right.kind == BITS or left.kind == UNKNOWN:
        return None
    if left.kind not in CHANGED:
        return Class(left.kind if left.kind != SMALL else SIGNED)
    if operator == ">>":
        return left if left.kind == VALUE else None
    # An unknown shift count may shift a bit into the sign.
    known = left.kind == VALUE and right.kind == SMALL and right.bound < 31
    return _value(left.bound << right.bound) if known else Class(BITS)


def _equal(left: Class, right: Class) -> Class | None:
    # Same bits are equal as well, but ~x == y is best left as written.
    kinds = {left.kind, right.kind}
    return None if kinds & {POINTER, BITS} else TRUTH


def _related(left: Class, right: Class) -> Class | None:
    kinds = {left.kind, right.kind}
    return TRUTH if kinds <= {VALUE, SMALL, *_ABSORBING} else None


def _divided(operator: str, left: Class, right: Class) -> Class | None:
    kinds = {left.kind, right.kind}
    if BITS in kinds:
        return None
    absorbing = next((k for k in reversed(_ORDER) if k in kinds & {*_ABSORBING}), None)
    if absorbing is not None:
        return Class(absorbing)
    if not kinds <= {VALUE, SMALL}:
        return None
    return Class(VALUE, left.bound if operator == "/" else right.bound)


def _masked(left: Class, right: Class) -> Class | None:
    one, other = (left, right) if left.kind in CHANGED else (right, left)
    if VALUE in (left.kind, right.kind):
        if other.kind == POINTER:
            return None
        if other.kind in _ABSORBING:
            return Class(other.kind)
        bounds = [c.bound for c in (left, right) if c.kind in (VALUE, SMALL)]
        return Class(VALUE, min(bounds))
    if other.kind == SMALL:
        return Class(VALUE, other.bound)
    if other.kind in (SIGNED, BITS):
        return Class(BITS)
    return Class(UNSIGNED) if other.kind == UNSIGNED else None


def _mixed(operator: str, left: Class, right: Class) -> Class | None:
    one, other = (left, right) if left.kind in CHANGED else (right, left)
    bits = BITS in (left.kind, right.kind)
    if other.kind == UNSIGNED:
        return Class(UNSIGNED)
    if other.kind in (WORD, WIDE):
        return None if bits else Class(other.kind)
    if other.kind == POINTER:
        added = operator == "+" or (operator == "-" and left.kind == POINTER)
        return Class(POINTER) if added and not bits else None
    if other.kind in (LONG, UNKNOWN):
        return None
    if operator == "-" or bits or other.kind == SIGNED:
        return Class(BITS)
    if operator in ("|", "^"):
        return Class(VALUE, _ones(max(left.bound, right.bound)))
    return _value(_computed(operator, left.bound, right.bound))


def chosen(then: Class, other: Class) -> Class | None:
    """The result of ``c ? then : other``; None if it may distinguish the types."""
    kinds = {then.kind, other.kind}
    if not kinds & {*CHANGED}:
        if kinds == {SMALL}:
            return Class(SMALL, max(then.bound, other.bound))
        if SMALL in kinds:
            kinds = kinds - {SMALL} | {SIGNED}
        return Class(max(kinds, key=_ORDER.index))
    plain = kinds - {*CHANGED}
    if BITS in kinds or SIGNED in plain:
        if plain <= {SMALL, SIGNED}:
            return Class(BITS)
        return Class(UNSIGNED) if plain == {UNSIGNED} else None
    if plain <= {SMALL}:
        return Class(VALUE, max(then.bound, other.bound))
    return Class(plain.pop()) if plain <= {*_ABSORBING} else None


def complemented(operator: str, operand: Class) -> Class:
    """The result of ``~``, ``-`` and ``+``."""
    if operand.kind in CHANGED:
        return operand if operator == "+" else Class(BITS)
    if operand.kind == SMALL:
        return operand if operator == "+" else Class(SIGNED)
    return operand if operator == "+" else Class(operand.kind)
