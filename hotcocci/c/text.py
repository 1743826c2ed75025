# SPDX-License-Identifier: GPL-2.0
"""Compute sizes and layouts of types from the text of the tree's headers, without a compiler.

This answers for every copy of a tree in the time that clang takes for one file, so that
`hotcocci.c.ask` is only needed for what remains. Three machines are laid out at once, as generic
code is compiled for all. What the text does not determine is None, never a guess: a structure with
an ``#if`` inside, a name with two definitions, a bound that is not constant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import (
    defined,
    evaluate,
    evaluate_bound,
    evaluate_everywhere,
    is_near,
    macro_of,
    view,
    view_on_x86_64,
)
from hotcocci.c.expression import Expr
from hotcocci.c.expression import Member as Field
from hotcocci.c.headers import reachable
from hotcocci.c.model import (
    BOOL,
    BYTES,
    INTEGER,
    KINDS,
    MOST_ELEMENTS,
    POINTER,
    Layout,
    Member,
    Part,
    Record,
    declared,
    integer,
    laid_out,
)
from hotcocci.c.source import DIRECTIVE, closing, split, tokenize
from hotcocci.c.typed import MOST_ALIASES, bare, field_of, type_of

POINTERS = Layout(POINTER, (4, 4, 8), (4, 4, 8))
ENUM = Layout(INTEGER, (4, 4, 4), (4, 4, 4))
_PACKED = frozenset({"__packed", "packed", "__packed__"})
_ALIGNED = frozenset({"__aligned", "aligned", "__aligned__"})
_LAYOUT = re.compile(r"packed|aligned")
_CALLED = frozenset({"__attribute__", "__attribute"})


class _UnknownError(Exception):
    """The text does not determine the layout."""


@lru_cache(maxsize=4096)
def layout(root: Path, file: str, type_: str) -> Layout | None:
    """The layout of a type in SmPL's spelling on all machines; None if unknown.

    Arrays have none. ``file`` is relative to the tree ``root``.
    """
    if "[" in type_ or "(" in type_:
        return None
    try:
        found = _Text(root, file, True).type(type_, MOST_ALIASES)
    except (_UnknownError, OSError):
        return None
    return found if found.sizes[0] else None


@lru_cache(maxsize=4096)
def scalars(root: Path, file: str, type_: str) -> tuple[str, ...]:
    """The scalars of a structure by name, in order, of a long array the first ones; () if unknown.

    Other than for `layout`, it makes no difference how members are aligned, as a compat_u64 by architecture.
    """
    try:
        found = _Text(root, file, True, by_name=True).type(type_, MOST_ALIASES)
    except (_UnknownError, OSError):
        return ()
    return tuple(member.path.removeprefix(".") for member in found.members or ())


@lru_cache(maxsize=4096)
def size_of(root: Path, file: str, type_: str) -> int | None:
    """The size of a type or array in bytes on a 64-bit machine; None if unknown.

    If machines differ, it is that of x86-64, or for a file in arch/ that of its architecture.
    """
    base, bracket, bounds = type_.partition("[")
    return size_of_declared(root, file, f"{base} value{bracket}{bounds}")


def size_of_declared(root: Path, file: str, declaration: str) -> int | None:
    """The size of the one variable in a declaration without initialiser; None if unknown."""
    found = declared(declaration)
    return size_of_member(root, file, found[0]) if len(found) == 1 else None


def size_of_member(root: Path, file: str, member: Member) -> int | None:
    """The size of a member in bytes, as `size_of`; None if unknown."""
    text = _Text(root, file, False)
    try:
        return text.member(member, MOST_ALIASES).sizes[2] * text.count(member)
    except (_UnknownError, OSError):
        return None


def size_of_object(
    root: Path, file: str, expr: Expr, variables: Mapping[str, str]
) -> int | None:
    """The size of an lvalue in bytes, as `size_of`, also if its type has no name; None if unknown."""
    type_ = type_of(root, file, expr, variables)
    if type_ is not None:
        return size_of(root, file, type_)
    found = field_of(root, file, expr, variables) if isinstance(expr, Field) else None
    return size_of_member(root, file, found) if found is not None else None


@dataclass(frozen=True)
class _Text:
    """The headers of a file; unless ``everywhere``, as x86-64 sees them where that matters.

    With ``by_name``, an alignment that is not known is taken for the usual one, and long arrays are cut.
    """

    root: Path
    file: str
    everywhere: bool
    by_name: bool = False

    def type(self, type_: str, left: int) -> Layout:
        """The layout of a type by its name; ``left`` limits the nesting."""
        if "*" in type_:
            return POINTERS
        words = bare(type_).split()
        if not left or not words:
            raise _UnknownError
        known = integer(" ".join(words))
        # What x86 aligns in its own way is defined in its headers.
        if known is not None and (self.everywhere or 0 not in known.aligns):
            return Layout(BOOL if known.boolean else INTEGER, known.sizes, known.aligns)
        if len(words) == 2 and words[0] in KINDS:
            return self._tagged(words[0], words[1], left)
        if len(words) != 1 or not words[0].isidentifier():
            raise _UnknownError
        return self._typedef(words[0], left)

    def member(self, member: Member, left: int) -> Layout:
        """The layout of one element of a member."""
        if not member.type or _PACKED & set(member.attributes):
            raise _UnknownError
        if member.stars:
            return POINTERS
        if member.record is not None:
            return self._record(member.record, (), left)
        return self.type(member.type, left)

    def count(self, member: Member) -> int:
        """The number of elements of a member; 0 if its size is open."""
        count = 1
        for bound in member.bounds:
            evaluated = evaluate_everywhere if self.everywhere else evaluate_bound
            found = (
                evaluated(self.root, self.file, bound, self._measure) if bound else 0
            )
            if found is None or found < 0:
                raise _UnknownError
            count *= found
        return count

    def _measure(self, type_: str) -> int | None:
        if not self.everywhere:
            return size_of(self.root, self.file, type_)
        found = layout(self.root, self.file, type_)
        return found.size if found is not None else None

    def _texts(self, path: Path) -> Iterator[str]:
        """The text of a header as all kernels see it, then as x86-64 sees it."""
        parts = path.relative_to(self.root).parts
        if not self.everywhere:
            yield view(path).text
            yield view_on_x86_64(self.root, self.file, path).text
        elif parts[0] != "arch" or self.file.startswith(f"arch/{parts[1]}/"):
            yield view(path).text

    def _tagged(self, kind: str, name: str, left: int) -> Layout:
        for header in reachable(self.root, self.file):
            if name not in header.records:
                continue
            for text in self._texts(header.path):
                found = _tags(kind, name, text)
                if len(found) != 1 or "#pragma" in text:
                    continue
                try:
                    return self._named(_defined(_declaration(text, found[0])), left)
                except _UnknownError:
                    continue
            if _tags(kind, name, header.text):
                raise _UnknownError
        raise _UnknownError

    def _typedef(self, name: str, left: int) -> Layout:
        folder = str((self.root / self.file).parent)
        for header in reachable(self.root, self.file):
            known = name in header.aliases or name in header.closings
            # Most types are in the first headers: no other is read for them.
            if not known and not (is_near(header, folder) and name in header.text):
                continue
            unknown = known and self.everywhere
            for text in self._texts(header.path):
                try:
                    found = self._aliased(name, text, left)
                except _UnknownError:
                    unknown = True
                    continue
                if found is not None:
                    return found
            if unknown:
                raise _UnknownError
        raise _UnknownError

    def _aliased(self, name: str, text: str, left: int) -> Layout | None:
        """The layout of a typedef in a header's text; None if it has no such typedef."""
        aliases, ends = _typedefs(name, text)
        if len(aliases) > 1 or len(ends) > 1 or (aliases and ends):
            raise _UnknownError
        if aliases:
            return self._whole(declared(aliases[0])[0], left - 1)
        if not ends:
            return None
        start = text.rfind("typedef", 0, ends[0][0])
        found = _declaration(text, start) if start >= 0 else ""
        if "#pragma" in text or start + len(found) != ends[0][1] - 1:
            raise _UnknownError
        member = _defined(found.removeprefix("typedef"))
        if member.stars:
            return POINTERS
        if member.bounds:
            raise _UnknownError
        return self._named(member, left)

    def _whole(self, member: Member, left: int) -> Layout:
        one = self.member(member, left)
        if not member.bounds:
            return one
        first, middle, last = (self.count(member) * size for size in one.sizes)
        return Layout(BYTES, (first, middle, last), one.aligns)

    def _named(self, member: Member, left: int) -> Layout:
        """The layout of ``struct name { … }`` with the attributes after it."""
        if member.record is None:
            raise _UnknownError
        # A name after the brace may be a macro for an attribute.
        around = (*member.attributes, *([member.name] if member.name else []))
        return self._record(member.record, around, left)

    def _record(self, record: Record, around: Sequence[str], left: int) -> Layout:
        if record.kind == "enum":
            return ENUM
        directives = (t for t in tokenize(record.body) if t.kind == DIRECTIVE)
        if any("define" not in t.text for t in directives):
            raise _UnknownError
        words = self._known((*record.attributes, *around))
        parts = []
        for member in declared(record.body):
            one = self.member(member, left)
            if 0 in one.aligns and self.by_name:
                one = replace(one, aligns=one.sizes)
            if 0 in one.aligns:
                raise _UnknownError
            width = self._width(member, one)
            aligned = self._aligned(self._known(member.attributes))
            count = self.count(member)
            count = min(count, MOST_ELEMENTS) if self.by_name else count
            parts.append(Part(member, one, count, width, aligned))
        packed = bool(_PACKED & set(words))
        return laid_out(parts, record.kind == "union", packed, self._aligned(words))

    def _width(self, member: Member, one: Layout) -> int | None:
        """The width of a bit-field; None for another member."""
        if member.width is None:
            return None
        width = evaluate(self.root, self.file, member.width, lambda _: None)
        # i386 places bit-fields of eight bytes in its own way.
        if width is None or (self.everywhere and one.sizes != one.aligns):
            raise _UnknownError
        return width

    def _known(self, words: Sequence[str]) -> list[str]:
        """The words of attributes, with macros such as EPOLL_PACKED expanded."""
        found: list[str] = []
        for index, word in enumerate(words):
            if word.startswith("__counted_by"):
                break
            called = words[index + 1 : index + 2] == ("(",) and word not in _CALLED
            if word.startswith("__") and (called or _LAYOUT.search(word)):
                if word not in _PACKED | _ALIGNED:
                    raise _UnknownError
            own = word.startswith("__") or not word.isidentifier()
            if own or not defined(self.root, self.file, word):
                found.append(word)
                continue
            macro = None if self.everywhere else macro_of(self.root, self.file, word)
            if macro is None:
                raise _UnknownError
            found += [t.text for t in tokenize(macro.body)]
        return found

    def _aligned(self, words: Sequence[str]) -> int:
        """The alignment that attributes request; 1 if none does."""
        tokens = tokenize(" ".join(words))
        values = [1]
        for index, token in enumerate(tokens):
            if token.text not in _ALIGNED:
                continue
            opened = index + 1 < len(tokens) and tokens[index + 1].text == "("
            last = closing(tokens, index + 1) if opened else None
            if last is None:
                raise _UnknownError
            asked = " ".join(t.text for t in tokens[index + 2 : last])
            value = evaluate(self.root, self.file, asked, self._measure)
            if not value:
                raise _UnknownError
            values.append(value)
        return max(values)


def _tags(kind: str, name: str, text: str) -> Sequence[int]:
    """The places that define structures of a name."""
    return _all_tags(text).get((kind, name), ())


@lru_cache(maxsize=1024)
def _all_tags(text: str) -> dict[tuple[str, str], list[int]]:
    """The place that defines each structure, by its kind and name."""
    found: dict[tuple[str, str], list[int]] = {}
    for kind in KINDS:
        # A search for a literal, without a look at what is before it, takes a tenth of the time.
        for match in re.finditer(rf"{kind}\s+(\w+)\s*\{{", text):
            start = match.start()
            if not (
                text[start - 1 : start].isalnum() or text[start - 1 : start] == "_"
            ):
                found.setdefault((kind, match[1]), []).append(start)
    return found


@lru_cache(maxsize=4096)
def _typedefs(
    name: str, text: str
) -> tuple[tuple[str, ...], tuple[tuple[int, int], ...]]:
    """The distinct declarations in typedefs of a name, and where typedefs with braces end."""
    pattern = re.compile(rf"typedef\s+([^;{{}}()]*?\W){name}\s*((?:\[[^\];]*\]\s*)*);")
    aliases = {f"{a.strip()} value{b.strip()}": None for a, b in pattern.findall(text)}
    ends = re.finditer(rf"\}}[^;{{}}=.>]*\b{name}\s*;", text)
    return tuple(aliases), tuple(end.span() for end in ends)


def _defined(declaration: str) -> Member:
    """The first name that a declaration at file scope declares."""
    found = declared(declaration)
    return found[0] if found else Member("", "")


@lru_cache(maxsize=4096)
def _declaration(text: str, start: int) -> str:
    """The text of one declaration at file scope, without its semicolon."""
    # Most are short; no uapi structure is longer than the last limit.
    for length in (1000, 4000, 20000):
        first, *rest = split(tokenize(text, start, min(len(text), start + length)), ";")
        if rest:
            return text[start : first[-1].end] if first else ""
    raise _UnknownError
