# SPDX-License-Identifier: GPL-2.0
"""Compute sizes and member offsets of types from the text of the tree's headers.

Three machines are asked at once, as a rewrite in generic code is compiled for all: one of 32 bits,
one that aligns eight bytes to four (i386), and one of 64 bits. What cannot be told from the text alone (a bound that is computed, an
``#ifdef`` inside of a structure, a bit-field) has no layout: None, never a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import defined
from hotcocci.c.headers import reachable
from hotcocci.c.source import COMMENT, DIRECTIVE, NAME, Token, closing, split, tokenize
from hotcocci.c.records import MOST_ALIASES, bare, record, typedef

INTEGER = "integer"
BOOL = "bool"
POINTER = "pointer"
RECORD = "record"
# Bytes without a type
BYTES = "bytes"

MACHINES = (0, 1, 2)
Bytes = tuple[int, int, int]
_WORDS: dict[str, Bytes] = {
    "char": (1, 1, 1),
    "short": (2, 2, 2),
    "int": (4, 4, 4),
    "long": (4, 4, 8),
    "long long": (8, 8, 8),
}
_FIXED = re.compile(r"^_*[us](8|16|32|64)$|^_*[bl]e(16|32|64)$|^u?int(8|16|32|64)_t$")
# Aligned to 4 bytes on x86 and to 8 elsewhere (asm/compat.h).
_MISALIGNED = frozenset({"compat_u64", "compat_s64", "compat_loff_t"})
_ALIGNED_WORDS = frozenset({"__aligned_u64", "__aligned_s64", "aligned_u64"})
# Register width on all machines, whatever their headers say.
_WORDLIKE = frozenset(
    {"size_t", "ssize_t", "ptrdiff_t", "uintptr_t", "__kernel_size_t"}
)
_SIGNS = ("signed", "unsigned", "__signed__", "__signed")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")
_PACKED = re.compile(r"\b(?:__packed|__packed__|packed)\b")
_ALIGNED = re.compile(r"aligned")


@dataclass(frozen=True)
class Member:
    """A scalar in a structure: its path ``.a.b[1]``, and its size on each machine."""

    path: str
    kind: str
    sizes: Bytes


@dataclass(frozen=True)
class Layout:
    """A type's bytes and alignment on each machine.

    ``members`` are the scalars of a structure in their order, None where they cannot all be
    named (an array that is long); ``padding`` tells whether some bytes belong to none of them
    on some machine.
    """

    kind: str
    sizes: Bytes
    aligns: Bytes
    members: tuple[Member, ...] | None = None
    padding: bool = False

    @property
    def size(self) -> int | None:
        """The size in bytes, if all machines agree."""
        return self.sizes[0] if len(set(self.sizes)) == 1 else None


POINTERS = Layout(POINTER, (4, 4, 8), (4, 4, 8))


@lru_cache(maxsize=4096)
def layout(root: Path, file: str, type_: str) -> Layout | None:
    """The layout of a type in SmPL's spelling; None if unknown.

    Arrays are not supported. ``file`` is relative to the tree ``root``.
    """
    for _ in range(MOST_ALIASES):
        if "[" in type_ or "(" in type_:
            return None
        if "*" in type_:
            return POINTERS
        words = bare(type_).split()
        if len(words) == 1 and words[0] in _MISALIGNED:
            return Layout(INTEGER, (8, 8, 8), (0, 0, 0))
        known = _word(words)
        if known is not None:
            return known
        if words[:1] == ["enum"]:
            # An enum has four bytes unless packed; the kernel does not use -fshort-enums.
            return _integer((4, 4, 4))
        if words[:1] in (["struct"], ["union"]):
            return _record(root, file, " ".join(words))
        if len(words) != 1:
            return None
        if words[0] in _WORDLIKE:
            return _integer((4, 4, 8))
        if words[0] in _ALIGNED_WORDS:
            return Layout(INTEGER, (8, 8, 8), (8, 8, 8))
        resolved = typedef(root, file, words[0])
        if resolved is None or not _settled(root, file, words[0]):
            return None
        if resolved.startswith("struct "):
            return _record(root, file, words[0])
        type_ = resolved
    return None


def _settled(root: Path, file: str, name: str) -> bool:
    """Whether a type has a single definition for all configurations and architectures."""
    for header in reachable(root, file):
        if name in header.aliases or name in header.records or name in header.closings:
            parts = header.path.relative_to(root).parts
            foreign = parts[0] == "arch" and not file.startswith(f"arch/{parts[1]}/")
            return name not in header.contested and not foreign
    return False


def _word(words: list[str]) -> Layout | None:
    """The layout of an integer type that needs no header; None for others."""
    if words in (["bool"], ["_Bool"]):
        return Layout(BOOL, (1, 1, 1), (1, 1, 1))
    if len(words) == 1 and (fixed := _FIXED.match(words[0])):
        size = int(next(g for g in fixed.groups() if g)) // 8
        return _integer((size, size, size))
    plain = [word for word in words if word not in _SIGNS]
    if len(plain) > 1 or (not plain and words):
        plain = [word for word in plain if word != "int"] or ["int"]
    sizes = _WORDS.get(" ".join(plain))
    return _integer(sizes) if sizes else None


def _integer(sizes: Bytes) -> Layout:
    return Layout(INTEGER, sizes, (sizes[0], min(sizes[1], 4), sizes[2]))


@lru_cache(maxsize=1024)
def _record(root: Path, file: str, type_: str) -> Layout | None:
    found = record(root, file, type_)
    if found is None or found.union or not _settled(root, file, type_.split()[-1]):
        return None
    if _ALIGNED.search(found.attributes):
        return None
    # EPOLL_PACKED is an attribute on one architecture and empty on others.
    around = set(re.findall(r"\b[A-Za-z]\w*", found.attributes)) - set(type_.split())
    if any(defined(root, file, word) for word in around - {"struct", "union"}):
        return None
    packed = bool(_PACKED.search(found.attributes))
    return _laid_out(root, file, found.body, packed)


def _laid_out(root: Path, file: str, body: str, packed: bool) -> Layout | None:
    """Lay out the members of a structure's text."""
    ends, aligns = [0, 0, 0], [1, 1, 1]
    members: list[Member] | None = []
    padding = False
    declared = _declarations(body)
    if declared is None:
        return None
    for tokens in declared:
        made = _declared(root, file, body, tokens)
        if made is None:
            return None
        for path, one, count in made:
            if 0 in one.aligns:
                return None
            for machine in MACHINES:
                align = 1 if packed else one.aligns[machine]
                offset = -(-ends[machine] // align) * align
                padding = padding or offset != ends[machine]
                ends[machine] = offset + count * one.sizes[machine]
                aligns[machine] = max(aligns[machine], align)
            padding = padding or one.padding
            members = _extended(members, path, one, count)
    sizes = [-(-end // align) * align for end, align in zip(ends, aligns, strict=True)]
    padding = padding or sizes != ends
    if not ends[0]:
        return None
    return Layout(
        RECORD,
        (sizes[0], sizes[1], sizes[2]),
        (aligns[0], aligns[1], aligns[2]),
        tuple(members) if members else None,
        padding,
    )


# More elements than a small copy can have.
_MOST_ELEMENTS = 8


def _extended(
    members: list[Member] | None, path: str, one: Layout, count: int
) -> list[Member] | None:
    """The members so far with those of one more declaration; None if they cannot be named."""
    if members is None or count > _MOST_ELEMENTS:
        return None
    if one.kind == RECORD and one.members is None:
        return None
    array = path.endswith("[]")
    inner = one.members or (Member("", one.kind, one.sizes),)
    for index in range(count):
        here = f".{path[:-2]}[{index}]" if array else f".{path}"
        members += [Member(here + m.path, m.kind, m.sizes) for m in inner]
    return members


def _declarations(body: str) -> list[tuple[Token, ...]] | None:
    """The declarations in a structure's text; None if there is an ``#if`` among them."""
    tokens = [t for t in tokenize(body) if t.kind != COMMENT]
    if any(t.kind == DIRECTIVE and "define" not in t.text for t in tokens):
        return None
    tokens = [t for t in tokens if t.kind != DIRECTIVE]
    *found, rest = split(tokens, ";")
    return None if rest else [declaration for declaration in found if declaration]


def _declared(
    root: Path, file: str, body: str, tokens: tuple[Token, ...]
) -> list[tuple[str, Layout, int]] | None:
    """The names in one declaration with layout and count; an array's name ends in ``[]``."""
    texts = [t.text for t in tokens]
    if any(t.startswith("__") and _attribute(t) for t in texts):
        return None
    if "{" in texts:
        opening = texts.index("{")
        last = closing(tokens, opening)
        if last is None or texts[0] != "struct":
            return None  # a union has no one way to be accessed
        inner = body[tokens[opening].end : tokens[last].start]
        one = _laid_out(root, file, inner, packed=False)
        rest = tokens[last + 1 :]
        if one is None or not rest:
            return None
        return _names(root, file, rest, one)
    cut = next((i for i, t in enumerate(texts) if t in ("*", ",", "[", ":")), None)
    head = texts[:cut] if cut is not None and texts[cut] == "*" else texts[:cut][:-1]
    if not head:
        return None
    rest = tokens[len(head) :]
    one = layout(root, file, " ".join(head)) if texts[len(head)] != "*" else None
    return _names(root, file, rest, one)


def _attribute(word: str) -> bool:
    """Whether a word is an attribute that may change the layout."""
    return bool(re.search(r"align|packed|attribute", word)) and not re.match(
        r"__aligned_[ubl]e?64$|__aligned_[us]64$", word
    )


def _names(
    root: Path, file: str, tokens: tuple[Token, ...], one: Layout | None
) -> list[tuple[str, Layout, int]] | None:
    """Parse declarators such as ``*a, b[2]`` into names with layout and count."""
    found: list[tuple[str, Layout, int]] = []
    piece: list[Token] = []
    for token in (*tokens, None):
        if token is not None and token.text != ",":
            piece.append(token)
            continue
        texts = [t.text for t in piece if t.text not in ("__user", "const", "__rcu")]
        stars = texts.count("*")
        named = [t for t in piece if t.kind == NAME and t.text in texts]
        kind = POINTERS if stars else one
        rest = [t for t in texts if t not in ("*", named[0].text)] if named else []
        if kind is None or not named:
            return None
        if not rest:
            found.append((named[0].text, kind, 1))
        elif len(rest) == 3 and rest[0] == "[" and rest[2] == "]":
            count = number(root, file, rest[1])
            if not count:
                return None
            found.append((f"{named[0].text}[]", kind, count))
        else:
            return None  # a bit-field, a function, an array of arrays
        piece = []
    return found


def number(root: Path, file: str, text: str) -> int | None:
    """The value of an integer, or of a macro for one; None if unknown."""
    for _ in range(MOST_ALIASES):
        literal = _NUMBER.match(text)
        if literal:
            return int(literal[1], 0) if not re.match(r"0\d", literal[1]) else None
        if not text.isidentifier():
            return None
        resolved = _macro(root, file, text)
        if resolved is None:
            return None
        text = resolved
    return None


@lru_cache(maxsize=4096)
def _macro(root: Path, file: str, name: str) -> str | None:
    """The expansion of an object-like macro, if all headers agree; None otherwise."""
    pattern = re.compile(
        rf"^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+\(?(\w+)\)?[ \t]*(?:/\*|//|$)",
        re.MULTILINE,
    )
    needle = name
    values = {
        found
        for header in reachable(root, file)
        if needle in header.text
        for found in pattern.findall(header.text)
    }
    return values.pop() if len(values) == 1 else None
