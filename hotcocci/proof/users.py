# SPDX-License-Identifier: GPL-2.0
"""Find the .c files that show a change of a header: all users of the macros, functions, types and members in it.

The preprocessor may make a name of parts, too: ``NETIF_F_##name##_BIT`` and ``__NETIF_F(RXHASH)``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.flow import closure
from hotcocci.c.source import DIRECTIVE, NAME, Token, tokenize
from hotcocci.proof.changed import Text, aligned, defined, through
from hotcocci.proof.objects.silent import words
from hotcocci.tree.includes import (
    NEAREST,
    foreign,
    including,
    may_name,
    nearest,
    searched,
)
from hotcocci.tree.source import decode, read

# Of more users than this, only a few are compiled, as nothing is proven then; and at most so many are looked for.
MOST = 40
MANY = 4000

_KEYWORDS = frozenset(
    "struct union enum const static unsigned signed int char short long void bool float double "
    "volatile extern typedef inline return if else while for do".split()
)
# What follows the name that a declaration declares
_DECLARED = frozenset(";,[:={})")
_MACRO = re.compile(r"\s*#\s*define\s+\w+\(([^()]*)\)")
# Shorter parts are in too many names.
LEAST = 3


@dataclass(frozen=True)
class Users:
    """The .c files to compile for a change of a header, and how many others use what changes."""

    files: tuple[str, ...]
    left: int


@lru_cache(maxsize=64)
def users(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """All users of the macros, functions, types and members that a change of a header touches.

    Those of architectures other than ``folder`` in arch/, in Rust and, of macros, in assembly and device trees are only counted;
    a function is the same for all of its users. Raises UserError without grep.
    """
    both = aligned(file, old, new)
    texts = both.sides
    names = set[str]().union(*map(names_of, texts, both.changed))
    direct = names - both.functions
    direct = direct.union(*(through(text, direct) for text in texts))
    reached = reaching(tree, file)
    own = {file, *reached}

    def find(words: Collection[str]) -> dict[str, str]:
        return {f: decode(read(tree / f)) for f in mentioning(tree, words) & own}

    found: frozenset[str] = frozenset()
    made: set[str] = set()
    more = names
    while more:
        found = mentioning(tree, names) & reached
        if len(found) > MANY:
            break
        headers = [Text(h, decode(read(tree / h))) for h in found if h.endswith(".h")]
        known = [*texts, *headers]
        more = {n for text in known for n in _using(text, names)}
        pasting = [Text(f, decode(read(tree / f))) for f in _pasting(tree, names) & own]
        macros, files = made_of_parts([*known, *pasting], names, find)
        made |= files
        more = (more | macros) - names
        names |= more
    found |= made
    using = mentioning(tree, direct) & reached
    if any(
        t.kind == DIRECTIVE and not defined(t) for side in both.changed for t in side
    ):
        # What it includes or takes away may be meant for any user.
        found = using = reached
    sources = {f for f in found if f.endswith(".c") and not foreign(f, folder)}
    chosen = nearest(tree, file, sources, MOST if len(sources) <= MOST else NEAREST)
    macros = {defined(token) for text in texts for token in text.tokens} & direct
    others = {f for f in using if foreign(f, folder)}
    # bindgen reads headers for Rust.
    others |= mentioning(tree, {f"bindings::{name}" for name in direct}, ("*.rs",))
    others |= {
        f
        for f in mentioning(tree, macros, ("*.S", "*.dts", "*.dtsi"))
        if f in reached or not f.endswith(".S")
    }
    return Users(chosen, len(sources) - len(chosen) + len(others))


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


def reaching(tree: Path, file: str) -> frozenset[str]:
    """The files that include a file, directly or through others. Raises UserError without grep."""
    by_name = _includes(tree)

    def users(wanted: str) -> list[str]:
        named = by_name.get(os.path.basename(wanted), ())
        return [user for user, name in named if may_name(tree, user, name, wanted)]

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
    mentioning: Callable[[Collection[str]], Mapping[str, str]],
) -> tuple[set[str], set[str]]:
    """The macros of these files for which a name is made in them, and the files in which it is made.

    ``mentioning`` finds the files with one of some words, and their texts.
    """
    macros: set[str] = set()
    files: set[str] = set()
    found = {part for text in texts for part in parts(text, names)}
    for macro in sorted({part.macro for part in found}):
        passed = {part.argument for part in found if part.macro == macro}
        ways = set[str]().union(*(through(text, {macro}) for text in texts))
        any_passed = re.compile(rf"\b(?:{'|'.join(sorted(passed))})\b")
        files |= {file for file, t in mentioning(ways).items() if any_passed.search(t)}
        for text in texts:
            for token in text.tokens:
                name = defined(token)
                body = {*words([token])} - {name} if name else set()
                if passed & body and ways & body:
                    macros.add(name)
    return macros, files
