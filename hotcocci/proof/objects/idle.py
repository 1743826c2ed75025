# SPDX-License-Identifier: GPL-2.0
"""Find changed code of which the preprocessor or an empty function leaves nothing.

kunmap_local() does nothing without high memory, nor does lockdep_assert_held() without lockdep, and
rcu_dereference_protected() drops its condition; set_pte_at() of x86 ignores an address. The statement is
compiled, and its mark is kept (seen.py), but no comparison shows what it does elsewhere.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from hotcocci.c.source import (
    COMMENT,
    DIRECTIVE,
    NAME,
    NUMBER,
    Token,
    apply,
    arguments_in,
    closing,
    closing_at,
    is_member,
    tokenize,
)
from hotcocci.findings import Edit
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.conditional import functions, is_conditional
from hotcocci.proof.objects.silent import edge

DECIDES = "decided by the preprocessor in this configuration"
DROPPED = "a macro drops it in this configuration"
IGNORED = "{}() makes no use of it in this configuration"
NOTHING = "{}() does nothing in this configuration"

# In an expansion: what a changed token became, and where a changed call begins and ends.
TOKEN, CALL, END = "hotcocci_token_", "hotcocci_call_", "hotcocci_end_"
# What may be before a statement
_BEFORE = frozenset("; { } ) : else do".split())
# What has an effect, or may have one; ``volatile`` is of READ_ONCE() and asm.
_EFFECTS = re.compile(
    r"(?:[-+*/%&|^]|<<|>>)?=|\+\+|--|(?:__)?asm(?:__)?|(?:__)?volatile(?:__)?|for|switch|goto"
    r"|break|continue"
)
# What looks like a call, and is none or has no effect; compiletime_assert() calls a function that is not there.
NO_CALL = re.compile(
    r"if|while|return|void|sizeof|(?:__)?typeof\w*|(?:__)?alignof\w*|__attribute__|_Static_assert"
    r"|__builtin_(?:expect|va_end|constant_p|types_compatible_p|choose_expr)|__compiletime_assert_\d+"
)
# What is compiled and never runs, as in pr_devel(), RCU_LOCKDEP_WARN() and BUILD_BUG_ON_INVALID(); and how
# long it may be, in bytes
DEAD = re.compile(
    r"\bif\s*\(\s*0\s*\)|\b(?:0\s*&&|1\s*\|\|)(?=\s*\()|\(\s*void\s*\)\s*\(?\s*sizeof\b"
)
LONGEST = 20_000
# Patterns that begin with a literal are much faster in a text of megabytes.
_WEAK = re.compile(r"weak(?:(?<=\bweak)|(?<=\b__weak))(?:__)?\b")
_CALLED = re.compile(r"\w+(?=\s*\()")
_BETWEEN = re.compile(r"[;{}]")
# How deep functions are followed that only call each other, or only pass their parameters on
DEPTH = 8


def idle(
    text: Text, tokens: Sequence[Token], expanded: Callable[[Text], str]
) -> Iterator[tuple[Token, str]]:
    """The changed tokens of a text of which nothing is left, and why.

    ``expanded`` preprocesses the compiled file with another version of the text.
    """
    code = text.code
    changed = {t.start for t in tokens if t.kind != DIRECTIVE}
    passed = list(_passed(code, changed))
    # Outside of functions, what a macro makes depends on where it is expanded (include/trace/define_trace.h).
    calls = [
        call
        for call in _statements(code)
        if call[0].start in text.pieces.owner and any(t.start in changed for t in call)
    ]
    if not (passed or calls):
        return
    said = expanded(_renamed(text, passed, _marked(calls)))
    unit = Unit(said)
    yield from unit.dropped(text, passed)
    for call in unit.idle_of(calls):
        reason = NOTHING.format(call[0].text)
        yield from ((token, reason) for token in call if token.start in changed)


def values_dropped(
    text: Text, functions: Set[str], names: Set[str], expanded: Callable[[Text], str]
) -> list[tuple[Token, str]]:
    """The places where functions pass variables of these names for nothing, and why."""
    code = text.code
    wanted = {
        t.start for t in code if t.text in names and text.function(t) in functions
    }
    passed = [
        token
        for at, token in enumerate(code)
        if token.start in wanted and not is_member(code, at)
    ]
    passed = list(_passed(code, {token.start for token in passed}))
    if not passed:
        return []
    unit = Unit(expanded(_renamed(text, passed)))
    return [*unit.dropped(text, passed)]


def _renamed(text: Text, passed: Sequence[Token], more: str = "") -> Text:
    """The text with names of ours for these tokens, by their places."""
    edits = (Edit(t.start, t.end, f"{TOKEN}{t.start}_") for t in passed)
    return Text(text.file, apply(text.text, tuple(edits)) + more)


# Checks, which other paths need not make
CHECKS = re.compile(r"lockdep_\w+|\w*assert\w*|typecheck\w*")


def idle_calls(
    text: Text, functions: Set[str], expanded: Callable[[Text], str]
) -> frozenset[int]:
    """The starts of statements in functions that are calls of which nothing is left."""
    code = text.code
    calls = [call for call in _statements(code) if text.function(call[0]) in functions]
    if not calls:
        return frozenset()
    unit = Unit(expanded(Text(text.file, text.text + _marked(calls))))
    return frozenset(call[0].start for call in unit.idle_of(calls))


def _marked(calls: Sequence[Sequence[Token]]) -> str:
    """Lines to add to a text, with each call between marks."""
    return "".join(
        f"\n{CALL}{number} {' '.join(_texts(call))}\n{END}{number}\n"
        for number, call in enumerate(calls)
    )


def _passed(code: Sequence[Token], changed: set[int]) -> Iterator[Token]:
    """The changed names and numbers in brackets, but for those that are called."""
    depth = 0
    for token, follower in zip(code, code[1:]):
        depth += (token.text == "(") - (token.text == ")")
        if token.text in ("{", "}", ";"):
            depth = 0
        if depth > 0 and token.start in changed and token.kind in (NAME, NUMBER):
            if follower.text != "(":
                yield token


def _statements(code: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """The tokens of each statement that is a call, without the semicolon."""
    for at in range(1, len(code) - 1):
        if code[at].kind == NAME and code[at + 1].text == "(":
            begins = code[at - 1].text in _BEFORE and not _is_alternative(code, at - 1)
            if begins and not NO_CALL.fullmatch(code[at].text):
                last = closing(code, at + 1)
                if last is not None and _texts(code[last + 1 : last + 2]) == [";"]:
                    yield code[at : last + 1]


def _is_alternative(code: tuple[Token, ...], at: int) -> bool:
    """Whether a colon is that of ``?:``, and ends no label."""
    before = code[edge(code, at, -1) + 1 : at]
    return code[at].text == ":" and "?" in _texts(before)


@dataclass(frozen=True)
class Unit:
    """A preprocessed file."""

    text: str
    _known: dict[str, tuple[bool, int]] = field(default_factory=dict)

    @cached_property
    def functions(self) -> dict[str, re.Match[str]]:
        return functions(self.text)

    @cached_property
    def weak(self) -> frozenset[str]:
        """The names declared or defined weak, the attribute before or after them."""
        names: set[str] = set()
        for found in _WEAK.finditer(self.text):
            start = max(self.text.rfind(end, 0, found.start()) for end in ";{}") + 1
            end = _BETWEEN.search(self.text, found.end())
            last = end.start() if end else len(self.text)
            names.update(_CALLED.findall(self.text, start, last))
        return frozenset(names)

    def kept(self) -> dict[int, list[int]]:
        """The places in the file of the tokens that are left, apart from those of dead branches."""
        left = [*re.finditer(rf"{TOKEN}(\d+)_", self.text)]
        starts = [found.start() for found in left]
        dead: list[tuple[int, int]] = []
        first, last = (max(starts[0] - LONGEST, 0), starts[-1]) if starts else (0, 0)
        for found in DEAD.finditer(self.text, first, last):
            until = found.start() + LONGEST
            # Headers have hundreds.
            if bisect(starts, found.start()) == bisect(starts, until):
                continue
            code = tokenize(self.text, found.start(), until)
            end = _after(code, len(tokenize(found[0])))
            if not _is_entered(code[:end]):
                dead.append((found.end(), code[min(end, len(code)) - 1].end))
        places: dict[int, list[int]] = {}
        for found in left:
            if not any(start <= found.start() < end for start, end in dead):
                places.setdefault(int(found[1]), []).append(found.start())
        return places

    def dropped(
        self, text: Text, passed: Sequence[Token]
    ) -> Iterator[tuple[Token, str]]:
        """The tokens of a text, renamed in this file, of which nothing is left or used, and why."""
        kept = self.kept()
        defined = functions(text.text)

        def varies(name: str) -> bool:
            """Whether another configuration may have another function of this name."""
            return name not in defined or is_conditional(name, text.text, own=False)

        ignored = Ignored(self.text, self.functions, varies)
        given = {token.start: token.text for token in passed}

        def as_given(name: str) -> str:
            # A macro may make a name of it.
            return re.sub(rf"{TOKEN}(\d+)_", lambda m: given[int(m[1])], name)

        for token in passed:
            if token.start not in kept:
                # IS_ENABLED() takes an option apart.
                yield token, DECIDES if token.text.startswith("CONFIG_") else DROPPED
                continue
            names = [ignored.by(at) for at in kept[token.start]]
            if all(names):
                yield token, IGNORED.format(as_given(names[0]))

    def idle_of(
        self, calls: Sequence[tuple[Token, ...]]
    ) -> Iterator[tuple[Token, ...]]:
        """The calls, which are marked in the text, of which nothing is left."""
        for number, call in enumerate(calls):
            found = re.search(rf"{CALL}{number}\b(.*?){END}{number}\b", self.text, re.S)
            if found and self.is_idle(tokenize(found[1])):
                yield call

    def is_idle(self, tokens: Sequence[Token], depth: int = 0) -> bool:
        """Whether statements have no effect, whatever the values in them are."""
        code = tuple(t for t in tokens if t.kind not in (COMMENT, DIRECTIVE))
        # DECLARE_BITMAP() is none.
        if not depth and [t.kind for t in code[:2]] == [NAME, NAME]:
            return False
        at = 0
        while at < len(code):
            token = code[at]
            follower = code[at + 1].text if at + 1 < len(code) else ""
            dead = token.text == "if" and _texts(code[at + 1 : at + 4]) == [*"(0)"]
            if dead or token.text in ("__attribute__", "extern"):
                at = _after(code, at + 4 if dead else at)
                continue
            # while (0 && (condition)) of RCU_LOCKDEP_WARN(), sizeof of VM_BUG_ON()
            opening = at + 1 + (token.text != "sizeof")
            if f"{token.text}{follower}" in ("0&&", "1||", "sizeof("):
                if _texts(code[opening : opening + 1]) == ["("]:
                    at = (closing(code, opening) or opening) + 1
                    continue
            if _EFFECTS.fullmatch(token.text) or token.text == "]" and follower == "(":
                return False
            # A macro leaves the changed function; another one only ends.
            if token.text == "return" and not depth:
                return False
            if token.text == ")" and follower == "(":
                cast = at >= 2 and _texts(code[at - 2 : at]) == ["(", "void"]
                if not cast and not _is_condition(code, at):
                    return False
            if token.kind == NAME and follower == "(":
                plain = NO_CALL.fullmatch(token.text)
                empty = plain or self._does_nothing(token.text, depth)
                if is_member(code, at) or not empty:
                    return False
            at += 1
        return True

    def _does_nothing(self, name: str, depth: int) -> bool:
        """Whether a function is defined in the file, has no effect, and no other file's takes its place."""
        # What is not followed to its end at some depth may be at a lesser one.
        empty, asked = self._known.get(name, (False, DEPTH + 1))
        if not empty and depth < asked:
            empty = self._is_empty(name, depth)
            self._known[name] = empty, depth
        return empty

    def _is_empty(self, name: str, depth: int) -> bool:
        found = self.functions.get(name)
        if found is None or depth > DEPTH or name in self.weak:
            return False
        end = closing_at(self.text, found.end() - 1)
        body = tokenize(self.text, found.end(), end)
        return end is not None and self.is_idle(body, depth + 1)


def _texts(code: Sequence[Token]) -> list[str]:
    return [token.text for token in code]


def _after(code: tuple[Token, ...], at: int) -> int:
    """The index after an attribute, a declaration, or the statement that begins here."""
    if code[at].text == "__attribute__":
        last = closing(code, at + 1)
        return len(code) if last is None else last + 1
    depth = 0
    for index in range(at, len(code)):
        depth += (code[index].text in "([{") - (code[index].text in ")]}")
        if depth < 0 or depth == 0 and code[index].text in (";", "}"):
            return index + 1
    return len(code)


def _is_entered(code: tuple[Token, ...]) -> bool:
    """Whether a branch has a label, as that of unsafe_get_user() in 7.x, which a goto may lead to."""
    return any(
        before.text in ("{", ";", "}") and token.kind == NAME and after.text == ":"
        for before, token, after in zip(code, code[1:], code[2:])
    )


def _is_condition(code: tuple[Token, ...], at: int) -> bool:
    """Whether a closing bracket is that of an ``if``."""
    depth = 0
    for index in range(at, -1, -1):
        depth += (code[index].text == ")") - (code[index].text == "(")
        if depth == 0:
            return index > 0 and code[index - 1].text in ("if", "while")
    return False


# What does not evaluate its operand
_UNEVALUATED = re.compile(r"sizeof|(?:__)?typeof\w*|(?:__)?alignof\w*")
_PARAMETER = re.compile(r"\b(?!void$)(\w+)\s*$")
# Calls, outermost first: the function, and the number of an argument
Levels = tuple[tuple[str, int], ...]


@dataclass
class Ignored:
    """The functions that a preprocessed ``text`` defines, by the ``headers`` of their definitions.

    ``varies`` says of a name whether other configurations may define another function.
    """

    text: str
    headers: Mapping[str, re.Match[str]]
    varies: Callable[[str], bool]
    _known: dict[tuple[str, int], bool] = field(default_factory=dict)
    # By the start of a function: the calls around each of its tokens
    _levels: dict[int, dict[int, Levels]] = field(default_factory=dict)

    def by(self, at: int) -> str:
        """The function to which a place of the text is passed for nothing; empty if there is none."""
        start = max(self.text.rfind(brace, 0, at) for brace in ("\n{", "\n}")) + 1
        if start not in self._levels:
            end = self.text.find("\n}", at)
            code = tokenize(self.text, start, end if end >= 0 else None)
            self._levels[start] = {code[n].start: levels for n, levels in nested(code)}
        return self._first(self._levels[start].get(at, ()))

    def _first(self, levels: Levels) -> str:
        for name, number in reversed(levels):
            ignored = name in self.headers and self._ignores(name, number, 0)
            if ignored and self.varies(name):
                return name
        return ""

    def _ignores(self, name: str, number: int, depth: int) -> bool:
        if _UNEVALUATED.fullmatch(name):
            return True
        key = name, number
        if name not in self.headers or depth > DEPTH:
            return False
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._is_unused(name, number, depth)
        return self._known[key]

    def _is_unused(self, name: str, number: int, depth: int) -> bool:
        header = self.headers[name]
        opening = header[0].index("(")
        parameters = arguments_in(header[0][opening + 1 : header[0].rindex(")")])
        end = closing_at(self.text, header.end() - 1)
        if number >= len(parameters) or end is None:
            return False
        parameter = _PARAMETER.search(parameters[number])
        if parameter is None:
            return False
        # A parameter that is called is no function of the file.
        given = {
            word for each in parameters for word in re.findall(r"\(\s*\*\s*(\w+)", each)
        }
        code = tokenize(self.text, header.end(), end)
        for at, levels in nested(code):
            used = code[at].text == parameter[1] and not is_member(code, at)
            if used and not _is_cast_to_void(code, at):
                known = (each for each in levels if each[0] not in given)
                if not any(self._ignores(*each, depth + 1) for each in known):
                    return False
        return True


def nested(code: Sequence[Token]) -> Iterator[tuple[int, Levels]]:
    """Each token's index, with the calls that it is in."""
    opened: list[tuple[str, int]] = []
    for at, token in enumerate(code):
        if token.text in ("(", "[", "{"):
            is_call = token.text == "(" and at and code[at - 1].kind == NAME
            opened.append((code[at - 1].text if is_call else "", 0))
        elif token.text in (")", "]", "}") and opened:
            opened.pop()
        elif token.text == "," and opened:
            name, number = opened.pop()
            opened.append((name, number + 1))
        yield at, tuple(opened)


def _is_cast_to_void(code: Sequence[Token], at: int) -> bool:
    """Whether a value is only cast, as by ``(void)addr;``."""
    before = [token.text for token in code[max(at - 3, 0) : at]]
    return before == ["(", "void", ")"] and code[at + 1].text == ";"
