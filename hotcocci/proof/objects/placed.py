# SPDX-License-Identifier: GPL-2.0
"""Compile a change so that what does nothing here has to be reached as before.

That are names as get_unaligned() and compat_ptr(), statements as kunmap_local(), code that the preprocessor removes, and
constants beside numbers, which a change may move to another path, or past an assignment: each calls a function of its
own first. A condition before such a statement, or a goto that leads past it, is not in its tokens.

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
from hotcocci.proof.objects.idle import idle_calls
from hotcocci.proof.objects.left_out import Left, assigned, left_out
from hotcocci.proof.objects.silent import is_hidden
from hotcocci.proof.objects.variants import SMALL, Variant
from hotcocci.proof.objects.varying import is_constant

PLACED = (
    "what may do something on another architecture, or in another configuration,"
    " is not reached as before"
)
OPTIONAL = "it may be used otherwise with another configuration"
# What would have an effect, or may have one, if it were evaluated twice
_EVALUATES = frozenset("( = ++ -- += -= |= &= ^= <<= >>= { }".split())
_SWITCH = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?([01])\)?[ \t]*$", re.M)
_ASKS = frozenset("IS_ENABLED IS_BUILTIN IS_MODULE IS_REACHABLE".split())
# A structure is not passed: gcc's <typeclass.h>.
_SCALAR = "__builtin_choose_expr(__builtin_classify_type({0}) < 12, {0}, 0)"

# What the preprocessor makes of one side, 0 or 1, with another text of the file
Expanded = Callable[[int, Text], str]
# What does nothing here, with its function, and the edits with which it calls a function first
_Reported = tuple[tuple[str, str], tuple[Edit, ...]]


def placed(given: Aligned, expanded: Expanded) -> Variant | None:
    """How to compile a change of a function with such names; None without."""
    texts, both, functions = _touched(given)
    names = assigned(texts[0], functions) | assigned(texts[1], functions)
    sides = []
    for side, (text, changed) in enumerate(zip(texts, both)):
        made = partial(expanded, side)
        left = left_out(text, functions, made)
        sides.append(
            [
                *_applied(text, changed, functions),
                *_nothing(text, idle_calls(text, functions, made)),
                *(_standing(each, sorted(each.read & names)) for each in left),
            ]
        )
    shared = {key for key, _ in sides[0]} & {key for key, _ in sides[1]}
    if not shared:
        return None
    old, new = (
        apply(text.text, tuple(e for key, own in side if key in shared for e in own))
        for text, side in zip(texts, sides, strict=True)
    )
    return Variant(PLACED, (), texts=(old, new))


def _touched(
    given: Aligned,
) -> tuple[list[Text], tuple[list[Token], list[Token]], set[str]]:
    """Both sides of a change, their changed tokens, and the functions that these are in."""
    texts = [Text(given.file, text) for text in given.texts]
    both = differing(texts[0], texts[1])
    functions = {t.function(each) for t, b in zip(texts, both) for each in b} - {""}
    return texts, both, functions


def _applied(
    text: Text, changed: Sequence[Token], functions: Set[str]
) -> Iterator[_Reported]:
    """The names in functions that may do nothing, with their arguments, and changed constants there."""
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
            yield key, _reporting(text, token, code[at + 2 : end + 1])
        elif end is None and token.start in places and function in numbers:
            if is_constant(token.text):
                yield key, _reporting(text, token, None)


def _nothing(text: Text, places: Set[int]) -> Iterator[_Reported]:
    """The calls at these places, of which nothing is left here; what they are given does not matter."""
    code = text.tokens
    for at, token in enumerate(code):
        if token.start in places and not is_hidden(token.text):
            end = closing(code, at + 1)
            assert end is not None, "it is a call"
            key = text.function(token), token.text
            yield key, _reporting(text, token, code[end : end + 1])


def _standing(left: Left, names: Sequence[str]) -> _Reported:
    """What stands for removed code: calls with the values that it would use."""
    calls = [_call("left_out", [])]
    calls += [_call(name, [_SCALAR.format(name)]) for name in names]
    said = " ".join(calls)
    if left.is_else:
        said = f"else if (({{ {said} extern int hotcocci_goes(void); hotcocci_goes(); }})) ;"
    edit = Edit(left.behind.end, left.behind.end, f" {said}")
    return (left.function, left.code), (edit,)


def _reporting(
    text: Text, name: Token, arguments: Sequence[Token] | None
) -> tuple[Edit, ...]:
    """Edits that make a name call a function of its own first, with its arguments if they can be evaluated twice."""
    values = [
        text.text[each[0].start : each[-1].end]
        for each in (split(arguments[:-1], ",") if arguments else ())
        if each and not _EVALUATES & {token.text for token in each}
    ]
    end = arguments[-1].end if arguments else name.end
    call = _call(name.text, values)
    return Edit(name.start, name.start, f"({{ {call} "), Edit(end, end, "; })")


def _call(name: str, values: Sequence[str]) -> str:
    """A call of a function that nobody knows."""
    called = f"hotcocci_reached_{name}{len(values)}"
    types = ", ".join(["unsigned long"] * len(values)) or "void"
    passed = ", ".join(f"(unsigned long)({value})" for value in values)
    return f"({{ extern void {called}({types}); {called}({passed}); }});"


def optional(given: Aligned) -> Variant | None:
    """How to compile a change of functions that ask for options, also through others of the file; None of others."""
    texts, _, functions = _touched(given)
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
