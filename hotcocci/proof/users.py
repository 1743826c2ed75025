# SPDX-License-Identifier: GPL-2.0
"""Find the .c files that show a change of a header: all users of the macros, functions, types and members in it.

The preprocessor may make a name of parts, too: ``NETIF_F_##name##_BIT`` and ``__NETIF_F(RXHASH)``.
"""

import os
import re
import time
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.conditionals import conditions
from hotcocci.c.flow import closure
from hotcocci.c.functions import Functions
from hotcocci.c.source import DIRECTIVE, NAME, WORD, Token, bare, tokenize
from hotcocci.proof.changed import Text, aligned, defined, through
from hotcocci.proof.objects.silent import words
from hotcocci.tree.includes import (
    INCLUDE,
    NEAREST,
    foreign,
    including,
    may_name,
    nearest,
    searched,
)
from hotcocci.tree.source import decode, read, text_beside

# Of more users than this, only a few are compiled, as nothing is proven then, and no more are looked for.
MOST = 40
# Limit on the processor time of a search, without what grep takes
SECONDS = 60.0

_KEYWORDS = frozenset(
    "struct union enum const static unsigned signed int char short long void bool float double "
    "volatile extern typedef inline return if else while for do".split()
)
# What follows the name that a declaration declares
_DECLARED = frozenset(";,[:={})")
_MACRO = re.compile(r"\s*#\s*define\s+\w+\(([^()]*)\)")
# What depends on the code that a function is inlined in
_CONSTANT = frozenset("__builtin_constant_p __builtin_object_size".split())
# In preprocessed text, a file that is read, and a macro; the same in another text
_DEFINED = re.compile(r'^# \d+ "(.*?)"|^#define (\w+)(\([^()]*\))?(.*)', re.MULTILINE)
_DEFINES = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
# A word that no compiler defines
_FREE = re.compile(r"(?!__has_)[A-Za-z_]\w*")
_STRING = re.compile(r'"[^"]*"')
# Shorter parts are in too many names.
LEAST = 3


@dataclass(frozen=True)
class Users:
    """The .c files to compile for a change of a header, and how many others use what changes: `MOST` if not all are known.

    ``headers`` use it, too.
    """

    files: tuple[str, ...]
    left: int
    headers: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def users(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """All users of the macros, functions, types and members that a change of a header touches.

    Those of architectures other than ``folder`` in arch/, in Rust and, of macros, in assembly and device trees are only counted;
    a function is the same for all of its users. Raises UserError without grep.
    """
    both = aligned(file, old, new)
    if not any(both.changed):
        return Users((), 0)
    texts = both.sides
    names = set[str]().union(*map(names_of, texts, both.changed))
    direct = names - both.functions
    direct = direct.union(*(through(text, direct) for text in texts))
    reached = reaching(tree, file)

    def sources(found: Set[str]) -> set[str]:
        return {f for f in found if f.endswith(".c") and not foreign(f, folder)}

    # What it includes or takes away may be meant for any user.
    by_name = not any(
        t.kind == DIRECTIVE and not defined(t) for side in both.changed for t in side
    )
    found, late = set[str]() if by_name else {*reached}, False
    until = time.process_time() + SECONDS
    for found in _searched(tree, texts, names, reached) if by_name else ():
        late = time.process_time() > until
        if late or len(sources(found)) >= MOST + NEAREST:
            break
    compiled = sources(found)
    several = late or len(compiled) > MOST
    chosen = nearest(tree, file, compiled, NEAREST if several else MOST)
    left = MOST if late else len(compiled) - len(chosen)
    if left < MOST:
        using = mentioning(tree, direct) & reached if by_name else reached
        macros = {defined(token) for text in texts for token in text.tokens} & direct
        others = {f for f in using if foreign(f, folder)}
        # bindgen reads headers for Rust.
        others |= mentioning(tree, {f"bindings::{name}" for name in direct}, ("*.rs",))
        others |= {
            f
            for f in mentioning(tree, macros, ("*.S", "*.dts", "*.dtsi"))
            if f in reached or not f.endswith(".S")
        }
        left += len(others)
    headers = {f for f in found if f.endswith(".h") and not foreign(f, folder)}
    of_names = headers - {file} if by_name else ()
    return Users(chosen, min(left, MOST), tuple(sorted(of_names)))


def _searched(
    tree: Path, texts: Sequence[Text], names: Set[str], reached: Set[str]
) -> Iterator[set[str]]:
    """The files that use names of a header, again and again, as some are used through others; ``reached`` include it."""
    own = {*reached, texts[0].file}
    known, pasting = [*texts], list[Text]()
    found, named, fresh = set[str](), set(names), set(names)

    def find(*words: Collection[str]) -> dict[str, str]:
        files = own.intersection(*(mentioning(tree, each) for each in words))
        return {f: decode(read(tree / f)) for f in files}

    while fresh:
        seen = mentioning(tree, fresh) & reached - found
        found |= seen
        known += (Text(h, decode(read(tree / h))) for h in seen if h.endswith(".h"))
        there = (_pasting(tree, fresh) & own) - {text.file for text in pasting}
        pasting += (Text(f, decode(read(tree / f))) for f in there)
        macros, files = made_of_parts([*known, *pasting], named, find)
        found |= files
        fresh = macros.union(*(_using(text, named) for text in known)) - named
        named |= fresh
        yield found


def functions_of(file: str, old: str, new: str) -> tuple[str, ...]:
    """The functions of a header if a change is only in their bodies, and they do the same wherever they are inlined."""
    both = aligned(file, old, new)
    if not file.endswith(".h") or not _CONSTANT.isdisjoint(both.names):
        return ()
    found = set[str]()
    for text, changed in zip(both.sides, both.changed):
        bodies = Functions(text.text).bodies
        for token in changed:
            own = [b.name for b in bodies if b.start < token.start < b.end]
            if token.kind == DIRECTIVE or not own:
                return ()
            found.update(own)
    return tuple(sorted(found))


OTHER_COMPILER = re.compile(r"/linux/compiler-(?!gcc)\w+\.h$")


def meant_otherwise(
    tree: Path,
    file: str,
    folder: str,
    functions: Collection[str],
    names: Set[str],
    always: Collection[str],
    said: str,
) -> str:
    """A file whose definitions may change what functions of a header are where it is included; empty without one.

    ``names`` are those in them, and ``said`` is what gcc -E -dD says of one file that includes it, and ``always`` others.
    Other architectures than that of ``folder`` are left out. Raises UserError without grep.
    """
    bodies, read_there = dict[str, set[str]](), {file: set[str]()}
    place = file
    for found in _DEFINED.finditer(said):
        place = found[1] or place
        own = read_there.setdefault(place, set())
        if found[2]:
            own.add(found[2])
            used = {*WORD.findall(_STRING.sub("", found[4]))}
            used -= {*WORD.findall(found[3] or "")}
            bodies.setdefault(found[2], set()).update(used)
    meant = set(closure(names, lambda name: bodies.get(name, set())))
    text = text_beside(tree / file)
    places = [(b.start, b.end) for b in Functions(text).bodies if b.name in functions]
    words = meant.union(_tests(text, places))
    for place, own in read_there.items():
        there = text_beside(tree / place) if own & meant else ""
        words |= {
            *_tests(
                there, [m.span() for m in _DEFINES.finditer(there) if m[1] in meant]
            )
        }
    common = _common(tree, [file, *always], read_there)
    private = (f for f, own in read_there.items() if own & words and "/" in f)
    for place in private:
        if place not in common:
            # Not all users include it.
            return place
    either = "|".join(sorted(filter(_FREE.fullmatch, words)))
    define = rf"^[[:space:]]*#[[:space:]]*(define|undef)[[:space:]]+({either})\b"
    found_there = searched(tree, ["-lE", "-e", define], ("*.c", "*.h"))
    others = [
        other
        for other in (each.removeprefix("./") for each in found_there)
        if not foreign(other, folder)
        # gcc reads nothing of other compilers (include/linux/compiler_types.h).
        and not OTHER_COMPILER.search(f"/{other}")
        and not any(f"/{place}".endswith(f"/{other}") for place in read_there)
    ]
    users, using, fresh = set[str](), set[str](), {*functions} if others else set()
    headers = {file: Text(file, text)}
    while fresh:
        using |= fresh
        users |= mentioning(tree, fresh)
        for h in (each for each in users - headers.keys() if each.endswith(".h")):
            headers[h] = Text(h, decode(read(tree / h)))
        fresh = set[str]().union(*(_using(h, using) for h in headers.values())) - using
    beside = ((f, {f, *reaching(tree, f, folder)} - {file}) for f in others)
    return next((f for f, reached in beside if users & reached), "")


def _common(tree: Path, files: Iterable[str], places: Iterable[str]) -> list[str]:
    """Which of these places are of files, and of what they include in turn."""
    by_name: dict[str, list[str]] = {}
    for place in places:
        by_name.setdefault(os.path.basename(place), []).append(place)

    def named(names: Iterable[str]) -> list[str]:
        return [
            place
            for name in names
            for place in by_name.get(os.path.basename(name), ())
            if f"/{place}".endswith(f"/{name.rpartition('./')[2]}")
        ]

    def included(place: str) -> list[str]:
        lines = text_beside(tree / place).split("\n")
        return named(m[1] for line in lines if (m := INCLUDE.match(line)))

    return closure(named(files), included)


def _tests(text: str, places: Collection[tuple[int, int]]) -> Iterator[str]:
    """The words in the conditions that parts of a text are in, or have in them."""
    for condition in conditions(text) if places else ():
        start, end = condition.branches[0].start, condition.branches[-1].end
        if any(start < b and a < end for a, b in places):
            for branch in condition.branches:
                yield from WORD.findall(bare(branch.test))


def _using(text: Text, names: set[str]) -> set[str]:
    """The names of a header through which others use these: macros, and functions with a body."""
    found = through(text, names)
    using = {text.function(token) for token in text.tokens if token.text in found}
    return found | using - {""}


def names_of(text: Text, tokens: Iterable[Token]) -> set[str]:
    """The names of what these tokens are part of."""
    tokens = list(tokens)
    named = {defined(token) or text.function(token) for token in tokens} - {""}
    return named | declarations(text, tokens).keys()


def declarations(text: Text, tokens: Iterable[Token]) -> dict[str, list[str]]:
    """The names that are declared outside functions by what has some of these tokens, each with all that declares it."""
    own = {t.start for t in tokens if t.kind != DIRECTIVE and not text.function(t)}
    return {
        name: [token.text for token in item]
        for item in (_items(text) if own else ())
        if not own.isdisjoint(token.start for token in item)
        for name in _declared(item)
    }


def _items(text: Text) -> Iterator[list[Token]]:
    """The declarations outside functions, each up to its semicolon."""
    item: list[Token] = []
    depth = 0
    for token in text.tokens:
        if token.kind == DIRECTIVE or token.start in text.pieces.owner:
            continue
        item.append(token)
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == ";" and depth <= 0:
            yield item
            item, depth = [], 0
    yield item


def _declared(item: list[Token]) -> set[str]:
    """The names that a declaration declares: a type and its members, or a function or variable."""
    head = [token.text for token in item]
    if "{" not in head and "(" in head:
        return {head[max(head.index("(") - 1, 0)]} - _KEYWORDS
    found = {
        token.text
        for token, follower in zip(item, item[1:])
        if token.kind == NAME and follower.text in _DECLARED
    }
    return found - _KEYWORDS


def mentioning(
    tree: Path, names: Collection[str], kinds: tuple[str, ...] = ("*.c", "*.h")
) -> frozenset[str]:
    """The files of these kinds in which one of these words occurs. Raises UserError without grep."""
    words = [word for name in sorted(names) for word in ("-e", name)]
    found = searched(tree, ["-lwF", *words], kinds) if words else []
    return frozenset(file.removeprefix("./") for file in found)


def _pasting(tree: Path, names: Collection[str]) -> set[str]:
    """The files with macros that may make one of these names of parts. Raises UserError without grep."""
    parts = pattern(names)
    found = searched(tree, ["-lE", "-e", parts], ("*.c", "*.h")) if parts else []
    return {file.removeprefix("./") for file in found}


def reaching(tree: Path, file: str, folder: str = "") -> frozenset[str]:
    """The files that include a file, directly or through others, of this ``folder`` in arch/ if one is given. Raises UserError without grep."""
    by_name = _includes(tree)

    def users(wanted: str) -> list[str]:
        named = by_name.get(os.path.basename(wanted), ())
        own = (each for each in named if not folder or not foreign(each[0], folder))
        return [user for user, name in own if may_name(tree, user, name, wanted)]

    return frozenset(closure([file], users)) - {file}


@lru_cache(maxsize=2)
def _includes(tree: Path) -> dict[str, list[tuple[str, str]]]:
    """Every #include of a tree: the file it is in and the name, by the last part of the name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for user, name in including(tree):
        found.setdefault(os.path.basename(name), []).append((user, name))
    return found


@dataclass(frozen=True)
class Part:
    """A macro that makes a name of an argument, and that argument."""

    macro: str
    argument: str


def pattern(names: Collection[str]) -> str:
    """A pattern for grep -E that files with a macro match if it may make one of these names; empty if none can."""
    ends: set[str] = set()
    for name in names:
        places = [found.end() for found in re.finditer("_", name)]
        ends |= {rf"\b{name[:at]}[[:space:]]*##" for at in places if at >= LEAST}
        ends |= {
            rf"##[[:space:]]*{name[at - 1 :]}\b"
            for at in places
            if 1 < at <= len(name) - LEAST
        }
    return "|".join(sorted(ends))


def parts(text: Text, names: Collection[str]) -> Iterator[Part]:
    """The macros of a file that make one of these names of an argument."""
    for token in text.tokens:
        macro = defined(token)
        found = _MACRO.match(token.text) if macro and "##" in token.text else None
        if found is None:
            continue
        own = {name.strip() for name in found[1].split(",")}
        for chain in _chains(tokenize(token.text[found.end() :])):
            made = re.compile(
                "".join(r"(\w+)" if t in own else re.escape(t) for t in chain)
            )
            if own.issuperset(chain):
                continue  # Any name may be made of that.
            for name in names:
                for rest in m.groups() if (m := made.fullmatch(name)) else ():
                    yield Part(macro, rest)


def _chains(code: tuple[Token, ...]) -> Iterator[list[str]]:
    """The names that are pasted together, each time."""
    chain: list[str] = []
    texts = [t.text for t in code if t.text != "\\"]
    for at, text in enumerate(texts):
        if text == "##" or not re.fullmatch(r"\w+", text):
            continue
        if at < 2 or texts[at - 1] != "##" or not chain:
            if len(chain) > 1:
                yield chain
            chain = []
        chain.append(text)
    if len(chain) > 1:
        yield chain


def made_of_parts(
    texts: Collection[Text],
    names: Collection[str],
    mentioning: Callable[..., Mapping[str, str]],
) -> tuple[set[str], ...]:
    """The macros of these files for which a name is made in them, and the files in which it is made.

    ``mentioning`` finds the files with one of some words, and one of others, and their texts.
    """
    passing: dict[str, set[str]] = {}
    for part in (part for text in texts for part in parts(text, names)):
        passing.setdefault(part.macro, set()).add(part.argument)
    ways = {
        macro: set[str]().union(*(through(text, {macro}) for text in texts))
        for macro in passing
    }
    # One search for all
    each = (set[str]().union(*those.values()) for those in (ways, passing))
    using = mentioning(*each) if passing else {}
    named = {file: {*re.findall(r"\w+", text)} for file, text in using.items()}
    bodies = [
        (name, {*words([token])} - {name})
        for text in (texts if passing else ())
        for token in text.tokens
        if (name := defined(token))
    ]
    pairs = [(ways[macro], passed) for macro, passed in passing.items()]
    return tuple(
        {each for each, own in several if any(own & w and own & p for w, p in pairs)}
        for several in (bodies, named.items())
    )
