# SPDX-License-Identifier: GPL-2.0
"""Compile a change so that what does nothing here has to be reached as before.

That are names as get_unaligned() and compat_ptr(), statements as kunmap_local(), code that the preprocessor removes,
values that a macro drops or a function ignores, and constants beside numbers, which a change may move to another path,
or past an assignment: each calls a function of its own first. A condition before such a statement, or a goto that leads
past it, is not in its tokens.

Values that are equal here need not be elsewhere, as PAGE_SIZE and 4096, or what an option that is off makes 0: a
variable that has one may take the place of a variable that has the other. And what a change computes may only be used
where an option is on that is off here. So what a configuration or an architecture decides is compiled once more as
variables that nobody knows.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from hotcocci.c.conditionals import around
from hotcocci.c.flow import closure
from hotcocci.c.source import (
    NAME,
    NUMBER,
    Token,
    apply,
    closing,
    is_member,
    split,
    tokenize,
)
from hotcocci.findings import Edit
from hotcocci.proof.changed import SIZE, Aligned, Text, defined, uses
from hotcocci.proof.objects import marking
from hotcocci.proof.objects.declared import ASSERTS
from hotcocci.proof.objects.helpers import groups
from hotcocci.proof.objects.idle import CHECKS, DROPPED, idle_calls, values_dropped
from hotcocci.proof.objects.left_out import Left, assigned, left_out, options
from hotcocci.proof.objects.silent import ASM, edge, is_hidden
from hotcocci.proof.objects.variants import COMPARISONS, SMALL, WIDTH, Variant
from hotcocci.proof.objects.varying import COUNTS, Definitions, is_constant

PLACED = (
    "what may do something on another architecture, or in another configuration,"
    " is not reached as before"
)
OUTLINED = "it differs for other arguments, as code passes that is left out in this configuration"
OPTIONAL = "it differs where options leave out code that they add here"
UNKNOWN = "{} may be used otherwise, or be another value, in another configuration or on another architecture"
# At most this many names are said.
SHOWN = 3
_INLINE = frozenset("inline __inline __inline__ __always_inline".split())
_OUTLINED = "__attribute__((__noinline__, __used__))"
# What would have an effect, or may have one, if it were evaluated twice
_EVALUATES = frozenset("( = ++ -- += -= |= &= ^= <<= >>= { }".split())
_SWITCH = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?([01])\)?[ \t]*$", re.M)
ASKS = frozenset("IS_ENABLED IS_BUILTIN IS_MODULE IS_REACHABLE".split())
# What looks like a call
_NO_CALL = re.compile(r"if|while|for|switch|return|sizeof|(?:__)?typeof\w*|defined")
# Flags of which allocations are judged, and what alternatives take as operands of asm statements
_KEPT = ("GFP_", "X86_FEATURE_")
# Another function of the same type
_STUB = "({{ extern __typeof__({0}) hotcocci_stub_{0}; hotcocci_stub_{0}; }})"
_NO_NAME = re.compile(r"\W+")
# Of another width where long has 32 bits: what is compared with these comes out one way here
_WIDE = re.compile(
    r"sizeof\s*\(\s*(?:(?:unsigned\s+)?long|s?size_t|u?intptr_t|ptrdiff_t|\w[\w\s]*\*)\s*\)"
    r"|U?LONG_MAX|S?SIZE_MAX"
)
# How often a text is compiled without what does not compile
TRIES = 4
# The address is passed of a structure: gcc's <typeclass.h>.
_SCALAR = "__builtin_choose_expr(__builtin_classify_type({0}) < 12, {0}, &{0})"
# Another value, of which nobody knows anything
_SET = "({{ extern char hotcocci_set_{0}[]; __builtin_memcpy(&{0}, hotcocci_set_{0}, sizeof({0})); }});"
_GOES = "({ extern int hotcocci_goes(void); hotcocci_goes(); })"

# What the preprocessor makes of one side, 0 or 1, with another text of the file
Expanded = Callable[[int, Text], str]
# What does nothing here, with its function, and the edits with which it calls a function first
_Reported = tuple[tuple[str, str], tuple[Edit, ...]]


def placed(
    given: Aligned, expanded: Expanded, definitions: Callable[[int, Text], Definitions]
) -> Variant | None:
    """The compilation of a change of a function with such names; None without."""
    texts, both, functions = given.sides, given.changed, given.functions
    names = assigned(texts[0], functions) | assigned(texts[1], functions)
    group = groups(texts)
    sides = []
    for side, (text, changed) in enumerate(zip(texts, both)):
        made = partial(expanded, side)
        left = left_out(text, functions, made)
        found = (
            *_applied(text, changed, given, partial(definitions, side, text)),
            *_nothing(text, idle_calls(text, functions, made)),
            *(_standing(each, names) for each in left),
            *_dropped(text, values_dropped(text, functions, names, made)),
        )
        sides.append([((group.get(f, f), said), e) for (f, said), e in found])
    shared = {key for key, _ in sides[0]} & {key for key, _ in sides[1]}
    if not shared:
        return None
    old, new = (
        apply(text.text, tuple(e for key, own in side if key in shared for e in own))
        for text, side in zip(texts, sides, strict=True)
    )
    return Variant(PLACED, texts=(old, new))


def optional(
    given: Aligned, expanded: Expanded, wrong: Callable[[int, str], Set[int]]
) -> Iterator[Variant]:
    """The compilation of a change of functions without the code that options add to them.

    If it needs some of that code, each option is left out for itself; ``wrong`` is that of `unknown()`.
    """
    old, new = (
        options(text, given.reached.keys(), partial(expanded, side))
        for side, text in enumerate(given.sides)
    )
    # A line of both sides has the same number; another one is not compared anyway.
    every = [(old[line], new[line]) for line in sorted(old.keys() & new.keys())]
    needed = False
    for some in (every, *([each] for each in every)):
        nested = len(some) == 1 and some[0][0][1]
        if not some or some is not every and not (needed or nested):
            continue
        both = (
            apply(given.texts[0], tuple(edit for (edit, _), _ in some)),
            apply(given.texts[1], tuple(edit for _, (edit, _) in some)),
        )
        if wrong(0, both[0]):
            needed = True
        elif any(replace(given, texts=both).changed):
            yield Variant(OPTIONAL, texts=both)


def outlined(given: Aligned) -> Variant | None:
    """The compilation of a change of inline functions as functions of their own; None if all that calls them is compiled.

    Where they are inlined, what is passed to them may leave nothing of a difference.
    """
    marks = [
        [t for t in text.tokens if t.text in _INLINE and text.function(t)]
        for text in given.sides
    ]
    names = {text.function(t) for text, own in zip(given.sides, marks) for t in own}
    changed = names & given.functions
    if not any(_is_left(text, changed, names) for text in given.sides):
        return None
    old, new = (
        apply(
            text.text,
            tuple(
                Edit(t.start, t.end, _OUTLINED)
                for t in own
                if text.function(t) in changed
            ),
        )
        for text, own in zip(given.sides, marks, strict=True)
    )
    return Variant(OUTLINED, texts=(old, new))


def _is_left(text: Text, functions: Set[str], inline: Set[str]) -> bool:
    """Whether this or another configuration may leave out code that uses these functions, also through inline ones and macros."""

    def passing(name: str) -> Set[str]:
        return inline & {text.function(t) for t in uses(text, {name})}

    reached = {*closure(functions, passing)}
    asking = {text.function(t) for t in text.tokens if t.text in ASKS or t.text == SIZE}
    return any(
        text.function(t) in asking or around(text.text, t.start)
        for t in uses(text, reached)
        if text.function(t) not in reached
    )


def _applied(
    text: Text,
    changed: Sequence[Token],
    given: Aligned,
    definitions: Callable[[], Definitions],
) -> Iterator[_Reported]:
    """The names in functions that may do nothing, with their arguments, and changed constants there."""
    places = {token.start for token in changed}
    numbers = {
        text.function(token)
        for token in changed
        if token.kind == NUMBER and token.text not in SMALL
    }
    code = text.tokens
    asserted = _asserted(code)
    for at, token in enumerate(code[:-1]):
        function = text.function(token) if token.kind == NAME else ""
        if function not in given.reached or at in asserted:
            continue
        key = function, token.text
        called = code[at + 1].text == "("
        if called and token.text not in given.reached:
            yield from ((key, e) for e in _called(text, code, at, definitions))
        elif not called and token.start in places and function in numbers:
            if is_constant(token.text):
                yield key, _reporting(text, token, None)
    # The file's macros that these functions use
    used = {
        *closure(
            given.names & text.used.keys(), lambda n: text.used[n] & text.used.keys()
        )
    }
    for macro in text.tokens:
        name = defined(macro)
        body = marking.inside(macro) if name in used else ()
        for at, token in enumerate(body[:-1]):
            if (
                token.kind == NAME
                and body[at + 1].text == "("
                and token.text not in used
            ):
                found = _called(text, body, at, definitions)
                yield from (((name, token.text), edits) for edits in found)


def _called(
    text: Text, code: Sequence[Token], at: int, definitions: Callable[[], Definitions]
) -> Iterator[tuple[Edit, ...]]:
    """Edits for a name that is called, if it may do nothing or an argument says what it does."""
    name, end = code[at], closing(code, at + 1)
    arguments = code[at + 2 : end + 1] if end is not None else ()
    if arguments and is_hidden(name.text):
        yield _reporting(text, name, arguments)
    elif arguments and (chosen := definitions().choosing(name.text)):
        yield _reporting(text, name, arguments, chosen)


def _nothing(text: Text, places: Set[int]) -> Iterator[_Reported]:
    """The calls at these places, of which nothing is left here; what they are given does not matter."""
    code = text.tokens
    for at, token in enumerate(code):
        if token.start in places and not is_hidden(token.text):
            end = closing(code, at + 1)
            assert end is not None, "it is a call"
            key = text.function(token), token.text
            yield key, _reporting(text, token, code[end : end + 1])


def _dropped(text: Text, values: Sequence[tuple[Token, str]]) -> Iterator[_Reported]:
    """The variables that are passed for nothing here, each with a call before the outermost one that it is in."""
    code = text.tokens
    places = {token.start: why for token, why in values}
    end = -1
    for at, token in enumerate(code[:-1]):
        if at <= end or token.kind != NAME or code[at + 1].text != "(":
            continue
        last = closing(code, at + 1)
        if _NO_CALL.fullmatch(token.text) or last is None or _is_begin(code, last + 1):
            continue
        names = {
            t.text
            for n, t in enumerate(code[at + 1 : last], at + 1)
            # An address is known, also of what has an incomplete type.
            if t.start in places and not _is_address(code, n)
        }
        sets = {
            code[n].text
            for n in range(at + 1, last)
            if _is_address(code, n)
            and code[n].start in places
            or places.get(code[n].start) == DROPPED
            and code[n - 1].text in ("(", ",")
            and code[n + 1].text in (")", ",")
        }
        if not names | sets or CHECKS.fullmatch(token.text):
            continue
        end = last
        calls = [
            _call(f"dropped_{name}", [_SCALAR.format(name)]) for name in sorted(names)
        ]
        calls += map(_SET.format, sorted(sets))
        after = code[last].end
        edits = (
            Edit(token.start, token.start, f"({{ {' '.join(calls)} "),
            Edit(after, after, "; })"),
        )
        said = f"{token.text} {' '.join(sorted(names | sets))}"
        yield (text.function(token), said), edits


def _is_address(code: Sequence[Token], at: int) -> bool:
    """Whether the address of a variable is taken."""
    return code[at - 1].text == "&" and code[at - 2].text in ("(", ",")


def _is_begin(code: Sequence[Token], at: int) -> bool:
    """Whether a statement follows, as after a macro that is a loop, or the call is assigned to."""
    # A file may end with a macro.
    return any(
        t.text in ("{", "=", "++", "--") or t.kind == NAME for t in code[at : at + 1]
    )


def _standing(left: Left, names: Set[str]) -> _Reported:
    """A replacement for removed code: calls with the values it would use or set, and the places it may lead to."""
    calls = [_call("left_out", [])]
    calls += [_call(name, [_SCALAR.format(name)]) for name in sorted(left.read & names)]
    calls += map(_SET.format, sorted(left.sets & names))
    said = " ".join(calls)
    jumps = " ".join(f"if ({_GOES}) {jump}" for jump in left.jumps)
    if left.is_else:
        said = f"else if (({{ {said} {_GOES}; }})) {{ {jumps} }}"
    else:
        said = f"{said} {jumps}"
    edit = Edit(left.behind.end, left.behind.end, f" {said}")
    return (left.function, left.code), (edit,)


def _reporting(
    text: Text,
    name: Token,
    arguments: Sequence[Token] | None,
    numbers: Collection[int] = range(99),
) -> tuple[Edit, ...]:
    """Edits that make a name call a function of its own first, with its arguments if they can be evaluated twice.

    Only those of these ``numbers`` matter.
    """
    values = [
        text.text[each[0].start : each[-1].end]
        for n, each in enumerate(split(arguments[:-1], ",") if arguments else ())
        if n in numbers and each and not _evaluates(each)
    ]
    end = arguments[-1].end if arguments else name.end
    call = _call(name.text, values)
    return Edit(name.start, name.start, f"({{ {call} "), Edit(end, end, "; })")


def _evaluates(code: Sequence[Token]) -> bool:
    """Whether an expression would have an effect, or may have one, if it were evaluated twice; in parentheses, it has none."""
    called = any(
        b.text == "(" and (a.kind == NAME or a.text == ")") for a, b in pairwise(code)
    )
    return called or not (_EVALUATES - {"("}).isdisjoint(token.text for token in code)


def _call(name: str, values: Sequence[str]) -> str:
    """A call of a function that nobody knows."""
    called = f"hotcocci_reached_{name}{len(values)}"
    types = ", ".join(["unsigned long"] * len(values)) or "void"
    passed = ", ".join(f"(unsigned long)({value})" for value in values)
    return f"({{ extern void {called}({types}); {called}({passed}); }});"


def unknown(
    given: Aligned,
    definitions: Callable[[int, Text], Definitions],
    wrong: Callable[[int, str], Set[int]],
) -> Variant | None:
    """The compilation of a change in which all that options and architectures decide is unknown; None if nothing is.

    ``definitions`` are those that one side's text sees, ``wrong`` the lines on which a text of a side does not compile,
    as where only a constant may be: there each has its value.
    """
    texts = given.sides
    wide = {each for text in texts for each in _compared(text)}
    found = [
        list(_unknown(text, given.reached, partial(definitions, side, text), wide))
        for side, text in enumerate(texts)
    ]
    for _ in range(TRIES):
        old, new = (
            apply(text.text, tuple(edit for each in own for edit in each.edits))
            for text, own in zip(texts, found, strict=True)
        )
        if not any(found):
            return None
        there, names = list[Set[int]](), set[str]()
        for side, (text, own) in enumerate(zip(texts, found, strict=True)):
            lines = wrong(side, (old, new)[side])
            there.append(lines)
            used = {t.text for t in text.tokens if text.line_of(t.start) in lines}
            names |= used & {each.name for each in own if each.is_declared}
        kept = [
            [
                each
                for each in own
                if each.name not in names
                and text.line_of(each.edits[0].start) not in lines
            ]
            for text, own, lines in zip(texts, found, there, strict=True)
        ]
        if kept == found:
            break
        found = kept
    used = {each.name for own in found for each in own}
    changed = used & {token.text for own in given.changed for token in own}
    said = ", ".join(sorted(changed or used)[:SHOWN])
    return Variant(UNKNOWN.format(said), texts=(old, new))


class _Unknown(NamedTuple):
    """A name that becomes unknown by some edits: where it is used, or, if it is_declared there, in all of the file."""

    name: str
    edits: tuple[Edit, ...]
    is_declared: bool = False


def _compared(text: Text) -> Iterator[tuple[str, str]]:
    """What has another width elsewhere, and is compared with something, by its function."""
    code = text.tokens
    for at, token in enumerate(code[:-2]):
        if token.text != "sizeof" and not _WIDE.fullmatch(token.text):
            continue
        last = (closing(code, at + 1) or at) if code[at + 1].text == "(" else at
        said = text.text[token.start : code[last].end]
        beside = {code[at - 1].text, *(each.text for each in code[last + 1 : last + 2])}
        if _WIDE.fullmatch(said) and COMPARISONS & beside:
            yield text.function(token), said


def _unknown(
    text: Text,
    reached: Mapping[str, Set[str]],
    definitions: Callable[[], Definitions],
    wide: Set[tuple[str, str]],
) -> Iterator[_Unknown]:
    """Text that makes a variable of each option, constant and function without code of its own.

    Those that functions name, which are given with what each names, and what is ``wide``, by function. A member by a
    macro becomes that by another one.
    """
    code = text.tokens
    switches = _switches(text.text)
    variables = assigned(text, set(reached))
    said_there = set().union(*reached.values())
    asserted = _asserted(code)

    def varies(token: Token) -> bool:
        asks = token.text in ASKS or token.text in switches
        return asks or (
            is_constant(token.text)
            and not token.text.startswith(_KEPT)
            and not definitions().means_same(token.text)
            and definitions().is_value(token.text)
        )

    at = 0
    while at < len(code) - 1:
        token, first = code[at], at
        at += 1
        found = _constant(text, first, varies) if token.text == "const" else None
        if found is not None and found[0] in said_there:
            name, edits, at = found
            yield _Unknown(name, edits, is_declared=True)
            continue
        if token.kind != NAME or text.function(token) not in reached:
            continue
        if first in asserted:
            continue
        called = code[first + 1].text == "("
        last = closing(code, first + 1) if called else first
        if is_member(code, first):
            other = definitions().other_body(token.text)
            if other:
                yield _Unknown(token.text, (Edit(token.start, token.end, other),))
            continue
        if last is None:
            continue
        end = code[last].end
        said = text.text[token.start : end]
        what = said if token.text in ASKS | COUNTS else token.text
        variable = f"hotcocci_unknown_{_NO_NAME.sub('_', what)}"
        value = ""
        if token.text in ASKS or token.text in switches:
            value = f"({{ extern const int {variable}; !!{variable}; }})"
        elif token.text.startswith(_KEPT) or not _may_be_unknown(code, first):
            continue
        elif definitions().means_same(token.text):
            continue
        elif (text.function(token), said) in wide:
            value = _of_type(variable, said)
        elif not called and definitions().is_type(token.text):
            width = WIDTH.format(token.text)
            yield _Unknown(token.text, (Edit(token.start, token.end, width),))
            continue
        elif called and definitions().is_stub(token.text):
            stub = _STUB.format(token.text)
            yield _Unknown(token.text, (Edit(token.start, token.end, stub),))
            continue
        elif called and not _is_simple(said):
            pass
        elif definitions().is_value(token.text, said if called else ""):
            value = _of_type(variable, said)
        if value:
            yield _Unknown(token.text, (Edit(token.start, end, value),))
            at = last + 1
        elif not called or _is_begin(code, last + 1):
            continue
        elif passed := _passed(code, range(first + 2, last), variables):
            addressed = any(code[n - 1].text == "&" for n in passed)
            if definitions().may_set(token.text, addressed):
                values = [_SCALAR.format(code[n].text) for n in passed]
                before = f"({{ {_call(f'passed_to_{token.text}', values)} "
                edits = Edit(token.start, token.start, before), Edit(end, end, "; })")
                yield _Unknown(token.text, edits)


def _asserted(code: Sequence[Token]) -> Set[int]:
    """The indexes of what compile-time assertions say, which both sides say alike (declared.py)."""
    return {
        n
        for at, token in enumerate(code)
        if ASSERTS.fullmatch(token.text)
        for n in range(at, closing(code, at + 1) or at)
    }


def _passed(code: Sequence[Token], inside: range, variables: Set[str]) -> list[int]:
    """The indexes of variables that are arguments of a call, or whose addresses are."""
    return [
        n
        for n in inside
        if code[n].text in variables
        and code[n + 1].text in (")", ",")
        and (_is_address(code, n) or code[n - 1].text in ("(", ","))
    ]


def _constant(
    text: Text, at: int, varies: Callable[[Token], bool]
) -> tuple[str, tuple[Edit, ...], int] | None:
    """The name of a constant that has such a value, of which ``const`` is at an index, and the index of its end.

    The edits give it another name, for which another file has the old one.
    """
    code = text.tokens
    words = range(edge(code, at, -1) + 1, edge(code, at, 1))
    equals = next((n for n in words if code[n].text == "="), at)
    end = next((n for n in range(equals, len(code)) if code[n].text == ";"), at)
    name = next(
        (
            code[n]
            for n in range(at, equals)
            if code[n + 1].text in ("=", "[") or n > at and code[n + 1].text[:2] == "__"
        ),
        None,
    )
    local = text.function(code[at]) and "static" not in (code[n].text for n in words)
    if name is None or local or not any(map(varies, code[equals:end])):
        return None
    own = f"hotcocci_own_{name.text}"
    other = f" extern __typeof__({own}) {name.text};"
    edits = (Edit(name.start, name.end, own), Edit(code[end].end, code[end].end, other))
    return name.text, edits, end


def _of_type(variable: str, said: str) -> str:
    return f"({{ extern const unsigned long {variable}; (__typeof__({said})){variable}; }})"


def _may_be_unknown(code: Sequence[Token], at: int) -> bool:
    """Whether a value need not be a constant where it is."""
    start = edge(code, at, -1) + 1
    before = [token.text for token in code[start:at]]
    if any(map(ASM.fullmatch, before)):
        return False
    constant = "case" in before[-2:] or "static" in before
    return not constant and before.count("[") <= before.count("]")


def _is_simple(said: str) -> bool:
    """Whether the arguments of a call may be left out."""
    inside = {token.text for token in tokenize(said)}
    return not (_EVALUATES - {"("}) & inside and said.count("(") < 2


def _switches(text: str) -> set[str]:
    """The macros that a file defines as 0 or as 1, by a condition."""
    values: dict[str, set[str]] = {}
    for name, value in _SWITCH.findall(text):
        values.setdefault(name, set()).add(value)
    return {name for name, each in values.items() if len(each) > 1}
