# SPDX-License-Identifier: GPL-2.0
"""Put marks before pieces of functions, and of the bodies of macros, that a compiler emits if it keeps the piece."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from hotcocci.c.source import COMMENT, DIRECTIVE, Token, apply, tokenize
from hotcocci.findings import Edit
from hotcocci.proof.changed import Text, defined, unequal
from hotcocci.proof.objects.pieces import Pieces, Reader

_NAME = re.compile(r"\s*#\s*define\s+\w+(?:\([^()]*\))?")
_CONTINUED = re.compile(r"\\\n")


@dataclass(frozen=True)
class Bodies(Text):
    """A file of which the pieces are those of its ``macros``; ``theirs`` are of the other side, by name.

    A piece that is a whole body has a mark where it is used.
    """

    macros: tuple[Token, ...] = ()
    theirs: tuple[Token, ...] = ()

    @cached_property
    def pieces(self) -> Pieces:
        found = Pieces()
        for macro in self.macros:
            code = [token for token in inside(macro) if token.kind != DIRECTIVE]
            Reader(code, found, "").body(0, len(code))
            for token in code:
                piece = found.owner.get(token.start, -1)
                if piece < 0 or found.all[piece].at <= code[0].start:
                    found.owner.pop(token.start, None)
        return found

    def changed(self) -> Iterator[tuple[Token, Token]]:
        """The changed tokens that are in a piece, each with its macro."""
        others = {defined(token): token for token in self.theirs}
        for macro in self.macros:
            own = inside(macro)
            other = others.get(defined(macro))
            rest = [token.text for token in inside(other)] if other else []
            for start, end, _, _ in unequal([t.text for t in own], rest):
                changed = (t for t in own[start:end] if t.start in self.pieces.owner)
                yield from ((token, macro) for token in changed)


def _length(macro: Token) -> int:
    """The offset of the body of a macro in its directive."""
    found = _NAME.match(macro.text)
    assert found, "it defines a macro"
    return found.end()


def inside(macro: Token) -> Sequence[Token]:
    """The tokens of the body of a macro, with their places in the file."""
    start = _length(macro)
    body = _CONTINUED.sub(" \n", macro.text[start:])
    away = macro.start + start
    return [
        token._replace(start=token.start + away, end=token.end + away)
        for token in tokenize(body)
        if token.kind != COMMENT
    ]


def marked(text: Text, wanted: set[int]) -> str:
    """The text with a mark before each of these pieces, on the same lines."""
    inserted: list[tuple[int, bool, int, str]] = []
    for number in wanted:
        piece = text.pieces.all[number]
        mark = f'asm volatile("hotcocci {number}");'
        if piece.operand is not None:
            code = tokenize(_CONTINUED.sub(" \n", text.text), *piece.operand)
            operand = " ".join(t.text for t in code if t.kind != COMMENT)
            constant = f'asm volatile("hotcocci {number} constant");'
            mark = f"if (__builtin_constant_p({operand})) {constant} else {mark}"
        before, after = piece.form
        inserted.append((piece.at, True, number, before.format(mark=mark)))
        if after:
            inserted.append((piece.end, False, number, after.format()))
    edits = (Edit(at, at, what) for at, _, _, what in sorted(inserted))
    return apply(text.text, tuple(edits))
