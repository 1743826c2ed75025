# SPDX-License-Identifier: GPL-2.0
"""Parse the functions of a file, and find those that a change touches."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hotcocci.c.source import (
    COMMENT,
    DIRECTIVE,
    NAME,
    Token,
    closing,
    split,
    tokenize,
)

# Specifiers before the return type that are not part of it
_SPECIFIERS = frozenset(
    "static inline extern __always_inline noinline asmlinkage __init __exit __cold "
    "__maybe_unused __must_check noinline_for_stack __visible".split()
)
# The function with the body (include/linux/syscalls.h, compat.h)
_SYSCALLS = {
    "SYSCALL_DEFINE": "__do_sys_",
    "COMPAT_SYSCALL_DEFINE": "__do_compat_sys_",
}


@dataclass(frozen=True)
class Parameter:
    """A parameter: its type as written, and its name."""

    type: str
    name: str


@dataclass(frozen=True)
class Function:
    """A function of a file.

    ``text`` is its source. ``name`` is the name to call it by within the file, ``returns`` its
    return type; ``parameters`` is None if they cannot be parsed. ``reached`` is its source with
    that of all functions of the file that it mentions.
    """

    name: str
    text: str
    returns: str
    parameters: tuple[Parameter, ...] | None
    reached: str = ""


def functions(text: str) -> dict[str, Function]:
    """Return the functions of a file, by name; their braces must be in the first column.

    If #ifdef branches define one twice, its text is that of both.
    """
    code = tuple(t for t in tokenize(text) if t.kind != COMMENT)
    found: dict[str, Function] = {}
    after = 0
    index = 0
    while index < len(code):
        if not _in_first_column(text, code[index], "{"):
            index += 1
            continue
        end = index
        while end < len(code) - 1 and not _in_first_column(text, code[end], "}"):
            end += 1
        function = _function(text, _header(code[after:index]), code[end].end)
        if function is not None:
            known = found.get(function.name)
            both = (known.text if known else "") + function.text
            found[function.name] = Function(
                function.name, both, function.returns, function.parameters
            )
        index = after = end + 1
    return found


def changed(old: str, new: str) -> list[tuple[Function, Function]]:
    """Return the functions that a change touches, before and after, in the order of ``old``.

    This includes users of a changed macro. Functions in only one of the texts are left out.
    """
    before, after = functions(old), functions(new)
    macros = _macros(old).items() ^ _macros(new).items()
    names = {name for name, _ in macros}
    return [
        (replace(function, reached=_reached(name, before)), after[name])
        for name, function in before.items()
        if name in after
        and (function.text != after[name].text or names & _names(function.text))
    ]


def _reached(name: str, known: dict[str, Function]) -> str:
    """The text of a function and of all that it mentions, directly or not."""
    found = {name: known[name].text}
    waiting = [name]
    while waiting:
        for called in sorted(
            _names(found[waiting.pop()]) & known.keys() - found.keys()
        ):
            found[called] = known[called].text
            waiting.append(called)
    return "\n".join(found.values())


def _macros(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for token in tokenize(text):
        if token.kind == DIRECTIVE:
            match = re.match(r"\s*#\s*define\s+(\w+)", token.text)
            if match:
                found[match[1]] = found.get(match[1], "") + token.text
    return found


def _names(text: str) -> set[str]:
    return {t.text for t in tokenize(text) if t.kind == NAME}


def _in_first_column(text: str, token: Token, brace: str) -> bool:
    return token.text == brace and (token.start == 0 or text[token.start - 1] == "\n")


def _header(code: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens of the declaration that ends here."""
    for index in range(len(code) - 1, -1, -1):
        if code[index].kind == DIRECTIVE or code[index].text in (";", "}"):
            return code[index + 1 :]
    return code


def _function(text: str, header: tuple[Token, ...], end: int) -> Function | None:
    """The function with this header, None if the header is not one of a function."""
    opening = next(
        (
            index
            for index in range(1, len(header))
            if header[index].text == "("
            and header[index - 1].kind == NAME
            # __printf(1, 2), __attribute__((...))
            and (index == 1 or not header[index - 1].text.startswith("__"))
        ),
        None,
    )
    if opening is None or any(t.text == "=" for t in header[:opening]):
        return None
    last = closing(header, opening)
    if last is None:
        return None
    name = header[opening - 1].text
    whole = text[header[0].start : end]
    parts = [p for p in split(header[opening + 1 : last], ",") if p]
    call = re.fullmatch(r"((?:COMPAT_)?SYSCALL_DEFINE)\d", name)
    if call and parts:
        pairs = list(zip(parts[1::2], parts[2::2], strict=False))
        name = _SYSCALLS[call[1]] + "".join(t.text for t in parts[0])
        typed = tuple(Parameter(_text(a), _text(b)) for a, b in pairs)
        return Function(name, whole, "long", typed)
    words = _without_attributes(header[: opening - 1])
    returns = " ".join(word for word in words if word not in _SPECIFIERS)
    return Function(name, whole, returns, _parameters(parts))


def _without_attributes(tokens: tuple[Token, ...]) -> list[str]:
    """The words of a type without attributes such as __printf(1, 2)."""
    words: list[str] = []
    index = 0
    while index < len(tokens):
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if called:
            index = closing(tokens, index + 1) or index + 1
        else:
            words.append(tokens[index].text)
        index += 1
    return words


def _parameters(parts: list[tuple[Token, ...]]) -> tuple[Parameter, ...] | None:
    if [_text(part) for part in parts] == ["void"]:
        return ()
    found = []
    for part in parts:
        plain = all(t.kind == NAME or t.text == "*" for t in part)
        if not plain or len(part) < 2 or part[-1].kind != NAME:
            return None
        found.append(Parameter(_text(part[:-1]), part[-1].text))
    return tuple(found)


def _text(tokens: tuple[Token, ...]) -> str:
    return " ".join(t.text for t in tokens)
