# SPDX-License-Identifier: GPL-2.0
"""Find new names that mean something else, are declared already, or are not, where the same C is compiled otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set

from hotcocci.c.source import DIRECTIVE, NAME, WORD, Token, tokenize
from hotcocci.proof.changed import Text, defined
from hotcocci.proof.objects.silent import words

CLAIMED = "a header, or a compiler, of another architecture or configuration may define this name"

# Of headers for programs of user space
KERNEL = "the kernel's {} is not in headers for user space"

# smp_load_acquire() of arm64, riscv and s390 has a variable __p, and compilers for i386 define that name.
_CLAIMED = re.compile(r"_\w+|linux|unix|i386|mips|sparc|hppa|mc68\d+|powerpc|PPC")
_NO_TYPE = frozenset(
    "return goto case else do struct union enum sizeof const volatile __force".split()
)
# What follows the name of a variable, parameter, member or function in its declaration
_NAMED = frozenset("; , = [ ) ( :".split())

# In headers, by grep -o: vip of alpha, which nothing else has, and functions of other architectures
_DEFINED = r"^[[:space:]]*#[[:space:]]*define[[:space:]]+({})\b\(?"
_DECLARED = r"^[A-Za-z_].*[ *]({})[[:space:]]*\("
_HEAD = re.compile(r"\s*#\s*define\s+\w+(\([^()]*\))?")
_NAME = re.compile(r"(\w+)\s*([(;]?)$")
_TYPE = r"^typedef[ ].*[ *]({});"
# scripts/headers_install.sh
_REPLACED = frozenset(
    "__user __force __iomem __attribute_const__ __packed inline asm volatile".split()
)


def claimed(
    own: Text,
    other: Text,
    search: Callable[[str], Sequence[str]],
    is_macro: Callable[[str], bool],
) -> Iterator[Token]:
    """The new names of variables, parameters, members, labels, functions and macros that others may use, too.

    ``search`` finds what matches in all headers of a tree, ``is_macro`` knows the macros in sight.
    """
    code = list(_code(own.tokens))
    # What is a parameter of a macro is no name in its body.
    heads = (_HEAD.match(token.text) for token in own.tokens if defined(token))
    known = {
        *words(other.tokens),
        *(w for h in heads if h for w in WORD.findall(h[1] or "")),
    }
    fresh = list(_fresh(code, known))
    called = {a.text for a, b in zip(code, code[1:]) if b.text == "("}
    names = {token.text for token in fresh}
    functions = names & {piece.function for piece in own.pieces.all}
    macros = {m: token for token in own.tokens if (m := defined(token)) not in known}
    macros.pop("", None)
    several = ((names | macros.keys(), _DEFINED), (functions, _DECLARED))
    found = _matches(several, search)
    # The name of a macro with parameters is free where nothing is called by it.
    taken = {m[1] for m in found if not m[2] or m[1] in called}
    for token in fresh:
        name = token.text
        in_macro = not own.text.startswith(name, token.start)
        local = name not in functions and (in_macro or own.function(token))
        if name in taken or local and _CLAIMED.fullmatch(name):
            # An attribute, or a type, is no new name.
            if not is_macro(name):
                yield token
    again = {m[1] for m in found if m.string.startswith("arch/")}
    yield from (token for name, token in macros.items() if name in again)


def _code(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens that are code, also those of the bodies of macros, which are where their macros begin."""
    for token in tokens:
        if token.kind != DIRECTIVE:
            yield token
        elif found := _HEAD.match(token.text):
            body = tokenize(token.text[found.end() :].replace("\\\n", " "))
            yield from (each._replace(start=token.start) for each in body)


def _fresh(code: Sequence[Token], known: Set[str]) -> Iterator[Token]:
    for before, kind, name, after in zip(code, code[1:], code[2:], code[3:]):
        point = before if kind.text == "*" else kind
        typed = point.kind == NAME and point.text not in _NO_TYPE or point.text == ","
        pointer = kind.text == "*" and before.text in "*("
        label = kind.text in ("{", "}", ";") and after.text == ":"
        if name.kind == NAME and name.text not in known and after.text in _NAMED:
            if pointer or typed or label:
                yield name


def _matches(
    several: Iterable[tuple[Collection[str], str]],
    search: Callable[[str], Sequence[str]],
) -> list[re.Match[str]]:
    """Where some patterns for names match at the end of a line that begins with a file."""
    patterns = [form.format("|".join(sorted(of))) for of, form in several if of]
    lines = search("|".join(patterns)) if patterns else ()
    return [found for line in lines if (found := _NAME.search(line))]


def for_kernel(
    own: Sequence[Token],
    other: Sequence[Token],
    search: Callable[[str], Sequence[str]],
) -> Iterator[tuple[Token, str]]:
    """The new names in a header for programs of user space that only the kernel's own headers define."""
    mine = {defined(token) for token in own}
    names = {*filter(str.isidentifier, words(own))} - {*words(other)} - mine - _REPLACED
    found = _matches(((names, _DEFINED), (names, _TYPE)), search)
    theirs = {m[1] for m in found if "uapi/" in m.string}
    kernel = {m[1] for m in found} - theirs
    for token in own:
        for name in sorted(kernel.intersection(words([token]))):
            yield token, KERNEL.format(name)
