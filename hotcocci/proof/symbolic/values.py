# SPDX-License-Identifier: GPL-2.0
"""Machine words: Python integers if known, else z3 bit vectors.

Most values of a function are known or only copied, and an integer costs a hundredth of a term.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

import z3

from hotcocci.machine.code import signed

Word: TypeAlias = int | z3.BitVecRef
# A condition; known ones are 0 or 1.
Truth: TypeAlias = int | z3.BoolRef
Order = Literal["little", "big"]
# Prefix of the names of uninitialised variables
POISON = "poison "


def mask(width: int) -> int:
    """A mask of ``width`` one bits."""
    return (1 << width) - 1


def term(value: Word, width: int) -> z3.BitVecRef:
    """A word as a z3 term."""
    return _number(value, width) if isinstance(value, int) else value


@lru_cache(maxsize=4096)
def _number(value: int, width: int) -> z3.BitVecRef:
    return z3.BitVecVal(value, width)


def unknown(name: str, width: int) -> Word:
    """A variable; the same name is the same value."""
    return z3.BitVec(name, width)


def leaves(term: z3.ExprRef) -> Iterator[z3.ExprRef]:
    """The variables in a term, each once, in order of occurrence."""
    for each in _within(term, _in_order):
        if z3.is_const(each) and each.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield each


def numbers(term: z3.ExprRef) -> Iterator[int]:
    """The constants in a term."""
    found = filter(z3.is_bv_value, _within(term, _in_order))
    return (each.as_long() for each in found)


def choices(value: z3.BitVecRef) -> Iterator[z3.ExprRef]:
    """The if-then-else terms in a word, apart from those in conditions."""
    for each in _within(value, lambda term: filter(z3.is_bv, term.children())):
        if z3.is_app_of(each, z3.Z3_OP_ITE):
            yield each


def _within(
    term: z3.ExprRef, parts: Callable[[z3.ExprRef], Iterable[z3.ExprRef]]
) -> Iterator[z3.ExprRef]:
    """A term and all terms in it, each once; of the ``parts`` of a term the last comes first."""
    waiting = [term]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if each.get_id() not in seen:
            seen.add(each.get_id())
            yield each
            waiting.extend(parts(each))


def _in_order(term: z3.ExprRef) -> Iterable[z3.ExprRef]:
    return reversed(term.children())


def truth(condition: Truth) -> z3.BoolRef:
    """A condition as a z3 term."""
    if isinstance(condition, int):
        return z3.BoolVal(bool(condition))
    return condition


def plain(value: Word) -> Word:
    """A simplified word: an integer if it is constant."""
    if isinstance(value, int):
        return value
    found = z3.simplify(value)
    return found.as_long() if z3.is_bv_value(found) else found


def replaced(value: Word, *pairs: tuple[z3.ExprRef, z3.ExprRef]) -> Word:
    """A word with other terms in place of some, simplified."""
    return value if isinstance(value, int) else plain(z3.substitute(value, *pairs))


def settled(condition: Truth) -> Truth:
    """A simplified condition: 0 or 1 if it is constant."""
    if isinstance(condition, int):
        return condition
    found = z3.simplify(condition)
    if z3.is_true(found):
        return 1
    return 0 if z3.is_false(found) else found


def negation(condition: Truth) -> Truth:
    """The opposite condition."""
    if isinstance(condition, int):
        return int(not condition)
    if z3.is_not(condition):
        return condition.arg(0)
    return z3.Not(condition)


def choice(condition: Truth, one: Word, other: Word, width: int) -> Word:
    """If-then-else."""
    if isinstance(condition, int):
        return one if condition else other
    if isinstance(one, int) and isinstance(other, int) and one == other:
        return one
    return z3.If(condition, term(one, width), term(other, width))


def extract(value: Word, high: int, low: int) -> Word:
    """The bits from ``low`` to ``high``, inclusive."""
    if isinstance(value, int):
        return value >> low & mask(high - low + 1)
    if low == 0 and high == value.size() - 1:
        return value
    kind = value.decl().kind()
    if kind == z3.Z3_OP_CONCAT:
        # Words put together from bytes are mostly taken apart at the same bytes.
        at = value.size()
        for part in value.children():
            at -= part.size()
            if low >= at:
                if high < at + part.size():
                    return _known(extract(part, high - at, low - at))
                break
    elif kind == z3.Z3_OP_EXTRACT:
        start = value.params()[1]
        return _known(extract(value.arg(0), start + high, start + low))
    elif kind == z3.Z3_OP_ZERO_EXT:
        inner = value.arg(0)
        if high < inner.size():
            return _known(extract(inner, high, low))
        if low >= inner.size():
            return 0
    return z3.Extract(high, low, value)


def _known(value: Word) -> Word:
    if not isinstance(value, int) and z3.is_bv_value(value):
        return int(value.as_long())
    return value


def concat(high: Word, low: Word, high_width: int, low_width: int) -> Word:
    """Concatenate two words, the first one on top."""
    if isinstance(high, int) and isinstance(low, int):
        return high << low_width | low
    if isinstance(high, int) and high == 0:
        return z3.ZeroExt(high_width, low)
    joined = _adjacent(high, low)
    if joined is not None:
        return joined
    return z3.Concat(term(high, high_width), term(low, low_width))


def _adjacent(high: Word, low: Word) -> Word | None:
    """Two adjacent extracts of one term as a single extract."""
    parts = []
    for each in (high, low):
        if isinstance(each, int) or each.decl().kind() != z3.Z3_OP_EXTRACT:
            return None
        parts.append((each.arg(0), *each.params()))
    (one, top, start), (other, end, bottom) = parts
    if start == end + 1 and one.eq(other):
        return extract(one, top, bottom)
    return None


def pieces(size: int, most: int = 8) -> Iterator[tuple[int, int]]:
    """The offset and length of each piece of ``size`` bytes, of at most ``most``."""
    return ((start, min(most, size - start)) for start in range(0, size, most))


def piece(value: Word, size: int, at: int, length: int, order: Order) -> Word:
    """``length`` bytes of a word of ``size`` bytes, from offset ``at`` in memory order."""
    low = 8 * (at if order == "little" else size - at - length)
    return extract(value, low + 8 * length - 1, low)


def joined(parts: Sequence[tuple[Word, int]], order: Order) -> Word:
    """A word of parts in address order, each with its size in bytes."""
    found: Word = 0
    width = 0
    for value, length in parts if order == "little" else reversed(parts):
        found = concat(value, found, 8 * length, width) if width else value
        width += 8 * length
    return found


def zero_extended(value: Word, width: int, wider: int) -> Word:
    """Zero-extend a word."""
    if isinstance(value, int):
        return value
    return z3.ZeroExt(wider - width, value)


def sign_extended(value: Word, width: int, wider: int) -> Word:
    """Sign-extend a word."""
    if isinstance(value, int):
        return signed(value, width) & mask(wider)
    return z3.SignExt(wider - width, value)


def add(one: Word, other: Word, width: int) -> Word:
    """The sum, modulo the width."""
    if isinstance(one, int):
        if isinstance(other, int):
            return one + other & mask(width)
        one, other = other, one
    if isinstance(other, int) and other == 0:
        return one
    return one + term(other, width)


def subtract(one: Word, other: Word, width: int) -> Word:
    """The difference, modulo the width."""
    if isinstance(other, int):
        return add(one, -other & mask(width), width)
    if isinstance(one, int):
        return term(one, width) - other
    if one.eq(other):
        return 0
    return one - other


def equal(one: Word, other: Word, width: int) -> Truth:
    """Whether two words are equal."""
    if isinstance(one, int) and isinstance(other, int):
        return int(one == other)
    left, right = term(one, width), term(other, width)
    return 1 if left.eq(right) else left == right


def below(one: Word, other: Word, width: int) -> Truth:
    """Whether the first is smaller, unsigned."""
    if isinstance(one, int) and isinstance(other, int):
        return int(one < other)
    return z3.ULT(term(one, width), term(other, width))


def at_least(one: Word, other: Word, width: int) -> Truth:
    """Whether the first is not smaller, unsigned."""
    return negation(below(one, other, width))


def signed_below(one: Word, other: Word, width: int) -> Truth:
    """Whether the first is smaller, signed."""
    if isinstance(one, int) and isinstance(other, int):
        return int(signed(one, width) < signed(other, width))
    return term(one, width) < term(other, width)


def as_word(condition: Truth, width: int) -> Word:
    """1 if a condition holds, else 0."""
    return choice(condition, 1, 0, width)


def flag(value: Word) -> z3.BoolRef | None:
    """The condition on which a word is 1 and not 0, None if it may have other values."""
    if isinstance(value, int) or value.decl().kind() != z3.Z3_OP_ITE:
        return None
    known = all(
        z3.is_bv_value(arm) and arm.as_long() < 2 for arm in value.children()[1:]
    )
    return truth(as_truth(value)) if known else None


def as_truth(value: Word) -> Truth:
    """The lowest bit as a condition."""
    if isinstance(value, int):
        return value & 1
    if value.decl().kind() == z3.Z3_OP_ITE:
        condition, one, other = value.children()
        if z3.is_bv_value(one) and z3.is_bv_value(other):
            bits = one.as_long() & 1, other.as_long() & 1
            if bits == (1, 0):
                return condition
            if bits == (0, 1):
                return negation(condition)
    return z3.Extract(0, 0, value) == 1
