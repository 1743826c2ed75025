# SPDX-License-Identifier: GPL-2.0
"""Calls across which a compiler cannot assume that memory is unchanged.

It can if it sees the body and that calls nothing: macros, inline functions, and
functions of the same file. The file and its headers are searched for such a body in
every configuration; if only some have it, the call is opaque.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.source import NAME, Token, closing, tokenize
from hotcocci.rewrite.loads.credential_loads import CALLS

# Words before a parenthesis that are not calls, and functions that only compute or load
_COMPUTES = frozenset(
    "if while for switch return sizeof typeof __typeof__ __auto_type defined do else case"
    " likely unlikely READ_ONCE __READ_ONCE WRITE_ONCE __WRITE_ONCE container_of offsetof"
    " rcu_dereference_protected rcu_dereference_raw rcu_access_pointer unrcu_pointer"
    " ARRAY_SIZE BUILD_BUG_ON BUILD_BUG_ON_MSG static_assert __must_check _Static_assert"
    " min max min_t max_t clamp ACCESS_PRIVATE __force __attribute__ IS_ENABLED IS_ERR"
    " IS_ERR_OR_NULL ERR_PTR PTR_ERR ERR_CAST PTR_ERR_OR_ZERO BIT GENMASK test_bit"
    " lockdep_is_held rcu_read_lock_held list_entry list_for_each_entry hlist_for_each_entry".split()
)
_ASSEMBLES = frozenset("asm __asm__ asm_volatile barrier".split())
_MOST_DEPTH = 4
_MOST_CALLS = 8
_ASM = frozenset("asm __asm__ volatile __volatile__ goto".split())
# Longer functions do more than compute.
_MOST_LENGTH = 4000
_DECLARED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)|^(?:[A-Za-z_][^;{}#=()\n]*[\s*])?([A-Za-z_]\w*)[ \t]*\(",
    re.MULTILINE,
)
_MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?((?:\\\n|[^\n])*)")


def opaque(root: Path, file: str, name: str) -> bool:
    """Whether a call of this name in a file of the tree may change any memory."""
    return not _transparent(root, file, name, 0)


@lru_cache(maxsize=65536)
def is_seen(root: Path, file: str, name: str, depth: int = 0) -> bool:
    """Whether all code that a call of this name runs is in a file and its headers, in every configuration."""
    if name in _COMPUTES or name in CALLS or name.startswith("__builtin_"):
        return True
    if depth > _MOST_CALLS:
        return False
    own = _defined_here(root, file, name)
    bodies = own or _bodies(root, file, name)
    return bool(bodies) and all(
        body is not None and not any(unseen(root, file, name, body, depth))
        for body in bodies
    )


def unseen(
    root: Path, file: str, name: str, body: tuple[Token, ...], depth: int = 0
) -> Iterator[Token]:
    """The calls in the body of a function or macro whose code is elsewhere, by the token before the arguments.

    That of a call through a pointer may be a bracket or parenthesis; a string or ``##`` hides the name.
    """
    for before, token, follower in zip((None, *body), body, (*body[1:], None)):
        # A pasted name, or assembly that calls: asm("call __static_call_…")
        if token.text in ("#", "##") or (
            token.text[:1] == '"' and "call" in token.text
        ):
            yield token
        if follower is None or follower.text != "(":
            continue
        # (*function)(argument), table[i](argument); a cast has no name before its parenthesis
        if token.text == "]" or (token.text == ")" and _is_pointer(body, token)):
            yield token
        if token.kind != NAME or token.text == name or token.text in _ASM:
            continue
        member = before is not None and before.text in ("->", ".")
        if member or not is_seen(root, file, token.text, depth + 1):
            yield token


def _is_pointer(body: tuple[Token, ...], last: Token) -> bool:
    """Whether the parentheses that end here hold ``*function``, or are the arguments of a call."""
    for index, token in enumerate(body):
        if token.text == "(" and (end := closing(body, index)) is not None:
            if body[end] is last:
                before = body[index - 1] if index else None
                called = before and before.kind == NAME and before.text not in _COMPUTES
                return bool(called) or body[index + 1].text == "*"
    return False


def _defined_here(
    root: Path, file: str, name: str
) -> tuple[tuple[Token, ...] | None, ...]:
    """The bodies that the file itself has for a name; its headers may only declare it then."""
    (text, index), *_ = _indexes(root, file)
    found = (_body(text, start, name) for start in index.get(name, ()))
    return tuple(body for body in found if body is not None)


@lru_cache(maxsize=65536)
def _transparent(root: Path, file: str, name: str, depth: int) -> bool:
    if name in _COMPUTES or name in CALLS or name.startswith("__builtin_"):
        return True
    if depth > _MOST_DEPTH:
        return False
    bodies = _bodies(root, file, name)
    return bool(bodies) and all(
        body is not None and _only_computes(root, file, name, body, depth)
        for body in bodies
    )


def _only_computes(
    root: Path, file: str, name: str, body: tuple[Token, ...], depth: int
) -> bool:
    for token, follower in zip(body, (*body[1:], None)):
        if token.kind != NAME:
            continue
        if token.text in _ASSEMBLES:
            return False
        called = follower is not None and follower.text == "("
        if called and token.text != name:
            if not _transparent(root, file, token.text, depth + 1):
                return False
    return True


@lru_cache(maxsize=65536)
def _bodies(root: Path, file: str, name: str) -> tuple[tuple[Token, ...] | None, ...]:
    """The body of each definition of a name; None for a declaration without one."""
    return tuple(
        _body(text, start, name)
        for text, index in _indexes(root, file)
        for start in index.get(name, ())
    )


@lru_cache(maxsize=4)
def _indexes(root: Path, file: str) -> tuple[tuple[str, dict[str, list[int]]], ...]:
    """The file and all headers it includes, each with its index."""
    reached = reachable(root, file)
    return tuple((header.text, _index(header.text)) for header in reached)


@lru_cache(maxsize=16384)
def _index(text: str) -> dict[str, list[int]]:
    """The names that a file's lines declare or define, with their offsets."""
    found: dict[str, list[int]] = {}
    for match in _DECLARED.finditer(text):
        found.setdefault(match[1] or match[2], []).append(match.start())
    return found


@lru_cache(maxsize=65536)
def _body(text: str, start: int, name: str) -> tuple[Token, ...] | None:
    """The body of a macro or function whose line begins at an offset."""
    macro = _MACRO.match(text, start)
    if macro is not None:
        return _code(macro[1].replace("\\\n", " "))
    code = _code(text[start : start + _MOST_LENGTH])
    opening = next(i for i, t in enumerate(code) if t.text == name) + 1
    last = closing(code, opening)
    if last is None:
        return None
    for index in range(last + 1, len(code)):
        if code[index].text == ";":
            return None
        if code[index].text == "{":
            end = closing(code, index)
            return code[index + 1 : end] if end is not None else None
    return None


def _code(text: str) -> tuple[Token, ...]:
    return tuple(t for t in tokenize(text) if t.kind not in ("comment", "directive"))
