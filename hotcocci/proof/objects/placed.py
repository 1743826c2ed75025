# SPDX-License-Identifier: GPL-2.0
"""Compile a change so that what does nothing here has to be reached as before.

That are names as get_unaligned() and compat_ptr(), statements as kunmap_local(), and constants beside numbers, which a
change may move to another path, or past an assignment: each calls a function of its own first. A condition before
such a statement, or a goto that leads past it, is not in its tokens.

What a change computes may only be used where an option is on that is off here. So options that code asks for are
compiled once more as variables that nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial

from hotcocci.c.flow import closure
from hotcocci.c.source import NAME, NUMBER, Token, apply, closing, split
from hotcocci.findings import Edit
from hotcocci.proof.changed import Aligned, Text, differing
from hotcocci.proof.objects.silent import is_hidden
from hotcocci.proof.objects.variants import SMALL, Variant
from hotcocci.proof.objects.varying import is_constant

PLACED = (
    "what may do something on another architecture, or in another configuration,"
    " is not where it was"
)
# What would have an effect, or may have one, if it were evaluated twice
_EVALUATES = frozenset("( = ++ -- += -= |= &= ^= <<= >>= { }".split())


OPTIONAL = "it may be used otherwise with another configuration"
_SWITCH = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?([01])\)?[ \t]*$", re.M)
_ASKS = frozenset("IS_ENABLED IS_BUILTIN IS_MODULE IS_REACHABLE".split())

# The places of calls in some functions of one side's text, 0 or 1, of which nothing is left
Idle = Callable[[int, Text, Set[str]], Set[int]]


def placed(given: Aligned, idle: Idle) -> Variant | None:
    """How to compile a change of a function with such names; None without."""
    texts = [Text(given.file, text) for text in given.texts]
    both = differing(texts[0], texts[1])
    functions = {t.function(each) for t, b in zip(texts, both) for each in b} - {""}
    sides = [
        [*_applied(t, b, functions), *_nothing(t, functions, partial(idle, side))]
        for side, (t, b) in enumerate(zip(texts, both))
    ]
    shared = {n for _, n, _ in sides[0]} & {n for _, n, _ in sides[1]}
    if not shared:
        return None
    made = [
        apply(
            text.text,
            tuple(
                edit
                for name, key, arguments in side
                if key in shared
                for edit in _reporting(text, name, arguments)
            ),
        )
        for text, side in zip(texts, sides, strict=True)
    ]
    return Variant(PLACED, (), texts=(made[0], made[1]))


# A name, with its function, and what follows its opening bracket; None without brackets
_Applied = tuple[Token, tuple[str, str], Sequence[Token] | None]


def _applied(
    text: Text, changed: Sequence[Token], functions: Set[str]
) -> Iterator[_Applied]:
    """The names in functions that may do nothing, and changed constants there, each with its function and arguments."""
    places = {token.start for token in changed}
    numbers = {
        text.function(token)
        for token in changed
        if token.kind == NUMBER and token.text not in SMALL
    }
    code = text.tokens
    for at, token in enumerate(code[:-1]):
        function = text.function(token) if token.kind == NAME else ""
        if function not in functions:
            continue
        key = function, token.text
        end = closing(code, at + 1) if code[at + 1].text == "(" else None
        if end is not None and is_hidden(token.text):
            yield token, key, code[at + 2 : end + 1]
        elif end is None and token.start in places and function in numbers:
            if is_constant(token.text):
                yield token, key, None


def _nothing(
    text: Text, functions: Set[str], idle: Callable[[Text, Set[str]], Set[int]]
) -> Iterator[_Applied]:
    """The statements in functions of which nothing is left here; what they are given does not matter."""
    places = idle(text, functions)
    code = text.tokens
    for at, token in enumerate(code):
        if token.start in places and not is_hidden(token.text):
            end = closing(code, at + 1)
            assert end is not None, "it is a call"
            yield token, (text.function(token), token.text), code[end : end + 1]


def _reporting(
    text: Text, name: Token, arguments: Sequence[Token] | None
) -> Iterator[Edit]:
    """Edits that make a name call a function of its own first, with its arguments if they can be evaluated twice."""
    called = f"hotcocci_reached_{name.text}"
    values: list[str] = []
    for each in split(arguments[:-1], ",") if arguments else ():
        if each and not _EVALUATES & {token.text for token in each}:
            values.append(f"(unsigned long)({text.text[each[0].start : each[-1].end]})")
    types = ", ".join(["unsigned long"] * len(values)) or "void"
    call = f"({{ extern void {called}{len(values)}({types}); {called}{len(values)}({', '.join(values)}); "
    yield Edit(name.start, name.start, call)
    end = arguments[-1].end if arguments else name.end
    yield Edit(end, end, "; })")


def optional(given: Aligned) -> Variant | None:
    """How to compile a change of functions that ask for options, also through others of the file; None of others."""
    texts = [Text(given.file, text) for text in given.texts]
    both = differing(texts[0], texts[1])
    functions = {t.function(each) for t, b in zip(texts, both) for each in b} - {""}
    made = [apply(text.text, tuple(_unknown(text, functions))) for text in texts]
    if all(text.text == other for text, other in zip(texts, made, strict=True)):
        return None
    return Variant(OPTIONAL, (), texts=(made[0], made[1]))


def _unknown(text: Text, functions: Set[str]) -> Iterator[Edit]:
    """Edits that make a variable of each option, or macro of the file that one decides on, for which these functions ask."""
    code = text.tokens
    names: dict[str, set[str]] = {}
    for token in code:
        names.setdefault(text.function(token), set()).add(token.text)
    switches = _switches(text.text)
    reached = closure(functions & names.keys(), lambda name: names[name] & names.keys())
    for at, token in enumerate(code[:-3]):
        if token.text in _ASKS and text.function(token) in reached:
            name = f"hotcocci_{token.text}_{code[at + 2].text}"
            value = f"({{ extern const int {name}; !!{name}; }})"
            yield Edit(token.start, code[at + 3].end, value)
        elif token.text in switches and text.function(token) in reached:
            name = f"hotcocci_{token.text}"
            value = f"({{ extern const int {name}; !!{name}; }})"
            yield Edit(token.start, token.end, value)


def _switches(text: str) -> set[str]:
    """The macros that a file defines as 0 or as 1, by a condition."""
    values: dict[str, set[str]] = {}
    for name, value in _SWITCH.findall(text):
        values.setdefault(name, set()).add(value)
    return {name for name, each in values.items() if len(each) > 1}
