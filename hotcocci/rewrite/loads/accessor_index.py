# SPDX-License-Identifier: GPL-2.0
"""Index functions that only load, compare and return, or do so at first, from their source text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Expr,
    Index,
    Member,
    Name,
    Opaque,
    Postfix,
    Unary,
    walk,
)
from hotcocci.c.expression import names as names_of
from hotcocci.c.parsing import parse
from hotcocci.c.source import NAME, Token, closing, tokenize
from hotcocci.rewrite.loads.chain_bodies import Body, parameters_of, substituted
from hotcocci.rewrite.loads.chain_text import text_of

# Longer functions do not belong in a header.
MOST_LINES = 12
_DEFINED = re.compile(
    r"^(?!static\b|typedef\b|return\b|else\b)(?P<head>[A-Za-z_][\w \t*]*[\s*])(?P<name>\w+)"
    r"\((?P<parameters>[^(){};#]*)\)\s*\n\{\n"
    rf"(?P<body>(?:(?!\}}|[ \t]*#)[^\n]*\n){{1,{MOST_LINES}}}?)\}}",
    re.MULTILINE,
)
_EXITING = re.compile(
    r"^(?!static\b|typedef\b|return\b|else\b)(?P<head>[A-Za-z_][\w \t*]*[\s*])(?P<name>\w+)"
    r"\((?P<parameters>[^(){};#]*)\)\s*\n\{\n"
    r"(?:[ \t]+[A-Za-z_][\w \t*,]*;\n)*\s*"
    r"if \((?P<test>[^;{}\n]*)\)\n[ \t]+return\b(?P<value>[^;{}]*);",
    re.MULTILINE,
)
_ERROR = re.compile(r"-E[A-Z]|ERR_PTR")
_STATIC = re.compile(
    r"^static\s(?!\s*inline)[\w \t*]*?\b(\w+)\s*(?:\[[^\]\n]*\]\s*)?[=;(\n]",
    re.MULTILINE,
)
_WORDS = frozenset("for while do switch case goto asm break continue".split())


@dataclass(frozen=True)
class Accessor:
    """One function; ``values`` are the expressions it evaluates, with its locals substituted.

    ``file`` is relative to the tree. ``statics`` are the names it uses that are local
    to its file; ``single`` is set if it is one return statement.

    A function that begins with ``if (test) return …`` has that ``test`` and, in ``unused``, the
    parameters that neither it nor the value returned mentions. It may do anything afterwards, and
    has no ``values`` then.
    """

    name: str
    file: str
    line: int
    parameters: tuple[str, ...]
    values: tuple[str, ...]
    statics: tuple[str, ...]
    single: bool
    test: str = ""
    unused: tuple[str, ...] = ()


def accessors_in(file: str, text: str) -> list[Accessor]:
    """The small non-static functions of a file."""
    found = []
    for match in _DEFINED.finditer(text):
        if "inline" in match["head"] or "return" not in match["body"]:
            continue
        values = _values(match["body"])
        if any("->" in value or "(" in value for value in values):
            line = text.count("\n", 0, match.start("name")) + 1
            names = parameters_of(match["parameters"])
            used = {n for value in values for n in names_of(_parsed(value))}
            hidden = tuple(sorted((used - set(names)) & _statics(text)))
            single = len(values) == 1
            spelled = tuple(values)
            found.append(
                Accessor(match["name"], file, line, names, spelled, hidden, single)
            )
    return found


def early_exits_in(file: str, text: str) -> list[Accessor]:
    """The non-static functions of a file that may return at their first test, unless they load for it."""
    found = []
    for match in _EXITING.finditer(text):
        test = _parsed(match["test"])
        parts = list(walk(test))
        names = parameters_of(match["parameters"])
        if "inline" in match["head"] or not set(names_of(test)) & set(names):
            continue
        # An error is not what usually happens.
        if _ERROR.search(match["value"]):
            continue
        if any(
            _stores(part) or isinstance(part, (Call, Member, Index)) for part in parts
        ):
            continue
        mentioned = {t.text for t in tokenize(match["test"] + " " + match["value"])}
        unused = tuple(name for name in names if name not in mentioned)
        if unused:
            line = text.count("\n", 0, match.start("name")) + 1
            spelled = " ".join(match["test"].split())
            found.append(
                Accessor(
                    match["name"], file, line, names, (), (), False, spelled, unused
                )
            )
    return found


@lru_cache(maxsize=2)
def _statics(text: str) -> frozenset[str]:
    """The static objects and functions of a file."""
    return frozenset(match[1] for match in _STATIC.finditer(text))


@lru_cache(maxsize=4)
def by_name(accessors: tuple[Accessor, ...]) -> Mapping[str, Accessor]:
    """Accessors by name, if only one file defines it; of two in one file, the one that does more."""
    return _unique([a for a in accessors if a.values])


@lru_cache(maxsize=4)
def exits_by_name(accessors: tuple[Accessor, ...]) -> Mapping[str, Accessor]:
    """Functions that may return at their first test, by name, if only one file defines it."""
    return _unique([a for a in accessors if a.test])


def _unique(accessors: list[Accessor]) -> dict[str, Accessor]:
    found: dict[str, list[Accessor]] = {}
    for accessor in accessors:
        found.setdefault(accessor.name, []).append(accessor)
    return {
        name: max(them, key=lambda each: sum(map(len, each.values)))
        for name, them in found.items()
        if len({each.file for each in them}) == 1
    }


@lru_cache(maxsize=4)
def bodies_of(accessors: tuple[Accessor, ...]) -> Mapping[str, Body]:
    """The accessors that are a single expression, in the form of macro bodies."""
    return {
        name: Body(
            each.parameters,
            _parsed(each.values[0]),
            each.values[0],
            Path(each.file),
            each.line,
        )
        for name, each in by_name(accessors).items()
        if each.single
    }


def _parsed(text: str) -> Expr:
    return parse(text, tokenize(text))


def _values(body: str) -> list[str]:
    """The values that a body evaluates, in order; empty if it does anything else."""
    tokens = tuple(t for t in tokenize(body) if t.kind != "comment")
    if not tokens or any(t.text in _WORDS or t.text in "{}" for t in tokens):
        return []
    locals_: dict[str, Expr] = {}
    values: list[Expr] = []
    returned = False
    for kind, expr_tokens, name in _statements(tokens):
        expr = parse(body, expr_tokens)
        if any(_stores(part) for part in walk(expr)):
            return []
        expr = substituted(expr, locals_)
        if kind == "declares" or kind == "sets":
            if name in locals_ and kind == "declares":
                return []
            if kind == "declares":
                locals_[name] = expr
            elif name in locals_:
                # The local has changed: stop substituting its old value.
                locals_[name] = Name(0, 0, name)
        values.append(expr)
        returned = kind == "returns"
    if not returned:
        return []
    whole = [v for v in values if not isinstance(v, Name)]
    return [text_of(v) for v in (whole if len(whole) > 1 else values[-1:])]


def _stores(part: Expr) -> bool:
    if isinstance(part, (Opaque, Postfix)):
        return True
    if isinstance(part, Unary):
        return part.operator in ("++", "--")
    return isinstance(part, Binary) and part.operator in (*ASSIGNMENTS, ",")


def _statements(
    tokens: tuple[Token, ...],
) -> Iterator[tuple[str, tuple[Token, ...], str]]:
    """Declarations, tests, assignments to locals and returns, each with its expression."""
    index = 0
    names: set[str] = set()
    while index < len(tokens):
        word = tokens[index].text
        if word == "else":
            index += 1
            continue
        if word == "if":
            last = closing(tokens, index + 1)
            if last is None:
                yield "does", tokens[index : index + 1], ""
                return
            yield "tests", tokens[index + 2 : last], ""
            index = last + 1
            continue
        end = next(
            (i for i in range(index, len(tokens)) if tokens[i].text == ";"), len(tokens)
        )
        statement = tokens[index:end]
        index = end + 1
        equals = next((i for i, t in enumerate(statement) if t.text == "="), None)
        if word == "return":
            if len(statement) > 1:
                yield "returns", statement[1:], ""
        elif equals is None:
            plain = all(t.kind == NAME or t.text == "*" for t in statement)
            if not plain or len(statement) < 2:
                # A call for its side effects
                yield "does", (*statement, *statement[:1]), ""
            else:
                names.add(statement[-1].text)
        elif equals == 1 and statement[0].text in names:
            yield "sets", statement[2:], statement[0].text
        else:
            head = statement[:equals]
            declares = len(head) > 1 and all(
                t.kind == NAME or t.text == "*" for t in head
            )
            names.add(head[-1].text)
            yield (
                ("declares", statement[equals + 1 :], head[-1].text)
                if declares
                else ("does", (*statement, *statement[:1]), "")
            )
