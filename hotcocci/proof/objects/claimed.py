# SPDX-License-Identifier: GPL-2.0
"""Find names that mean something else, or nothing, where the same C is compiled otherwise.

A new name may be another header's, or a compiler's. What a file takes from another header than before, an architecture
or an option may have none of its own of: of linux/io-64-nonatomic-lo-hi.h and …-hi-lo.h nothing is left with 64 bits,
where asm/io.h has writeq(). And what another header includes here need not come with it elsewhere. Of variables and
constants that change, code shows only where it uses them, which another configuration may.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from hotcocci.c.flow import closure
from hotcocci.c.source import (
    DIRECTIVE,
    NAME,
    WORD,
    Token,
    bare,
    closing,
    split,
    tokenize,
)
from hotcocci.proof.changed import Text, defined, word_of
from hotcocci.proof.objects.conditional import is_conditional, is_under_condition
from hotcocci.proof.objects.silent import NAMES, words

CLAIMED = "a header, or a compiler, of another architecture or configuration may define this name"

# Of headers for programs of user space
KERNEL = "the kernel's {} is not in headers for user space"

# smp_load_acquire() of arm64, riscv and s390 has a variable __p, and compilers for i386 define that name.
_CLAIMED = re.compile(r"_\w+|linux|unix|i386|mips|sparc|hppa|mc68\d+|powerpc|PPC")
_NO_TYPE = frozenset(
    "return goto case else do struct union enum sizeof const volatile __force".split()
)
# What follows the name of a variable, parameter, member or function in its declaration
_NAMED = frozenset("; , = [ ) ( :".split())
# The same outside of functions
_BEGUN = frozenset("; , = [ ( {".split())

# In headers, by grep -o: vip of alpha, which nothing else has, and functions of other architectures
_DEFINED = r"^[[:space:]]*#[[:space:]]*define[[:space:]]+({})\b\(?"
# Functions, variables and types; enumerators
_DECLARED = (
    r"^[A-Za-z_].*[ *]({0})[[:space:]]*\(|^extern[[:space:]][^(]*[ *]({0})\b"
    r"|^(struct|union|enum)[[:space:]]+({0})[[:space:]]*($|[{{])"
)
_ENUMERATED = r"^[[:space:]]+({0})[[:space:]]*($|[=,])"
_HEAD = re.compile(r"\s*#\s*define\s+\w+(\([^()]*\))?")
_LAST = re.compile(r"(\w+)\s*([(;]?)[={,]?$")
_TYPE = r"^typedef[ ].*[ *]({});"
# scripts/headers_install.sh
_REPLACED = frozenset(
    "__user __force __iomem __attribute_const__ __packed inline asm volatile".split()
)


def claimed(
    own: Text,
    other: Text,
    search: Callable[[str], Sequence[str]],
    is_macro: Callable[[str], bool],
) -> Iterator[tuple[Token, str]]:
    """The new names of variables, parameters, members, labels, functions and macros that others may use, too.

    ``search`` finds what matches in all headers of a tree, ``is_macro`` knows the macros in sight.
    """
    code = list(_code(own.tokens))
    # What is a parameter of a macro is no name in its body.
    heads = (_HEAD.match(token.text) for token in own.tokens if defined(token))
    known = {
        *words(other.tokens),
        *(w for h in heads if h for w in WORD.findall(h[1] or "")),
    }
    fresh = list(_fresh(code, known))
    called = {a.text for a, b in zip(code, code[1:]) if b.text == "("}
    names = {token.text for token in fresh}
    functions = names & {piece.function for piece in own.pieces.all}
    outside = [*_outside(own, known)]
    functions |= {token.text for token in outside}
    macros = {m: token for token in own.tokens if (m := defined(token)) not in known}
    macros.pop("", None)
    capital = {*filter(str.isupper, functions)}
    several = (
        (names | macros.keys(), _DEFINED),
        (functions, _DECLARED),
        (capital, _ENUMERATED),
    )
    found = _matches(several, search)
    # The name of a macro with parameters is free where nothing is called by it.
    taken = {m[1] for m in found if not m[2] or m[1] in called}
    for token in dict.fromkeys([*fresh, *outside]):
        name = token.text
        in_macro = not own.text.startswith(name, token.start)
        local = name not in functions and (in_macro or own.function(token))
        if name in taken or local and _CLAIMED.fullmatch(name):
            # An attribute, or a type, is no new name.
            if not is_macro(name):
                yield token, CLAIMED
    again = {m[1] for m in found if m.string.startswith("arch/")}
    yield from ((token, CLAIMED) for name, token in macros.items() if name in again)


def _outside(own: Text, known: Set[str]) -> Iterator[Token]:
    """The new names of functions, variables and types of the file, and of its enumerators."""
    depth = 0
    for at, (before, token) in enumerate(pairwise(own.code), 2):
        depth += (before.text in ("(", "[", "{")) - (before.text in (")", "]", "}"))
        named = token.kind == NAME and token.text not in known and before.text != ","
        named = named and not token.text.startswith("__attribute")
        # static int a __read_mostly = 1
        after = own.code[at : at + 2]
        ends = after[1:] if after and after[0].text.startswith("__") else after[:1]
        if depth == 0 and named and any(t.text in _BEGUN for t in ends):
            yield token
    new = enumerators(own.code).keys() - known
    yield from (token for token in own.code if token.text in new)


def unknown(own: Text, other: Text) -> list[str]:
    """The names that only the first text has, and does not declare, sorted: another program that compiles it may have none of them."""
    code, known = [*_code(own.tokens)], {*words(other.tokens)}
    new = {*filter(str.isidentifier, words(own.tokens))} - known
    return sorted(new - {token.text for token in _fresh(code, known)})


def _code(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens that are code, also those of the bodies of macros, which are where their macros begin."""
    for token in tokens:
        if token.kind != DIRECTIVE:
            yield token
        elif found := _HEAD.match(token.text):
            body = tokenize(token.text[found.end() :].replace("\\\n", " "))
            yield from (each._replace(start=token.start) for each in body)


def _fresh(code: Sequence[Token], known: Set[str]) -> Iterator[Token]:
    for before, kind, name, after in zip(code, code[1:], code[2:], code[3:]):
        point = before if kind.text == "*" else kind
        typed = point.kind == NAME and point.text not in _NO_TYPE or point.text == ","
        pointer = kind.text == "*" and before.text in "*("
        label = kind.text in ("{", "}", ";") and after.text == ":"
        if name.kind == NAME and name.text not in known and after.text in _NAMED:
            if pointer or typed or label:
                yield name


def _matches(
    several: Iterable[tuple[Collection[str], str]],
    search: Callable[[str], Sequence[str]],
) -> list[re.Match[str]]:
    """Where some patterns for names match at the end of a line that begins with a file."""
    patterns = [form.format("|".join(sorted(of))) for of, form in several if of]
    lines = search("|".join(patterns)) if patterns else ()
    return [found for line in lines if (found := _LAST.search(line))]


def for_kernel(
    own: Text, other: Text, search: Callable[[str], Sequence[str]]
) -> Iterator[tuple[Token, str]]:
    """The new names in a header for programs of user space that only the kernel's own headers define."""
    mine = {defined(token) for token in own.tokens} | _REPLACED
    said = filter(str.isidentifier, words(own.tokens))
    names = {*said} - {*words(other.tokens)} - mine
    found = _matches(((names, _DEFINED), (names, _TYPE)), search)
    theirs = {m[1] for m in found if "uapi/" in m.string}
    kernel = {m[1] for m in found} - theirs
    for token in own.tokens:
        for name in sorted(kernel.intersection(words([token]))):
            yield token, KERNEL.format(name)


UNDECLARED = "{} may not be declared without it on another architecture, or in another configuration"

OF_SOME = "{} is a header that not every architecture has"

ARRIVES = "{} is declared by no header that the file includes on each architecture, and in each configuration"

_FILE = re.compile(r'^# \d+ "([^"<]+)"', re.MULTILINE)
# Makefile, scripts/Makefile.lib: LINUXINCLUDE, c_flags
_OF_ARCH = re.compile(r"/asm(?:-generic)?/|/linux/byteorder/")
_ASM = re.compile(r"\basm/.*")
_ALWAYS = re.compile(r"/linux/(?:compiler-version|kconfig|compiler_types)\.h$")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
# What a header declares: macros, functions, types, enumerators
_DECLARES = re.compile(
    r"#[ \t]*define[ \t]+(\w+)|\b(\w+)\s*\(|\b(?:struct|union|enum)\s+(\w+)\s*\{"
    r"|^\s*([A-Z][A-Z0-9_]+)\s*[=,]",
    re.MULTILINE,
)


def includes(tokens: Sequence[Token]) -> list[Token]:
    """The directives among tokens that include a header."""
    return [token for token in tokens if word_of(token) == "include"]


class Included(NamedTuple):
    """Two versions of a file, what ``gcc -E`` makes of them, and how to read a file that it names."""

    texts: tuple[Text, Text]
    preprocessed: tuple[str, str]
    text_of: Callable[[str], str]

    def overrides(self) -> Iterator[str]:
        """The names in both texts that a header defines under a condition, which only the first one includes, sorted."""
        own, other = (set(_FILE.findall(said)) for said in self.preprocessed)
        shared = _names(self.texts[0]) & _names(self.texts[1])
        found: set[str] = set()
        for header in own - other:
            text = self.text_of(header)
            words = shared & set(NAMES.findall(text))
            found.update(n for n in words if is_conditional(n, text, own=False))
        yield from sorted(found)

    def of_some(self, has_each: Callable[[str], bool]) -> Iterator[str]:
        """The headers asm/… that the first text includes, also through others, and the second one does not, but for those that ``has_each``."""
        sight = Sight({*_FILE.findall("".join(self.preprocessed))}, self.text_of)
        own, other = (sight.certain([text]) for text in self.texts)
        found = {m[0] for file in own - other if (m := _ASM.search(file))}
        yield from sorted(header for header in found if not has_each(header))

    def undeclared(self) -> list[str]:
        """The names in the second text of headers that only the first one includes in any case, sorted."""
        sight = Sight({*_FILE.findall("".join(self.preprocessed))}, self.text_of)
        own, other = (sight.certain([text]) for text in self.texts)
        return sorted(sight.declared(_names(self.texts[1]), own - other, other))


class Sight(NamedTuple):
    """The ``files`` that a compilation reads, and how to read them."""

    files: Collection[str]
    text_of: Callable[[str], str]

    def arriving(self, own: Text, other: Text, around: Iterable[Text]) -> set[str]:
        """The names that only the first text has, of headers that neither it nor those ``around`` need include.

        The architecture, or an option, has them included here.
        """
        mine = (token for token in own.tokens if token.kind == NAME or defined(token))
        fresh = {*filter(str.isidentifier, words(mine))} - {*words(other.tokens)}
        texts = own, *around
        certain = self.certain(texts) if fresh else set()
        itself = tuple(f"/{text.file}" for text in texts)
        others = (f for f in self.files if not f.endswith(itself))
        return self.declared(fresh, {*others} - certain, certain)

    def declared(
        self, names: Set[str], headers: Iterable[str], others: Iterable[str]
    ) -> set[str]:
        """The names that these headers declare, and that the ``others`` do not have."""
        left = set(names)
        for header in others:
            left.difference_update(NAMES.findall(self._code(header)) if left else ())
        found = (_DECLARES.findall(self._code(h)) for h in headers if left)
        return left.intersection(n for each in found for names in each for n in names)

    def certain(self, texts: Iterable[Text]) -> set[str]:
        """The headers that texts include, also through others, whatever the configuration and the architecture."""

        def following(said: str, own: bool = False) -> list[str]:
            names = [
                f"/{each[1]}"
                for each in _INCLUDE.finditer(said)
                if own or not is_under_condition(said, each.start())
            ]
            return [file for file in self.files if file.endswith(tuple(names))]

        def inside(file: str) -> list[str]:
            found = following(self._code(file))
            # Of others that asm/*.h includes, another architecture has none.
            return [*filter(_OF_ARCH.search, found)] if "arch/" in file else found

        own = (file for text in texts for file in following(bare(text.text), True))
        return {*closure([*own, *filter(_ALWAYS.search, self.files)], inside)}

    def _code(self, header: str) -> str:
        return bare(self.text_of(header))


def _names(text: Text) -> Set[str]:
    return {token.text for token in text.tokens if token.kind == NAME}


def unused(
    own: Text, changed: Sequence[Token], other: Text, symbols: Set[str]
) -> Iterator[Token]:
    """The changed tokens of static tables and structures that are among no ``symbols``.

    What the other side has not, nothing may use.
    """
    known = _names(other)
    for name, differs, is_table in _changed(own, changed):
        if is_table and name in known and name not in symbols:
            yield from differs


def folded(
    own: Text, changed: Sequence[Token], other: Text, symbols: Set[str]
) -> set[str]:
    """The enumerators, and the static numbers that are among no ``symbols``, whose values changed."""
    numbers = _changed(own, changed)
    found = {name for name, _, is_table in numbers if not is_table} - symbols
    mine, theirs = enumerators(own.code), enumerators(other.code)
    found |= {n for n in mine.keys() & theirs.keys() if mine[n] != theirs[n]}
    return {*closure(found, lambda name: (n for n in mine if name in mine[n][0]))}


def enumerators(code: Sequence[Token]) -> dict[str, tuple[tuple[str, ...], int]]:
    """The enumerator from which each is counted, and the distance."""
    found = {}
    for at, token in enumerate(code):
        # enum, enum name, enum __packed name
        near = [each.text for each in code[at : at + 4]] if token.text == "enum" else []
        if "{" not in near:
            continue
        opened = at + near.index("{")
        base: tuple[str, ...] = ()
        number = 0
        for part in filter(None, split(code[opened + 1 : closing(code, opened)], ",")):
            words = tuple(each.text for each in part)
            if "=" in words:
                base, number = words[words.index("=") + 1 :], 0
            found[words[0]] = base, number
            number += 1
    return found


def _changed(
    text: Text, changed: Sequence[Token]
) -> Iterator[tuple[str, list[Token], bool]]:
    """The static variables with changed tokens: the name, these, and whether it is more than a number."""
    places = {token.start for token in changed}
    for own in _definitions(text.code):
        differs = [token for token in own if token.start in places]
        words = [token.text for token in own] if differs else []
        name = _static(words)
        if name:
            yield name, differs, "{" in words


def _definitions(code: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The declarations and definitions of a file, but for functions."""
    start = depth = opened = 0
    for at, token in enumerate(code):
        if token.text == "{" and depth == 0:
            opened = at
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0 and token.text == ";":
            yield code[start:at]
            start = at + 1
        elif depth == 0 and token.text == "}" and code[opened - 1].text == ")":
            start = at + 1


def _static(words: Sequence[str]) -> str:
    """The name of the static variable that a definition with a value is of; empty if it is of something else."""
    if "static" not in words[:2] or "=" not in words:
        return ""
    place = min(words.index(mark) for mark in "=[" if mark in words)
    names = [w for w in words[:place] if w.isidentifier() and not w.startswith("__")]
    return names[-1] if "(" not in words[:place] and names else ""
