# SPDX-License-Identifier: GPL-2.0
"""What others than this compiler read of a declaration: control-flow integrity its type, the BPF verifier its names.

The machine code is the same whatever they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from hotcocci.c.source import DIRECTIVE, NAME, Token, closing

# Documentation/security/self-protection.rst, scripts/Makefile.extrawarn (-Wcast-function-type-strict)
CAST = "with CONFIG_CFI_CLANG, calls through a pointer to another type of function are trapped"
# Documentation/bpf/kfuncs.rst; kernel/bpf/verifier.c: BTF_TYPE_SAFE_RCU()
VERIFIER = "the BPF verifier reads the names of parameters and members"

_KFUNC = "__bpf_kfunc"
_SAFE = re.compile(r"BTF_TYPE_SAFE_\w+")
# void (*)(void *): a type without a name
_ABSTRACT = re.compile(r"\( \* \) \(")
# What a condition in brackets follows
_CONDITION = frozenset("if while for switch".split())


class Declared(NamedTuple):
    """A place of one side, what the other side would need for the same meaning, and why."""

    token: Token
    key: str
    reason: str


def declared(
    own: Sequence[Token], other: Sequence[Token], functions: Set[str], after: bool
) -> Iterator[tuple[Token, str]]:
    """The places of one side's text that mean something else to others than on the other side, and why.

    ``functions`` are those that both files define. A cast that is gone is none.
    """
    theirs = {each.key for each in _all(other, functions)}
    for each in _all(own, functions):
        if each.key not in theirs and (after or each.reason != CAST):
            yield each.token, each.reason


def _all(text: Sequence[Token], functions: Set[str]) -> Iterator[Declared]:
    code = [token for token in text if token.kind != DIRECTIVE]
    for at, token in enumerate(code):
        if token.text == "(":
            yield from _cast(code, at, functions)
        elif token.text == _KFUNC:
            yield from _kfunc(code, at)
        elif _SAFE.fullmatch(token.text):
            yield from _safe(code, at)


def _cast(code: Sequence[Token], at: int, functions: Set[str]) -> Iterator[Declared]:
    """A function that is cast to another type of function, which may be a typedef, or to a pointer to anything."""
    end = closing(code, at)
    if end is None or at and code[at - 1].text in _CONDITION:
        return
    inside, after = code[at + 1 : end], code[end + 1 : end + 4]
    if after and after[0].text == "&":
        after = after[1:]
    if len(after) < 2 or after[0].kind != NAME or after[1].text == "(":
        return
    said = _joined(inside)
    typedef = len(inside) == 1 and inside[0].kind == NAME
    hides = (typedef or said == "void *") and after[0].text in functions
    if hides or _ABSTRACT.search(said):
        yield Declared(code[at], f"{said} {after[0].text}", CAST)


def _kfunc(code: Sequence[Token], at: int) -> Iterator[Declared]:
    """A function that programs of BPF call, with the parameters whose names say what they are."""
    opening = next((n for n in range(at, len(code)) if code[n].text == "("), None)
    end = None if opening is None else closing(code, opening)
    if opening is None or end is None:
        return
    names = [t.text for t in code[opening:end] if t.kind == NAME and "__" in t.text]
    name = code[opening - 1]
    yield Declared(name, f"{_KFUNC} {name.text} {' '.join(names)}", VERIFIER)


def _safe(code: Sequence[Token], at: int) -> Iterator[Declared]:
    """The members of a type that the verifier trusts."""
    end = next((n for n in range(at, len(code)) if code[n].text == "}"), at)
    yield Declared(code[at], _joined(code[at:end]), VERIFIER)


def _joined(code: Sequence[Token]) -> str:
    return " ".join(token.text for token in code)
