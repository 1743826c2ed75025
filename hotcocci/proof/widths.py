# SPDX-License-Identifier: GPL-2.0
"""Find the words of a change that mean something else where integers have another width or byte order,
and in modules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hotcocci.c.source import DIRECTIVE, Token, closing, split
from hotcocci.proof.changed import Text, aligned, differing
from hotcocci.proof.objects.silent import words

# Types, functions, constants and literals that long and pointers decide on, and those that may take their
# place (u64), by name; typedefs may be of either kind.
_WIDTH = (
    r"\w*(?:long|LONG|64|jiffies)\w*|\w+_t|\w*(?:toul|_ul)l?|\d\w*(?<![lL])[lL][uU]?"
    r"|\w*SIZE_MAX|do_div|PFN_\w+|PAGE_\w+|kmap\w*|kunmap\w*"
    # Of a size_t, of an unsigned long, and builtins of either
    r"|size_(?:mul|add|sub)\w*|\w*array3?_size\w*|struct_size\w*|check_\w+_overflow|\w*alloc_array\w*"
    r"|\w*calloc\w*|memdup_array\w*|(?:is_)?\w*power?_of_(?:2|two)|BIT|GENMASK|MAX_LFS_FILESIZE"
    r"|__f[fl]s|ffz|__builtin_\w+l"
)
# Conversions of byte order, and casts from and to types that have one
_ORDER = r"(?:\w*_)?(?:le|be)(?:16|32)\w*|\w*_[bl]e|[hn]to[hn][sl]|\w*swab\w*|__force"
# What is empty where everything is built in (include/linux/module.h)
_MODULE = r"THIS_MODULE|MODULE(?:_\w+)?|module_\w+|__module_get"
DEPENDS = re.compile(f"{_WIDTH}|{_ORDER}|{_MODULE}")
SIZE = "sizeof"


def depending(file: str, old: str, new: str) -> tuple[str, ...]:
    """The words of a change to a file that may mean something else on another architecture, or in a module.

    ``sizeof`` is among them if one is new, gone or has another operand. Sorted.
    """
    texts = [Text(file, text) for text in aligned(file, old, new).texts]
    sides = differing(texts[0], texts[1])
    found = {t.text for side in sides for t in side if t.kind != DIRECTIVE} - {SIZE}
    sizes = [list(sizes_in(text.tokens)) for text in texts]
    if sizes[0] != sizes[1]:
        found.add(SIZE)
    macros = [Counter(words(t for t in side if t.kind == DIRECTIVE)) for side in sides]
    found |= (macros[0] - macros[1]).keys() | (macros[1] - macros[0]).keys()
    if any(SIZE in each for each in macros):
        found.add(SIZE)
    return tuple(sorted(w for w in found if w == SIZE or DEPENDS.fullmatch(w)))


def sizes_in(tokens: Sequence[Token]) -> Iterator[str]:
    """Each sizeof with its operand, but not where a call is told the size of what it is passed.

    Without brackets the operand is the rest of the statement.
    """
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token.text == "(":
            opened.append(at)
        elif token.text == ")" and opened:
            opened.pop()
        elif token.text == SIZE:
            end = at + 1
            if tokens[end : end + 1] and tokens[end].text == "(":
                end = (closing(tokens, end) or len(tokens) - 1) + 1
            else:
                while end < len(tokens) and tokens[end].text not in ";)":
                    end += 1
            size = tokens[at:end]
            if not opened or not _is_passed(size, tokens, opened[-1]):
                yield "".join(t.text for t in size)


def _is_passed(size: Sequence[Token], tokens: Sequence[Token], opening: int) -> bool:
    """Whether the object of a sizeof is passed beside it: f(p, sizeof(*p)), f(&x, sizeof(x))."""
    inside = tokens[opening + 1 : closing(tokens, opening)]
    passed = {"".join(t.text for t in part) for part in split(inside, ",")}
    operand = "".join(t.text for t in size[2:-1])
    return f"&{operand}" in passed or operand[:1] == "*" and operand[1:] in passed
