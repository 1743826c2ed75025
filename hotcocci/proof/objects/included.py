# SPDX-License-Identifier: GPL-2.0
"""Names that a file takes from another header than before, where an architecture or an option has none of its own.

Of linux/io-64-nonatomic-lo-hi.h and …-hi-lo.h nothing is left with 64 bits, where asm/io.h has writeq(). And what
another header includes here need not come with it elsewhere: headers of architectures include others than ours do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from hotcocci.c.flow import closure
from hotcocci.c.source import NAME, Token, bare
from hotcocci.proof.changed import Text, word_of
from hotcocci.proof.objects.conditional import is_conditional, is_under_condition

UNDECLARED = "{} may not be declared without it on another architecture, or in another configuration"

_FILE = re.compile(r'^# \d+ "([^"<]+)"', re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*")
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
            words = shared & set(_WORD.findall(text))
            found.update(n for n in words if is_conditional(n, text, own=False))
        yield from sorted(found)

    def undeclared(self) -> list[str]:
        """The names in the second text of headers that only the first one includes in any case, sorted."""
        own, other = map(self._included, self.texts)
        declared = {
            name
            for header in own - other
            for each in _DECLARES.findall(self._code(header))
            for name in each
        }
        known = {w for header in other for w in _WORD.findall(self._code(header))}
        return sorted(_names(self.texts[1]) & declared - known)

    def _included(self, text: Text) -> set[str]:
        """The headers that a text includes, also through others, whatever the configuration and the architecture."""
        files = set(_FILE.findall("".join(self.preprocessed)))

        def following(said: str, own: bool = False) -> list[str]:
            names = [
                f"/{each[1]}"
                for each in _INCLUDE.finditer(said)
                if own or not is_under_condition(said, each.start())
            ]
            return [file for file in files if file.endswith(tuple(names))]

        def inside(file: str) -> list[str]:
            return [] if "arch/" in file else following(self._code(file))

        return {*closure(following(text.text, True), inside)}

    def _code(self, header: str) -> str:
        return bare(self.text_of(header))


def _names(text: Text) -> Set[str]:
    return {token.text for token in text.tokens if token.kind == NAME}
