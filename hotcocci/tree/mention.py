# SPDX-License-Identifier: GPL-2.0
"""Words that a file must mention to be worth parsing: much faster to search for than C."""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Mention:
    """A pattern that a file must contain to be parsed.

    All matches of ``pattern`` contain ``word``, empty if they have none in common, and one of the ``hints`` if there are any; both
    are much faster to search for.
    """

    word: bytes
    hints: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


def calls(names: Iterable[str]) -> Mention:
    """Calls of functions or macros with these names."""
    hints = tuple(sorted(name.encode() for name in names))
    return Mention(b"", hints, re.compile(rb"\b(?:%s)\s*\(" % b"|".join(hints)))


# Where a pattern starts with a literal rather than \b, the search is fast.
ACCESS = Mention(
    b"user",
    (b"t_user",),
    re.compile(rb"_user(?:(?<=\b[gp][eu]t_user)|(?<=\b__[gp][eu]t_user))\s*\("),
)
WINDOW = Mention(
    b"user",
    (b"user_access_", b"_access_begin", b"_access_end", b"scoped_user_", b"unsafe_"),
    re.compile(
        rb"\b(?:(?:masked_)?user_(?:\w+_)?access_(?:begin|end|save|restore)|scoped_user_\w+_access\w*"
        rb"|unsafe_(?:get|put|copy_to|copy_from|try_cmpxchg|atomic_store_release)_user)\s*\("
    ),
)
COPY = Mention(
    b"user",
    (b"m_user", b"o_user"),
    re.compile(rb"copy_(?:(?<!\wcopy_)|(?<=\b__copy_))(?:to|from)_user\s*\("),
)
CREDENTIAL = Mention(
    b"current",
    (),
    re.compile(
        rb"current(?:\s*->\s*(?:real_)?cred\b|_(?:(?:real_)?cred|cred_xxx|user|user_ns|(?:e|s|fs)?[ug]id"
        rb"|uid_gid|euid_egid|fsuid_fsgid|ucounts|cap|security|groups)\s*\()"
    ),
)
# Comments that allow a finding
ALLOWANCE = Mention(b"hotcocci", (b"hotcocci:",), re.compile(rb"hotcocci:\s*allow\b"))
# Range checks, and begins that a newer or narrower form may replace
BEGIN = Mention(
    b"access",
    (b"access_ok", b"access_begin", b"_rw_access"),
    re.compile(
        rb"\b(?:access_ok|(?:masked_)?user_(?:\w+_)?access_begin|scoped_user_rw_access(?:_size)?)\s*\("
    ),
)
# A file mentions this alone if no engine finds anything in it.
NUL = Mention(b"\0", (), re.compile(rb"\0"))
CR = Mention(b"\r", (), re.compile(rb"\r"))
UNUSABLE = {
    NUL: "it has NUL bytes, as binary files and UTF-16 have: it is no C source",
    CR: "its lines end in CR alone, which is one line in C: convert it",
}

Mentions = frozenset[Mention]

_memmem = ctypes.PyDLL(None).memmem
_memmem.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2
_memmem.restype = ctypes.c_void_p


def _has(data: bytes, word: bytes) -> bool:
    """Whether a word is in the data: "in", in a third of the time."""
    return _memmem(data, len(data), word, len(word)) is not None


def mentioned(data: bytes, asked: Sequence[Mention]) -> Mentions:
    """The words of ``asked`` in a file's bytes; one of `UNUSABLE` alone if that is what they are."""
    if b"\0" in data:
        return frozenset({NUL})
    if b"\r" in data and b"\n" not in data:
        return frozenset({CR})
    words = {word for word in {what.word for what in asked} if _has(data, word)}
    return frozenset(
        what
        for what in asked
        if what.word in words
        and (not what.hints or any(_has(data, hint) for hint in what.hints))
        and what.pattern.search(data)
    )


@lru_cache
def tag(asked: tuple[Mention, ...]) -> str:
    """Identifies the mentions that an answer in the cache is for."""
    patterns = b"\0".join(what.pattern.pattern for what in (*UNUSABLE, *asked))
    return f"{hashlib.sha256(patterns).hexdigest()[:16]} " if asked else ""


def written(found: Mentions, asked: tuple[Mention, ...]) -> str:
    """The words that a file mentions, as text for the cache: the numbers of those asked for."""
    if not (found and asked):
        return tag(asked)
    numbers = (str(n) for n, what in enumerate((*UNUSABLE, *asked)) if what in found)
    return tag(asked) + " ".join(numbers)


def read_written(kinds: str, asked: tuple[Mention, ...]) -> Mentions:
    """The inverse of `written`."""
    every = (*UNUSABLE, *asked)
    return frozenset(every[int(number)] for number in kinds.split()[1:])
