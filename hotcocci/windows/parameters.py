# SPDX-License-Identifier: GPL-2.0
"""Determine through which parameters a helper accesses user memory in its caller's window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import Call, Name, root
from hotcocci.c.parsing import parse
from hotcocci.c.source import (
    NAME,
    Token,
    called,
    closing,
    expression_at,
    split,
    tokenize,
)
from hotcocci.windows.effects import definitions
from hotcocci.windows.origins import CONVERSIONS
from hotcocci.windows.vocabulary import ACCESSORS, BEGINS, SCOPES

_DEPTH = 4
# An address that an asm statement may fault on is one of user memory.
_FAULTS = frozenset(
    {"EX_TABLE", "_ASM_EXTABLE", "_ASM_EXTABLE_UA", "_ASM_EXTABLE_TYPE"}
)
_CHECKS = frozenset({"access_ok", "__access_ok", *BEGINS, *SCOPES})


def accessed_parameters(root: Path, file: str, name: str) -> frozenset[int]:
    """The indices of the parameters that all definitions in sight access user memory through.

    One that a definition checks itself is left out. ``file`` is relative to ``root``.
    """
    return _accessed(root, file, name, _DEPTH)


@lru_cache(maxsize=4096)
def _accessed(root: Path, file: str, name: str, depth: int) -> frozenset[int]:
    if depth == 0 or name in _CHECKS or name in ACCESSORS:
        return frozenset()
    found: list[frozenset[int]] = []
    for parameters, body in definitions(root, file, name):
        used = set()
        for place, parameter in enumerate(parameters):
            if parameter and _uses(root, file, body, parameter, name, depth):
                used.add(place)
        found.append(frozenset(used))
    return frozenset.intersection(*found) if found else frozenset()


def _uses(
    root: Path,
    file: str,
    body: tuple[Token, ...],
    parameter: str,
    name: str,
    depth: int,
) -> bool:
    """Whether a body accesses user memory through a parameter, or a copy of it, without a check."""
    copies = _copies(body, parameter)
    accessed = False
    for function, arguments in _calls(body):
        given = [i for i, a in enumerate(arguments) if _base(a) in copies]
        if function in _CHECKS and 0 in given:
            return False
        if function in ACCESSORS:
            accessed |= ACCESSORS[function].pointer in given
        elif function.startswith(("asm", "__asm")):
            words = {t.text for a in arguments for t in a}
            accessed |= bool(words & copies) and not words.isdisjoint(_FAULTS)
        elif given and function != name:
            accessed |= bool(_accessed(root, file, function, depth - 1) & set(given))
    return accessed


def _copies(body: tuple[Token, ...], parameter: str) -> frozenset[str]:
    """The parameter and the variables that are set to an address in it."""
    copies = {parameter}
    for index, token in enumerate(body):
        if token.text == "=" and index and body[index - 1].kind == NAME:
            value = expression_at(body, index + 1)
            if not {t.text for t in called(value)} - CONVERSIONS:
                if _base(value) in copies:
                    copies.add(body[index - 1].text)
    return frozenset(copies)


def _base(tokens: tuple[Token, ...]) -> str:
    """The variable that an expression is an address in, or empty."""
    text = " ".join(token.text for token in tokens)
    base = root(parse(text, tokenize(text)))
    while isinstance(base, Call) and len(base.arguments) == 1:
        base = root(base.arguments[0])
    return base.text if isinstance(base, Name) else ""


def _calls(body: tuple[Token, ...]) -> Iterator[tuple[str, list[tuple[Token, ...]]]]:
    """The calls in a body with their arguments; an asm statement is one."""
    for index, (token, follower) in enumerate(zip(body, body[1:])):
        opening = index + 1
        if token.kind == NAME and follower.text == "goto" and "asm" in token.text:
            opening += 1
        if token.kind != NAME or body[opening : opening + 1] == ():
            continue
        if body[opening].text == "(":
            last = closing(body, opening)
            if last is not None:
                yield token.text, split(body[opening + 1 : last], ",")
