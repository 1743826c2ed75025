# SPDX-License-Identifier: GPL-2.0
"""Lay structures out as no architecture does: a number in the place of a size or an offset is then another number.

i386 and m68k align an u64 to less than its size, and options add members. So a preprocessed file is compiled
once more with holes in structures, and members that are aligned to four bytes at most.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

from hotcocci.c.source import DIRECTIVE, NAME, NUMBER, Token, closing, tokenize
from hotcocci.proof.changed import Aligned, Text
from hotcocci.proof.objects.variant import Variant
from hotcocci.proof.widths import SIZE, sizes_in

LAID_OUT = (
    "a size or the place of a member may be another number on another architecture,"
    " or in another configuration"
)
_FLAGS = ("-fpreprocessed", "-fpack-struct=4")
# Numbers that are rather a truth, a step or the first of something
_SMALL = frozenset("0 1".split())
_SIZES = re.compile(r"offsetof\w*|_*alignof\w*|\w*container\w*|\w*_entry")
_COMPARISONS = frozenset("== != < > <= >=".split())
_STRUCTURE = re.compile(r"struct\s+(?:__attribute__\s*\(\([^;{}]*?\)\)\s*)*(\w+)\s*\{")
# User space knows the structures of some files.
_FILES = re.compile(r"^(?=# \d)", re.MULTILINE)
# Unnamed bit-fields take no part in initialisers. Structures have different numbers of them.
_HOLE, _MOST = " unsigned long long : 64;", 13
# Those whose places are known to assembly, to us (compare_lists.py), or that begin with the current task
_KEPT = frozenset("bug_entry pi_entry pcpu_hot list_head hlist_head hlist_node".split())
# What insists on sizes: _Static_assert(), BUILD_BUG_ON(), functions that must not be called, and an alignment
_INSISTS = (
    (re.compile(r"_Static_assert\s*\("), "_Static_assert(1 || "),
    (re.compile(r"__compiletime_assert_\d+\s*\(\s*\)"), "(void)0"),
    (re.compile(r"__error__\s*\("), "__warning__("),
    # char pad[64 - sizeof(struct x)];
    (re.compile(r"\[[^][;{}\n]*-\s*\(?\s*sizeof\b[^][;{}\n]*\]\s*;"), "[64];"),
    (re.compile(r"__aligned__\s*\(\s*sizeof\b[^;]*?\)\s*\)"), "__aligned__(8)"),
)


def spread(text: str) -> str:
    """A preprocessed file with a hole at the beginning of each structure that has a name."""
    parts = [
        part
        if "/uapi/" in part.partition("\n")[0]
        else _STRUCTURE.sub(_with_hole, part)
        for part in _FILES.split(text)
    ]
    text = "".join(parts)
    for pattern, instead in _INSISTS:
        text = pattern.sub(instead, text)
    return text


def _with_hole(found: re.Match[str]) -> str:
    holes = 1 + zlib.crc32(found[1].encode()) % _MOST
    return found[0] + _HOLE * (holes if found[1] not in _KEPT else 0)


SPREAD = Variant(LAID_OUT, _FLAGS, spread)


def depends(given: Aligned) -> bool:
    """Whether a change has sizes, casts, numbers or structures on one side that the other one has not."""
    tokens = [Text(given.file, text).tokens for text in given.texts]
    sides = [Counter(_said(each)) for each in tokens]
    # One structure in the place of another
    tags = [
        Counter(b.text for a, b in zip(each, each[1:]) if a.text == "struct")
        for each in tokens
    ]
    return sides[0] != sides[1] or bool(tags[0] - tags[1] and tags[1] - tags[0])


def compared(own: Sequence[Token], other: Sequence[Token]) -> Iterator[Token]:
    """The sizes that are compared with a constant, and are not so on the other side: here they come out one way."""
    mine, theirs = (list(_compared(tokens)) for tokens in (own, other))
    more = Counter(what for _, what in mine) - Counter(what for _, what in theirs)
    yield from (token for token, what in mine if what in more)


def _compared(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    for at, token in enumerate(tokens[:-1]):
        if token.text == SIZE and tokens[at + 1].text == "(":
            end = (closing(tokens, at + 1) or at) + 1
            beside = ((at - 1, at - 2), (end, end + 1))
            if any(
                0 <= operand < len(tokens)
                and tokens[operator].text in _COMPARISONS
                and (tokens[operand].kind == NUMBER or tokens[operand].text == SIZE)
                for operator, operand in beside
            ):
                yield token, "".join(t.text for t in tokens[at:end])


def _said(tokens: Sequence[Token]) -> Iterator[str]:
    yield from sizes_in(tokens)
    for at, token in enumerate(tokens):
        if token.kind == DIRECTIVE:
            yield from _said(tokenize(token.text.replace("#", " ", 1)))
            continue
        opening = 0
        if token.text == "struct":
            opening = next((n for n in (at + 1, at + 2) if _is(tokens, n, "{")), 0)
        elif token.kind == NAME and _SIZES.fullmatch(token.text):
            opening = at + 1
        if opening:
            bracket = _is(tokens, opening, "(") or _is(tokens, opening, "{")
            end = closing(tokens, opening) if bracket else None
            yield " ".join(t.text for t in tokens[at : (end or opening) + 1])
        elif token.kind == NUMBER and token.text not in _SMALL:
            yield token.text
        elif token.text == "*" and _is(tokens, at + 1, ")"):
            first = at
            while first and tokens[first - 1].kind == NAME:
                first -= 1
            kind = " ".join(t.text for t in tokens[first : at + 1])
            if "void" not in kind:
                yield kind


def _is(tokens: Sequence[Token], at: int, text: str) -> bool:
    return at < len(tokens) and tokens[at].text == text
