# SPDX-License-Identifier: GPL-2.0
"""Find uses of a name that the preprocessor makes of parts: ``NETIF_F_##name##_BIT`` and ``__NETIF_F(RXHASH)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from hotcocci.c.source import Token, tokenize
from hotcocci.proof.changed import Text, defined, through
from hotcocci.proof.objects.silent import words

_MACRO = re.compile(r"\s*#\s*define\s+\w+\(([^()]*)\)")
# Shorter parts are in too many names.
LEAST = 3


@dataclass(frozen=True)
class Part:
    """A macro that makes a name of an argument, and that argument."""

    macro: str
    argument: str


def pattern(names: Collection[str]) -> str:
    """What grep -E finds in files with a macro that may make one of these names; empty if nothing can."""
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


def made(
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
