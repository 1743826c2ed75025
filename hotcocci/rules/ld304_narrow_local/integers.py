# SPDX-License-Identifier: GPL-2.0
"""Integers as C computes with them: how wide, and whether they may be negative."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.records import MOST_ALIASES, typedef
from hotcocci.rewrite.loads.chain_types import Type

# What an operand is once it is promoted
SMALL = "small"  # an int that is not negative and has a bound
SIGNED = "signed"  # an int that may be negative, or of which nothing is known
UNSIGNED = "unsigned"  # an unsigned int
WORD = "word"  # an unsigned long
LONG = "long"  # a long: as wide as an int on some machines
WIDE = "wide"  # eight bytes on all
POINTER = "pointer"
UNKNOWN = "unknown"
# What would be an unsigned int and is an int now: of the same value, which is not negative and has a
# bound, or of the same bits only
VALUE = "value"
BITS = "bits"

_FIXED = re.compile(r"_*([us])(8|16|32|64)$|(u?)int(8|16|32|64)_t$")
_BITWISE = re.compile(r"_*[bl]e(16|32|64)$|__sum16$|__wsum$")
_WORDLIKE = frozenset({"size_t", "uintptr_t", "__kernel_size_t"})
_LONGLIKE = frozenset({"ssize_t", "ptrdiff_t", "intptr_t"})
_C = frozenset("char short int long signed unsigned".split())
# Above it an int may be negative.
MOST = 2**31 - 1


@dataclass(frozen=True)
class Class:
    """What an expression is to whoever computes with it; ``bound`` is its largest value."""

    kind: str
    bound: int = MOST


@dataclass(frozen=True)
class Integer:
    """An integer type: ``bits`` as stored, None where machines differ."""

    bits: int | None
    signed: bool
    bitwise: bool = False


@lru_cache(maxsize=4096)
def integer(root: Path, file: str, name: str) -> Integer | None:
    """An integer type by its name; None for anything else, and for a plain char."""
    for _ in range(MOST_ALIASES):
        words = [w for w in name.split() if w not in ("const", "volatile")]
        if not words:
            return None
        if words[0] == "enum":
            return Integer(32, True)
        if words == ["bool"] or words == ["_Bool"]:
            return Integer(1, False)
        if len(words) == 1 and _BITWISE.match(words[0]):
            return Integer(None, False, bitwise=True)
        fixed = _FIXED.match(words[0]) if len(words) == 1 else None
        if fixed:
            signed = fixed[1] == "s" or (fixed[1] is None and fixed[3] == "")
            return Integer(int(fixed[2] or fixed[4]), signed)
        if all(word in _C for word in words):
            return _plain(words)
        if len(words) > 1:
            return None
        if words[0] in _WORDLIKE | _LONGLIKE:
            return Integer(None, words[0] in _LONGLIKE)
        alias = typedef(root, file, words[0])
        if alias is None or "*" in alias or "__bitwise" in alias:
            return (
                Integer(None, False, bitwise=True)
                if alias and "__bitwise" in alias
                else None
            )
        name = alias
    return None


def _plain(words: list[str]) -> Integer | None:
    signed = "unsigned" not in words
    if "char" in words:
        # -funsigned-char since 3bc753c06dd0: whether one may be negative depends on the tree.
        return Integer(8, signed) if len(words) > 1 else None
    if "short" in words:
        return Integer(16, signed)
    if words.count("long") == 2:
        return Integer(64, signed)
    if "long" in words:
        return Integer(None, signed)
    return Integer(32, signed)


def class_of(root: Path, file: str, type_: Type | None) -> Class:
    """What a value of a type is once it is promoted."""
    if type_ is None or type_.bitfield:
        return Class(UNKNOWN)
    if type_.stars or type_.bounds:
        return Class(POINTER)
    found = integer(root, file, type_.name)
    if found is None or found.bitwise:
        return Class(UNKNOWN)
    if found.bits is None:
        return Class(LONG if found.signed else WORD)
    if found.bits == 64:
        return Class(WIDE)
    if found.bits == 32:
        return Class(SIGNED if found.signed else UNSIGNED)
    return Class(SIGNED) if found.signed else Class(SMALL, 2**found.bits - 1)
