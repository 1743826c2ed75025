# SPDX-License-Identifier: GPL-2.0
"""Determine in which directions a called macro or inline function accesses user memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.constants import view
from hotcocci.c.source import (
    COMMENT,
    NAME,
    STRING,
    Token,
    called,
    closing,
    split,
    tokenize,
)
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.windows.vocabulary import ACCESSORS

# Of the compiler, or defined by assertions and assembly that touch no user memory
_HARMLESS = frozenset(
    "access_ok IS_ENABLED READ_ONCE WRITE_ONCE ARRAY_SIZE BUILD_BUG_ON barrier typeof __typeof__ "
    "sizeof_field offsetof defined".split()
)
_BUILTIN = "__builtin_"
_ASM = re.compile(r"_*asm(?:_\w+)?_*")
# Nested macros and functions; unsafe_save_user_regs() in powerpc's signal_32.c needs 5
_DEPTH = 8


def directions(root: Path, file: str, name: str) -> frozenset[str] | None:
    """The directions of all accesses that a call in a file makes; None if they are not known.

    ``file`` is relative to ``root``. A name that is a macro or a function with a definition in
    sight is followed into all its definitions; assembly and calls through pointers are unknown.
    """
    return _directions(root, file, name, _DEPTH)


@lru_cache(maxsize=8192)
def _directions(root: Path, file: str, name: str, depth: int) -> frozenset[str] | None:
    accessor = ACCESSORS.get(name)
    if accessor is not None:
        both = accessor.direction == READ_WRITE
        return frozenset({READ, WRITE} if both else {accessor.direction})
    if name in _HARMLESS or name.startswith(_BUILTIN):
        return frozenset()
    defined = list(definitions(root, file, name)) if depth and name else []
    if not defined:
        return None
    found: set[str] = set()
    for _, body in defined:
        if _opaque(body):
            return None
        for inner in {token.text for token in called(body)} - {name}:
            made = _directions(root, file, inner, depth - 1)
            if made is None:
                return None
            found |= made
    return frozenset(found)


def _opaque(body: tuple[Token, ...]) -> bool:
    """Whether a body has assembly, or calls something other than a name."""
    if any(t.kind == NAME and _ASM.fullmatch(t.text) for t in body):
        return True
    words = [token.text for token in body]
    members = zip(words, words[1:], words[2:])
    if any(one in ("->", ".") and after == "(" for one, _, after in members):
        return True
    pointers = (words[i : i + 2] == ["(", "*"] for i in range(len(words)))
    called_pointers = (words[i + 3 : i + 5] == [")", "("] for i in range(len(words)))
    return any(p and c for p, c in zip(pointers, called_pointers, strict=True))


def definitions(
    root: Path, file: str, name: str
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """The parameters and the body of each definition of a macro or function that a file may see.

    ``guard(mutex)`` is what DEFINE_GUARD() and its variants define.
    """
    if name.startswith("guard("):
        yield from _guards(root, file, name[len("guard(") : -1])
        return
    use = re.compile(rf"\b{re.escape(name)}\s*\(")
    for header in reachable(root, file):
        if name not in header.text:
            continue
        if name in header.defines:
            for macro in view(header.path).macros.get(name, ()):
                # The name that an alias stands for is called with the arguments after it.
                called_as = "()" if macro.parameters is None else ""
                yield macro.parameters or (), _code(f"{macro.body}{called_as}")
        for match in use.finditer(header.text):
            yield from _function(header.text, match.start())


def _guards(
    root: Path, file: str, kind: str
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """What each definition of a guard of this kind runs (include/linux/cleanup.h)."""
    defined = re.compile(
        rf"^DEFINE_(?:LOCK_)?GUARD(?:_[01])?(?=\(\s*{re.escape(kind)}\s*,)",
        re.MULTILINE,
    )
    for header in reachable(root, file):
        for match in defined.finditer(header.text) if kind in header.text else ():
            end = header.text.find("\n\n", match.end())
            tokens = _code(header.text[match.end() : end if end >= 0 else None])
            last = closing(tokens, 0)
            yield (), tokens[1:last]


def _function(
    text: str, start: int
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """The parameters and the body of the function at an offset, if it is defined there."""
    end = text.find("\n}", start) + 2
    line = text.rfind("\n", 0, start) + 1
    if text[line : line + 1] in ("\t", " ", "#"):
        return
    tokens = _code(text[start : end if end > 1 else None])
    last = closing(tokens, 1)
    if (
        last is not None
        and tokens[last + 1 : last + 2]
        and tokens[last + 1].text == "{"
    ):
        declared = (
            [token.text for token in part if token.kind == NAME]
            for part in split(tokens[2:last], ",")
        )
        yield (
            tuple(words[-1] if words else "" for words in declared),
            tokens[last + 2 : closing(tokens, last + 1)],
        )


def _code(text: str) -> tuple[Token, ...]:
    return tuple(
        t for t in tokenize(text) if t.kind not in (COMMENT, STRING) and t.text != "\\"
    )
