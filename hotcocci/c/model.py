# SPDX-License-Identifier: GPL-2.0
"""C types: the integers of C and of the kernel, the members that a structure declares, and their layout on each machine."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hotcocci.c.source import NAME, Token, closing, code_in, split

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
_QUALIFIERS = frozenset({"const", "volatile", "__bitwise"})
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
INTEGER = "integer"
BOOL = "bool"
POINTER = "pointer"
RECORD = "record"
# Bytes without a type
BYTES = "bytes"
KINDS = ("struct", "union", "enum")
# These are no part of a type.
_SPACES = frozenset(
    (
        "__user __force __rcu __percpu __iomem __kernel __bitwise __private __extension__"
        " randomized_struct_fields_start randomized_struct_fields_end"
    ).split()
)
_OF_POINTERS = frozenset({"const", "volatile", "restrict"})
_LAYOUT = re.compile(r"packed|aligned")
_FLEXIBLE = ("DECLARE_FLEX_ARRAY", "__DECLARE_FLEX_ARRAY")
MACHINES = (0, 1, 2)
# More elements than a small copy can have.
MOST_ELEMENTS = 8


@dataclass(frozen=True)
class Integer:
    """An integer type; ``aligns`` are 0 if machines of one kind disagree.

    ``signed`` is None for a plain char, which depends on the tree and the compiler.
    """

    sizes: Bytes
    aligns: Bytes
    signed: bool | None
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
        return _made(_same(int(bitwise[1]) // 8), False)
    if word in _CHECKSUMS:
        return _made(_same(_CHECKSUMS[word]), False)
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


def _made(sizes: Bytes, signed: bool | None) -> Integer:
    return Integer(sizes, (sizes[0], min(sizes[1], 4), sizes[2]), signed)


@dataclass(frozen=True)
class Record:
    """The definition of a structure, union or enumeration.

    ``kind`` is its keyword, ``body`` the text between its braces, ``attributes`` the
    words of its attributes: ``__packed``, ``__attribute__((aligned(8)))``.
    """

    kind: str
    body: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Member:
    """A member as its structure declares it; one that could not be parsed has no name and no type.

    ``type`` is the text of its type without stars, ``record`` its definition if that is in place. ``bounds`` are
    the array bounds as written; that of a flexible array is empty. ``width`` is that of a bit-field.
    """

    name: str
    type: str
    stars: int = 0
    bounds: tuple[str, ...] = ()
    width: str | None = None
    record: Record | None = None
    attributes: tuple[str, ...] = ()
    function: bool = False


@dataclass(frozen=True)
class Scalar:
    """A scalar in a type: its path ``.a.b[1]``, and its size on each machine."""

    path: str
    kind: str
    sizes: Bytes


@dataclass(frozen=True)
class Layout:
    """The size and alignment of a type on each machine, in bytes.

    ``members`` are the scalars of a structure in order, None if they cannot all be named (in a
    long array, a union, bit-fields) or one may not be aligned. With ``padding``, some bytes belong to none of them on some
    machine.
    """

    kind: str
    sizes: Bytes
    aligns: Bytes
    members: tuple[Scalar, ...] | None = None
    padding: bool = False

    @property
    def size(self) -> int | None:
        """The size in bytes, if all machines agree."""
        return self.sizes[0] if len(set(self.sizes)) == 1 else None


_UNKNOWN = Member("", "")


@lru_cache(maxsize=4096)
def declared(body: str) -> tuple[Member, ...]:
    """The members in a structure's text, in order; directives are ignored."""
    found: list[Member] = []
    for declaration in split([t for t in code_in(body) if t.text not in _SPACES], ";"):
        if declaration:
            found += _declaration(body, declaration)
    return tuple(found)


@lru_cache(maxsize=4096)
def members(record: Record) -> dict[str, Member]:
    """The members of a record by name, with those of anonymous records in it.

    Pointers to functions are left out.
    """
    found: dict[str, Member] = {}
    for member in declared(record.body):
        if member.record is not None and not member.name:
            found |= members(member.record)
        elif member.name and not member.function:
            found[member.name] = member
    return found


def _declaration(text: str, tokens: tuple[Token, ...]) -> list[Member]:
    """The members of one declaration, without its semicolon."""
    if tokens[0].text in _FLEXIBLE and len(tokens) > 4:
        type_ = " ".join(t.text for t in split(tokens[2:-1], ",")[0])
        return [Member(tokens[-2].text, type_, bounds=("",))]
    tokens, attributes = without_attributes(tokens)
    opening = next((i for i, t in enumerate(tokens) if t.text in ("{", "(")), None)
    record, cut = None, 0
    if opening is not None and tokens[opening].text == "{":
        kind = next((t.text for t in tokens[:opening] if t.text in KINDS), "")
        last = closing(tokens, opening)
        if last is None or not kind:
            return [_UNKNOWN]
        body = text[tokens[opening].end : tokens[last].start]
        cut = last + 1
        inside = tuple(w for at, words in attributes if at <= cut for w in words)
        record = Record(kind, body, inside)
        type_ = " ".join(t.text for t in tokens[:opening])
        if cut == len(tokens):
            return [Member("", type_, record=record)]
    elif tokens:
        ends = (i for i, t in enumerate(tokens) if t.text in ("*", "(", ",", "[", ":"))
        cut = next(ends, len(tokens))
        if cut == len(tokens) or tokens[cut].text not in ("*", "("):
            cut -= cut > 0 and tokens[cut - 1].kind == NAME and cut > 1
        type_ = " ".join(t.text for t in tokens[:cut])
    if not tokens or not type_:
        return [_UNKNOWN]
    own = tuple(w for at, words in attributes if not record or at > cut for w in words)
    made = Member("", type_, record=record, attributes=own)
    return [_declarator(text, piece, made) for piece in split(tokens[cut:], ",")]


def _declarator(text: str, tokens: tuple[Token, ...], made: Member) -> Member:
    """Parse a member after its type: ``*name``, ``name[2]``, ``name : 3``, ``(*name)(void)``."""
    texts = [t.text for t in tokens]
    if "(" in texts and texts[0] in ("*", "("):
        start = texts.index("(")
        last = closing(tokens, start)
        if texts[start + 1] != "*":
            return _UNKNOWN
        named = _declarator(text, tokens[start + 1 : last], made)
        return replace(named, stars=1, function=True)
    stars, index = 0, 0
    while index < len(tokens) and tokens[index].text in {"*"} | _OF_POINTERS:
        stars += tokens[index].text == "*"
        index += 1
    name = ""
    if index < len(tokens) and tokens[index].kind == NAME:
        name, index = tokens[index].text, index + 1
    bounds: list[str] = []
    while index < len(tokens) and tokens[index].text == "[":
        last = closing(tokens, index)
        if last is None:
            return _UNKNOWN
        bounds.append(text[tokens[index].end : tokens[last].start].strip())
        index = last + 1
    width = None
    if index + 1 < len(tokens) and tokens[index].text == ":":
        width = text[tokens[index].end : tokens[-1].end].strip()
        index = len(tokens)
    if index < len(tokens) or not (name or width):
        return _UNKNOWN
    of, record, around = made.type, made.record, made.attributes
    return Member(name, of, stars, tuple(bounds), width, record, around)


def without_attributes(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], list[tuple[int, list[str]]]]:
    """The tokens without attributes, and the words of each with the number of tokens before it."""
    kept: list[Token] = []
    found: list[tuple[int, list[str]]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        last: int | None = index
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if token.text in ("{", "(", "["):
            last = closing(tokens, index)
        elif token.text.startswith("__") and called and kept:
            last = closing(tokens, index + 1)
        last = len(tokens) - 1 if last is None else last
        piece = tokens[index : last + 1]
        alone = _LAYOUT.search(token.text) and integer(token.text) is None
        if token.text.startswith("__") and (len(piece) > 1 or alone):
            found.append((len(kept), [t.text for t in piece]))
        else:
            kept += piece
        index = last + 1
    return tuple(kept), found


@dataclass(frozen=True)
class Part:
    """A member to place: the layout of one element, and the number of elements.

    ``width`` is that of a bit-field, ``aligned`` the alignment that its attributes request.
    """

    member: Member
    one: Layout
    count: int
    width: int | None
    aligned: int


def laid_out(parts: Sequence[Part], union: bool, packed: bool, aligned: int) -> Layout:
    """The layout of a structure or union, which is itself aligned to ``aligned`` or more."""
    first, middle, last = (
        _placed(parts, machine, union, packed, aligned) for machine in MACHINES
    )
    astray = first[3] or middle[3] or last[3]
    scalars = None if union or astray else _scalars(parts)
    return Layout(
        RECORD,
        (first[0], middle[0], last[0]),
        (first[1], middle[1], last[1]),
        tuple(scalars) if scalars else None,
        first[2] or middle[2] or last[2],
    )


def _placed(
    parts: Sequence[Part], machine: int, union: bool, packed: bool, align: int
) -> tuple[int, int, bool, bool]:
    """Size and alignment on one machine, whether there is padding, and whether a member may be at an odd address."""
    bits = widest = 0
    padding = astray = False
    for part in parts:
        natural = max(part.aligned, 1 if packed else part.one.aligns[machine])
        unit = 8 * part.one.sizes[machine]
        start = 0 if union else bits
        if part.width is None:
            begin = _rounded(start, 8 * natural)
            bits = begin + part.count * unit
            padding = padding or part.one.padding or begin != start
            astray = astray or begin % (8 * part.one.aligns[machine] or 8) != 0
        else:
            crossing = not packed and start % unit + part.width > unit
            if crossing or not part.width:
                start = _rounded(start, unit)
            bits = start + part.width
        align = max(align, natural)
        widest = max(widest, bits)
    size = _rounded(-(-widest // 8), align)
    astray = astray or any(part.one.aligns[machine] > align for part in parts)
    return size, align, padding or 8 * size != widest, astray


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step


def _scalars(parts: Sequence[Part]) -> list[Scalar] | None:
    """The scalars in a structure; None if they cannot all be named."""
    found: list[Scalar] = []
    for part in parts:
        one, bounds = part.one, part.member.bounds
        if not part.count:
            continue
        nameless = one.kind == BYTES or (one.kind == RECORD and not one.members)
        if nameless or part.width is not None or len(bounds) > 1:
            return None
        if part.count > MOST_ELEMENTS:
            return None
        name = f".{part.member.name}" if part.member.name else ""
        inner = one.members or (Scalar("", one.kind, one.sizes),)
        for index in range(part.count):
            path = f"{name}[{index}]" if bounds else name
            found += [replace(scalar, path=path + scalar.path) for scalar in inner]
    return found
