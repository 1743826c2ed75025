# SPDX-License-Identifier: GPL-2.0
"""The variables of a function and their types, read from its declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.c.model import without_attributes
from hotcocci.c.source import NAME, Token, closing, split
from hotcocci.rewrite.context import Context

# Specifiers that are not part of the type
_STORAGE = frozenset("static register extern inline __always_inline noinline".split())
_NO_TYPE = frozenset("return goto else case default typedef".split())
_RECORDS = ("struct", "union", "enum")


@dataclass(frozen=True)
class Variable:
    """A parameter or a local; ``type`` as C writes it, with stars and bounds after it.

    ``tokens`` are the declaration, ``name`` is the name's token, ``value`` the
    initializer. ``words`` are the tokens of the type without stars, ``attributes``
    those after the name; ``end`` is the offset before them. ``single`` is set if the
    declaration declares nothing else.
    """

    name: Token
    type: str
    tokens: tuple[Token, ...]
    words: tuple[Token, ...]
    value: tuple[Token, ...]
    parameter: bool
    single: bool
    attributes: tuple[str, ...]
    end: int


def variables(context: Context) -> list[Variable]:
    """The parameters and locals of a function, in source order."""
    return [*_parameters(context), *locals_of(context)]


def types_of(found: Sequence[Variable]) -> dict[str, str]:
    """The types by name; a name declared with two types is left out."""
    types: dict[str, str] = {}
    for variable in found:
        name = variable.name.text
        same = types.get(name, variable.type) == variable.type
        types[name] = variable.type if same else ""
    return {name: type_ for name, type_ in types.items() if type_}


def _parameters(context: Context) -> list[Variable]:
    header = context.source.code_between(context.function.start, context.body.start)
    last = len(header) - 1
    opening = next((i for i, t in enumerate(header) if t.text == "("), None)
    if opening is None or closing(header, opening) is None:
        return []
    last = closing(header, opening) or last
    found = []
    pieces = split(header[opening + 1 : last], ",")
    if header[0].text.removeprefix("COMPAT_").startswith("SYSCALL_DEFINE"):
        # SYSCALL_DEFINE3(name, type, name, type, name)
        pieces = [(*a, *b) for a, b in zip(pieces[1::2], pieces[2::2])]
    for piece in pieces:
        found += _declared(piece, parameter=True)
    return found


def locals_of(context: Context) -> list[Variable]:
    """The variables that the blocks of a function declare."""
    found = []
    for declaration in context.declared:
        if declaration[0].kind == NAME and declaration[0].text not in _NO_TYPE:
            found += _declared(declaration[:-1], parameter=False)
    return found


def _declared(tokens: tuple[Token, ...], parameter: bool) -> list[Variable]:
    pieces = split(tokens, ",")
    found: list[Variable] = []
    words: tuple[Token, ...] = ()
    for number, whole in enumerate(pieces):
        equals = next((i for i, t in enumerate(whole) if t.text == "="), len(whole))
        piece, attributes = without_attributes(whole[:equals])
        cut = next(
            (i for i, t in enumerate(piece) if t.text in ("[", ":", "(")),
            len(piece),
        )
        named = [i for i in range(cut) if piece[i].kind == NAME]
        if number == 0:
            # The type and the name: at least two words; struct, its tag and the name
            # are three
            least = 3 if piece and _first_word(piece) in _RECORDS else 2
            plain = [i for i in named if piece[i].text not in _STORAGE]
            if len(plain) < least or any(t.text == "(" for t in piece[cut : cut + 1]):
                return []
            words = tuple(piece[i] for i in plain[:-1])
        if not named:
            return []
        name = piece[named[-1]]
        stars = sum(t.text == "*" for t in piece[:cut])
        bounds = "".join(t.text for t in piece[cut:])
        type_ = " ".join(t.text for t in words)
        type_ += (" " + "*" * stars if stars else "") + bounds
        found.append(
            Variable(
                name,
                type_,
                tokens,
                words,
                whole[equals + 1 :],
                parameter,
                len(pieces) == 1,
                tuple(word for _, those in attributes for word in those),
                piece[-1].end,
            )
        )
    return found


def _first_word(piece: Sequence[Token]) -> str:
    skipped = (*_STORAGE, "const", "volatile")
    return next((t.text for t in piece if t.text not in skipped), "")
