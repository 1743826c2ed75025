# SPDX-License-Identifier: GPL-2.0
"""Find C that this compiler takes for the same, and others with which the kernel is compiled need not.

Some refuse it (Documentation/process/changes.rst), some do not inline a new function, which then needs what its callers are
marked with, and what is in a check, as VM_BUG_ON(), some configurations do not evaluate. What gcc itself warns of is
found where a patch is compiled (gate.py).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from hotcocci.c.source import (
    NAME,
    STRING,
    Token,
    closing,
    is_member,
    split,
    tokenize,
)
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.idle import DEAD
from hotcocci.proof.objects.silent import NAMES, by_function

VARIABLE = "compilers before gcc 8 take no variable for a constant"
NESTED = "clang takes no function in a function"
LETTER = "compilers before gcc 10 take no such letter"
BUILTIN = "clang, or compilers before gcc 12, may not have it"
MESSAGE = "compilers before gcc 9 want a message"
RECURSES = "calls that a compiler makes no jumps of need a stack for each"
UNDEFINED = "a shift by the width of a value is undefined, and processors differ in what it gives"
# Which is inline as of 1989 (include/linux/compiler_types.h)
EXTERN = "where a compiler does not inline it, it is in no object file"

# Of gcc 5 and clang; of others, as __builtin_add_overflow_p(), one has none.
_BUILTIN = re.compile(
    r"__builtin_(?!(?:add|sub|mul)_overflow\b|(?:mem|str|va_)[a-z]+\b|\w*abs\b|(?:c[lt]z|ffs|popcount|parity|clrsb)l*\b"
    r"|bswap\d+\b|(?:frame|return)_address\b"
    r"|(?:constant_p|choose_expr|types_compatible_p|expect|object_size|prefetch|trap|unreachable|offsetof|alloca|assume_aligned)\b)\w+"
)
_SHIFTS = frozenset(("<<", ">>"))
_MASKS = frozenset(("&", "%"))
_VARIABLE = re.compile(r"\bconst (?:[\w ]*?\b)?(\w+) = ")
# What may be before a loop's macro, a condition or a call
_NO_TYPE = frozenset("else do return case goto sizeof typeof __typeof__".split())


def refused(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The places of one side that other compilers refuse, if they are not on the other side, and why."""
    known = Counter((token.text, why) for token, why in _refused(other))
    for token, why in _refused(own):
        known[token.text, why] -= 1
        if known[token.text, why] < 0:
            yield token, why


def _refused(text: Text) -> Iterator[tuple[Token, str]]:
    code = text.code
    yield from ((token, VARIABLE) for token in _initialisers(text, code))
    for at, token in enumerate(code):
        if not token.text.isascii() and token.kind != STRING:
            yield token, LETTER
        near = [t.text for t in code[at + 1 : at + 4] if token.text == "extern"]
        if any("inline" in each for each in near):
            yield token, EXTERN
        if _BUILTIN.fullmatch(token.text):
            yield token, BUILTIN
        if token.text == "(" and _is_nested(text, code, at):
            yield code[at - 1], NESTED
        name = code[at - 1]
        if token.text == "(" and name.text == "_Static_assert":
            if len(split(code[at + 1 : closing(code, at)], ",")) == 1:
                yield name, MESSAGE
        if token.text == "(" and name.kind == NAME:
            if text.function(name) == name.text and _is_indented(text, name):
                yield name, RECURSES


def unbounded(
    own: Text, other: Text, changed: Sequence[Token]
) -> Iterator[tuple[Token, str]]:
    """The masks of counts of shifts that a function of the other text has not, though it shifts as often, and why that matters."""
    masks = {token for token in changed if token.text in _MASKS}
    mine, theirs = (by_function(t.function, t.code) for t in (own, other))
    for name in {own.function(token): None for token in masks}:
        # A function that has another name now may be any.
        several = (
            [mine[name], theirs[name]] if name in theirs else [own.code, other.code]
        )
        said = [[token.text for token in code] for code in several]
        shifts = [sum(map(each.count, _SHIFTS)) for each in said]
        pairs = [Counter(zip(each, each[1:])) for each in said]
        lost = pairs[0] - pairs[1]
        for at, token in enumerate(several[0] if shifts[0] <= shifts[1] else ()):
            if token.text in _SHIFTS and said[0][at + 1] == "(":
                inside = several[0][at + 1 : closing(several[0], at + 1)]
                for one, limit in zip(inside, inside[1:]):
                    if one in masks and (one.text, limit.text) in lost:
                        yield one, UNDEFINED


def _initialisers(text: Text, code: Sequence[Token]) -> Iterator[Token]:
    """The variables that initialisers of static variables read."""
    variables = set(_VARIABLE.findall(" ".join(token.text for token in code)))
    static = inside = False
    for at, token in enumerate(code[:-1] if variables else ()):
        ended = token.text == ";" or token.text == "{" and not inside
        static = token.text == "static" or static and not ended
        if token.text in ("=", ";"):
            inside = token.text == "=" and (static or not text.function(token))
        elif inside and token.text in variables and not is_member(code, at):
            sized = [t.text for t in code[at - 2 : at]] == ["sizeof", "("]
            if code[at - 1].text != "&" and code[at + 1].text != "=" and not sized:
                yield token


def _is_nested(text: Text, code: Sequence[Token], at: int) -> bool:
    """Whether a bracket begins the parameters of a function that is in another one."""
    if at < 2 or code[at - 1].kind != NAME or code[at - 2].kind != NAME:
        return False
    name, end = code[at - 1], closing(code, at)
    body = end is not None and [t.text for t in code[end + 1 : end + 2]] == ["{"]
    inside = _is_indented(text, name) and text.function(name) not in ("", name.text)
    return body and inside and code[at - 2].text not in _NO_TYPE


def _is_indented(text: Text, token: Token) -> bool:
    return text.text[text.text.rfind("\n", 0, token.start) + 1].isspace()


NEEDS = "a compiler that does not inline it needs {}, as the caller has it"
ELSEWHERE = "a compiler that does not inline it calls {} code from code that stays"

# include/linux/compiler_types.h, compiler_attributes.h, kprobes.h, instrumentation.h
_KEPT = re.compile(r"notrace|noinstr|__kprobes|__cpuidle|__no_(?!return)\w+")
# include/linux/init.h
_DISCARDED = frozenset(("__init", "__exit"))
_INLINED = "__always_inline"
_NOKPROBE = "NOKPROBE_SYMBOL"


class _Function(NamedTuple):
    """A function's marks, and the tokens of its body."""

    marks: frozenset[str]
    body: Sequence[Token]


def outlined(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The calls of functions that the other text has not, which are marked otherwise than their callers, and why."""
    known = {token.text for token in other.tokens}
    mine = _functions(own)
    # Functions that only get another name are not new.
    renamed = {_said(each) for each in _functions(other).values()}
    new = {
        name: each.marks
        for name, each in mine.items()
        if name not in known and _said(each) not in renamed
    }
    for caller in mine.values() if new else ():
        for token in caller.body:
            marks = new.get(token.text, caller.marks)
            lost = {m for m in caller.marks - marks if _is_kept(m)}
            stays = (marks & _DISCARDED) - caller.marks
            if _INLINED in marks or not lost | stays or "__ref" in caller.marks:
                continue
            why = NEEDS if lost else ELSEWHERE
            yield token, why.format(" and ".join(sorted(lost or stays)))


def _said(function: _Function) -> tuple[frozenset[str], tuple[str, ...]]:
    """A function without its name."""
    marks = frozenset(filter(_is_mark, function.marks))
    return marks, tuple(token.text for token in function.body)


def _is_mark(mark: str) -> bool:
    return mark in _DISCARDED or mark == _INLINED or _is_kept(mark)


def _is_kept(mark: str) -> bool:
    return mark == _NOKPROBE or _KEPT.fullmatch(mark) is not None


def _functions(text: Text) -> Mapping[str, _Function]:
    """The functions that a text defines, by their names."""
    code = text.code
    blocked = {
        b.text
        for a, _, b in zip(code, code[1:], code[2:])
        if a.text == _NOKPROBE and b.kind == NAME
    }
    found: dict[str, _Function] = {}
    for name, own in by_function(text.function, code).items():
        opens = next((n for n, token in enumerate(own) if token.text == "{"), 0)
        marks = {token.text for token in own[:opens]}
        marks |= {_NOKPROBE} if name in blocked else set()
        # compiler_types.h defines it with that.
        marks |= {"notrace"} if "inline" in marks else set()
        if name:
            found[name] = _Function(frozenset(marks), own[opens:])
    return found


ASSERTED = "{}() need not evaluate it in another configuration"

_SETS = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=|\+\+|--")
_VARIADIC = re.compile(r"(?<!\w)\.\.\.")


AGAIN = "{} may evaluate it more than once on another architecture"
_MACRO = r"^[[:space:]]*#[[:space:]]*define[[:space:]]+({})\(.*"
_HEAD = re.compile(r"\bdefine\s+(\w+)\(([^()]*)\)")
_CONTROLLING = frozenset("if while for switch return sizeof typeof".split())
_UNEVALUATED = re.compile(r"\b(?:__)?(?:typeof|sizeof|alignof)(?:__)?\s*\([^()]*\)")


class Body(NamedTuple):
    """One of the definitions of a macro: its parameters and what it stands for."""

    parameters: str
    text: str


class _Effect(NamedTuple):
    """What has an effect, or a call that may have one, and the calls that it is an argument of."""

    token: Token
    what: str
    around: frozenset[str]
    is_call: bool


def dropped_effects(
    own: Text,
    other: Text,
    bodies: Callable[[str], Sequence[Body]],
    search: Callable[[str], Sequence[str]],
) -> Iterator[tuple[Token, str]]:
    """The effects in arguments that may be dropped: assignments that the other side has not there, and calls that it has elsewhere.

    And assignments that a header of any architecture has done more than once; ``search`` finds what matches in these.
    """
    mine, theirs = list(_effects(own.code)), list(_effects(other.code))
    known = Counter((each.what, each.around) for each in theirs)
    fresh = list[_Effect]()
    for each in mine:
        known[each.what, each.around] -= 1
        fresh += [each] if known[each.what, each.around] < 0 else []
    names = {name for each in fresh for name in each.around}
    lost = {name for name in names if _drops(name, bodies)}
    kept = [
        Counter(each.what for each in side if not lost.intersection(each.around))
        for side in (mine, theirs)
    ]
    for each in fresh:
        moved = not each.is_call or kept[0][each.what] < kept[1][each.what]
        for name in sorted(lost.intersection(each.around)) if moved else ():
            yield each.token, ASSERTED.format(name)
    fresh = [each for each in fresh if not each.is_call]
    called = {n for each in fresh for n in each.around if NAMES.fullmatch(n)}
    again = {*_again(called - _CONTROLLING, search)}
    for each in fresh:
        for name in sorted(again.intersection(each.around)):
            yield each.token, AGAIN.format(name)


def _again(names: Set[str], search: Callable[[str], Sequence[str]]) -> Iterator[str]:
    """Those of some names that a header defines as a macro which evaluates an argument more than once."""
    for line in search(_MACRO.format("|".join(sorted(names)))) if names else ():
        head = _HEAD.search(line)
        body = line[head.end() :] if head else ""
        used = NAMES.findall(_UNEVALUATED.sub("", body))
        if head and "__builtin_constant_p" not in body:
            if any(used.count(p) > 1 for p in NAMES.findall(head[2])):
                yield head[1]


def _effects(code: Sequence[Token]) -> Iterator[_Effect]:
    calls = list[str]()
    for before, token, after in zip(code, code[1:], code[2:]):
        around = frozenset(calls)
        if token.text == "(":
            calls.append(before.text)
        elif token.text == ")":
            calls = calls[:-1]
        elif _SETS.fullmatch(token.text):
            what = f"{before.text} {token.text} {after.text}"
            yield _Effect(token, what, around, is_call=False)
        elif token.kind == NAME and after.text == "(":
            yield _Effect(token, token.text, around, is_call=True)


def _drops(name: str, bodies: Callable[[str], Sequence[Body]]) -> bool:
    """Whether one of the definitions of a macro does not evaluate what it is given."""
    for body in bodies(name):
        used = set(NAMES.findall(body.text))
        parameters = NAMES.findall(_VARIADIC.sub("__VA_ARGS__", body.parameters))
        if not used.issuperset(parameters) or DEAD.search(body.text):
            return True
        if any(DEAD.search(each.text) for n in used for each in bodies(n)):
            return True
    return False


SEVERAL = (
    "{} may be no single statement in another configuration, which needs its braces"
)
_CONTROLS = re.compile(r"if|while|for|switch|\w*for_?each\w*")


def unbraced(
    own: Text, other: Text, bodies: Callable[[str], Sequence[Body]]
) -> Iterator[tuple[Token, str]]:
    """Macros that are the whole statement of a condition, on this side alone, where another definition needs braces."""
    known = Counter((token.text, follows) for token, follows in _controlled(other.code))
    for token, follows in _controlled(own.code):
        known[token.text, follows] -= 1
        if known[token.text, follows] < 0:
            if any(_is_several(body.text, follows) for body in bodies(token.text)):
                yield token, SEVERAL.format(token.text)


def _controlled(code: Sequence[Token]) -> Iterator[tuple[Token, bool]]:
    """The calls that are the whole statement of a condition or loop, and whether an else follows."""
    for at, token in enumerate(code[:-1]):
        before: int | None = at if token.text in ("else", "do") else None
        if _CONTROLS.fullmatch(token.text) and code[at + 1].text == "(":
            before = closing(code, at + 1)
        call = [] if before is None else [t.text for t in code[before + 1 : before + 3]]
        if before is not None and call[1:] == ["("]:
            last = closing(code, before + 2) or before
            after = [t.text for t in code[last + 1 : last + 3]]
            if after[:1] == [";"]:
                yield code[before + 1], after[1:] == ["else"]


def _is_several(body: str, follows: bool) -> bool:
    """Whether a macro is more than a statement, or takes the else that follows."""
    depth, outside = 0, list[str]()
    for token in tokenize(body.replace("\\\n", " ")):
        depth += (token.text in "([") - (token.text in ")]")
        outside += [token.text] if depth == 0 else []
    if outside[:1] == ["do"]:
        return False
    return not {*";{}"}.isdisjoint(outside) or outside[:1] == ["if"] and follows
