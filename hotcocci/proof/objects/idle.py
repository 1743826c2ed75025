# SPDX-License-Identifier: GPL-2.0
"""Find changed code of which the preprocessor or an empty function leaves nothing.

kunmap_local() does nothing without high memory, nor does lockdep_assert_held() without lockdep, and
rcu_dereference_protected() drops its condition. The statement is compiled, and its mark is kept (seen.py),
but no comparison shows what it does elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hotcocci.c.source import (
    COMMENT,
    DIRECTIVE,
    NAME,
    NUMBER,
    Token,
    closing,
    closing_at,
    expression_at,
    tokenize,
)
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.conditional import functions, is_conditional
from hotcocci.proof.objects.ignored import Ignored
from hotcocci.proof.objects.silent import edge

DECIDES = "decided by the preprocessor in this configuration"
DROPPED = "a macro drops it in this configuration"
IGNORED = "{}() makes no use of it in this configuration"
LOST = "what the preprocessor makes of it cannot be followed"
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
_NO_CALL = re.compile(
    r"if|while|return|void|sizeof|(?:__)?typeof\w*|(?:__)?alignof\w*|__attribute__|_Static_assert"
    r"|__builtin_(?:expect|constant_p|types_compatible_p|choose_expr)|__compiletime_assert_\d+"
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
# How deep functions that only call each other are followed
DEPTH = 8


def idle(
    text: Text, tokens: Sequence[Token], expanded: Callable[[Text], str | None]
) -> Iterator[tuple[Token, str]]:
    """The changed tokens of a text of which nothing is left, and why.

    ``expanded`` preprocesses the compiled file with another version of the text; None if that fails, as where
    a macro pastes our name to what makes no token with it.
    """
    code = tuple(t for t in text.tokens if t.kind != DIRECTIVE)
    changed = {t.start for t in tokens if t.kind != DIRECTIVE}
    passed = list(_passed(code, changed))
    # Outside of functions, what a macro makes depends on where it is expanded (include/trace/define_trace.h).
    calls = [
        call
        for call in _statements(code)
        if call[0].start in text.pieces.owner and any(t.start in changed for t in call)
    ]
    assigned = list(_assigned(code, changed))
    if not (passed or calls or assigned):
        return
    parts, done = [], 0
    for token in passed:
        parts += [text.text[done : token.start], f"{TOKEN}{token.start}_"]
        done = token.end
    parts.append(text.text[done:])
    for number, call in enumerate(calls):
        words = " ".join(t.text for t in call)
        parts.append(f"\n{CALL}{number} {words}\n{END}{number}\n")
    said = expanded(Text(text.file, "".join(parts)))
    if said is None:
        named = [*passed, *(token for call in calls for token in call)]
        yield from ((token, LOST) for token in named if token.start in changed)
        return
    unit = Unit(said)
    kept = unit.kept()
    for token in passed:
        if token.start not in kept:
            # IS_ENABLED() takes an option apart.
            yield token, DECIDES if token.text.startswith("CONFIG_") else DROPPED
    for number, call in enumerate(calls):
        found = re.search(rf"{CALL}{number}\b(.*?){END}{number}\b", unit.text, re.S)
        if found and unit.is_idle(tokenize(found[1])):
            reason = NOTHING.format(call[0].text)
            yield from ((token, reason) for token in call if token.start in changed)
    renamed = {f"{TOKEN}{token.start}_": token.text for token in passed}
    own = functions(text.text)

    def varies(name: str) -> bool:
        """Whether another configuration may have another function of this name."""
        return name not in own or is_conditional(name, text.text, own=False)

    ignored = Ignored(unit.text, unit.functions, varies, renamed)
    for token in passed:
        names = [ignored.by(at) for at in kept.get(token.start, ())]
        if names and all(names):
            yield token, IGNORED.format(names[0])
    for token, variable in assigned:
        owner = text.pieces.owner.get(token.start)
        function = "" if owner is None else text.pieces.all[owner].function
        name = ignored.through(function, variable)
        if name:
            yield token, IGNORED.format(name)


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


def _assigned(code: Sequence[Token], changed: set[int]) -> Iterator[tuple[Token, str]]:
    """The changed tokens of each value that is assigned to a variable, with its name."""
    for at in range(1, len(code) - 1):
        member = at > 1 and code[at - 2].text in (".", "->")
        if code[at].text == "=" and code[at - 1].kind == NAME and not member:
            for token in expression_at(code, at + 1):
                if token.start in changed:
                    yield token, code[at - 1].text


def _statements(code: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """The tokens of each statement that is a call, without the semicolon."""
    for at in range(1, len(code) - 1):
        if code[at].kind == NAME and code[at + 1].text == "(":
            begins = code[at - 1].text in _BEFORE and not _is_alternative(code, at - 1)
            if begins and not _NO_CALL.fullmatch(code[at].text):
                last = closing(code, at + 1)
                if last is not None and [t.text for t in code[last + 1 : last + 2]] == [
                    ";"
                ]:
                    yield code[at : last + 1]


def _is_alternative(code: tuple[Token, ...], at: int) -> bool:
    """Whether a colon is that of ``?:``, and ends no label."""
    words = {token.text for token in code[edge(code, at, -1) + 1 : at]}
    return code[at].text == ":" and "?" in words


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
        """What is declared or defined weak, the attribute before or behind."""
        names: set[str] = set()
        for found in _WEAK.finditer(self.text):
            start = max(self.text.rfind(end, 0, found.start()) for end in ";{}") + 1
            end = _BETWEEN.search(self.text, found.end())
            names.update(
                _CALLED.findall(
                    self.text, start, end.start() if end else len(self.text)
                )
            )
        return frozenset(names)

    def kept(self) -> dict[int, list[int]]:
        """Where the tokens are left, but for those of dead branches, by their places in the file."""
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
            dead.append((found.end(), code[min(end, len(code)) - 1].end))
        places: dict[int, list[int]] = {}
        for found in left:
            if not any(start <= found.start() < end for start, end in dead):
                places.setdefault(int(found[1]), []).append(found.start())
        return places

    def is_idle(self, tokens: Sequence[Token], depth: int = 0) -> bool:
        """Whether statements have no effect, whatever the values in them are."""
        code = tuple(t for t in tokens if t.kind not in (COMMENT, DIRECTIVE))
        at = 0
        while at < len(code):
            token = code[at]
            follower = code[at + 1].text if at + 1 < len(code) else ""
            if token.text in ("__attribute__", "extern"):
                at = _after(code, at)
                continue
            if token.text == "if" and [t.text for t in code[at + 1 : at + 4]] == [
                *"(0)"
            ]:
                at = _after(code, at + 4)
                continue
            if _EFFECTS.fullmatch(token.text) or token.text == "]" and follower == "(":
                return False
            if token.text == "return" and not depth:
                return (
                    False  # A macro leaves the changed function; another one only ends.
                )
            if token.text == ")" and follower == "(":
                cast = at >= 2 and [t.text for t in code[at - 2 : at]] == ["(", "void"]
                if not cast and not _is_condition(code, at):
                    return False
            if token.kind == NAME and follower == "(":
                member = at > 0 and code[at - 1].text in ("->", ".")
                plain = _NO_CALL.fullmatch(token.text)
                if member or not (plain or self._does_nothing(token.text, depth)):
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


def _is_condition(code: tuple[Token, ...], at: int) -> bool:
    """Whether a closing bracket is that of an ``if``."""
    depth = 0
    for index in range(at, -1, -1):
        depth += (code[index].text == ")") - (code[index].text == "(")
        if depth == 0:
            return index > 0 and code[index - 1].text in ("if", "while")
    return False
