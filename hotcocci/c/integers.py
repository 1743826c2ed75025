# SPDX-License-Identifier: GPL-2.0
"""The integer types of C and of the kernel: size, alignment and sign on each machine."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

# Of a 32-bit machine, of one that aligns eight bytes to four (i386), and of a 64-bit machine.
Bytes = tuple[int, int, int]

_WORDS: dict[str, Bytes] = {
    "char": (1, 1, 1),
    "short": (2, 2, 2),
    "int": (4, 4, 4),
    "long": (4, 4, 8),
    "long long": (8, 8, 8),
}
_SIGNS = frozenset({"signed", "unsigned", "__signed__", "__signed"})
_QUALIFIERS = frozenset({"const", "volatile"})
_FIXED = re.compile(
    r"_*(?P<kernel>[us])(?P<a>8|16|32|64)$|(?P<c>u?)int(?P<b>8|16|32|64)_t$"
)
_BITWISE = re.compile(r"_*[bl]e(16|32|64)$")
_CHECKSUMS = {"__sum16": 2, "__wsum": 4}
_UNSIGNED_WORDS = frozenset({"size_t", "uintptr_t", "__kernel_size_t"})
_SIGNED_WORDS = frozenset({"ssize_t", "ptrdiff_t", "intptr_t", "__kernel_ssize_t"})
_ALIGNED = re.compile(r"_*aligned_([us])64$")
_EIGHT_SIGNED = frozenset({"loff_t", "__kernel_loff_t", "ktime_t", "time64_t"})
# Aligned to 4 bytes on x86 and to 8 elsewhere (asm/compat.h).
_MISALIGNED = {"compat_u64": False, "compat_s64": True, "compat_loff_t": True}


@dataclass(frozen=True)
class Integer:
    """An integer type; ``aligns`` are 0 if machines of one kind disagree.

    ``signed`` is None for a plain char, which depends on the tree and the compiler. ``bitwise``
    types of sparse are not for arithmetic.
    """

    sizes: Bytes
    aligns: Bytes
    signed: bool | None
    bitwise: bool = False
    boolean: bool = False

    @property
    def size(self) -> int | None:
        """The size in bytes; None if machines differ."""
        return self.sizes[0] if len(set(self.sizes)) == 1 else None


@lru_cache(maxsize=4096)
def integer(type_: str) -> Integer | None:
    """An integer type or enumeration by its name; None for others, such as most typedefs.

    An enum has four bytes unless packed; the kernel does not use -fshort-enums.
    """
    words = [word for word in type_.split() if word not in _QUALIFIERS]
    if "__bitwise" in words:
        found = integer(" ".join(word for word in words if word != "__bitwise"))
        return replace(found, bitwise=True) if found is not None else None
    if len(words) == 2 and words[0] == "enum":
        return _made(_WORDS["int"], True)
    if len(words) == 1 and (found := _named(words[0])) is not None:
        return found
    signs = [word for word in words if word in _SIGNS]
    plain = [word for word in words if word not in _SIGNS]
    if len(words) > 1 or signs:
        plain = [word for word in plain if word != "int"] or ["int"]
    sizes = _WORDS.get(" ".join(plain)) if words else None
    if sizes is None:
        return None
    unsigned = "unsigned" in signs
    return _made(sizes, None if plain == ["char"] and not signs else not unsigned)


def _named(word: str) -> Integer | None:
    """An integer type whose name is one word and no keyword of C."""
    if word in ("bool", "_Bool"):
        return Integer((1, 1, 1), (1, 1, 1), False, boolean=True)
    if fixed := _FIXED.match(word):
        signed = fixed["kernel"] == "s" or fixed["c"] == ""
        return _made(_same(int(fixed["a"] or fixed["b"]) // 8), signed)
    if bitwise := _BITWISE.match(word):
        return _made(_same(int(bitwise[1]) // 8), False, bitwise=True)
    if word in _CHECKSUMS:
        return _made(_same(_CHECKSUMS[word]), False, bitwise=True)
    if word in _UNSIGNED_WORDS or word in _SIGNED_WORDS:
        return _made(_WORDS["long"], word in _SIGNED_WORDS)
    if word in _EIGHT_SIGNED:
        return _made(_same(8), True)
    if aligned := _ALIGNED.match(word):
        return Integer(_same(8), _same(8), aligned[1] == "s")
    if word in _MISALIGNED:
        return Integer(_same(8), _same(0), _MISALIGNED[word])
    return None


def _same(size: int) -> Bytes:
    return (size, size, size)


def _made(sizes: Bytes, signed: bool | None, bitwise: bool = False) -> Integer:
    aligns = (sizes[0], min(sizes[1], 4), sizes[2])
    return Integer(sizes, aligns, signed, bitwise)
