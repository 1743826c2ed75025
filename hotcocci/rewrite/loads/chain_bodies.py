# SPDX-License-Identifier: GPL-2.0
"""Expand macros and small functions that are a single expression.

A name may have a different body in each configuration; all of them are returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c.expression import Call, Expr, Member, Name, Opaque, walk
from hotcocci.c.headers import reachable
from hotcocci.c.parsing import parse_text
from hotcocci.c.preprocessed import view
from hotcocci.c.source import NAME, closing, tokenize

# The limit for nested expansions.
MOST_DEPTH = 8
_FUNCTION = re.compile(
    r"^(?P<head>(?:[A-Za-z_][\w \t*]*[\s*])?)(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^(){};]*)\)\s*"
    r"\{(?P<body>(?:\s*(?:#[^\n]*\n|return\s+[^;{}]*;))+)\s*\}",
    re.MULTILINE,
)
_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)|^(?:[A-Za-z_][^;{}#=()\n]*[\s*])?([A-Za-z_]\w*)\([^;{}]*\)\s*\{",
    re.MULTILINE,
)
# #if and #else may have one each.
_RETURN = re.compile(r"\breturn\s+([^;]*);")
_STATEMENT = re.compile(r"\{([^;{}]*);\s*\}\s*$")
_NAME = re.compile(r"\w+\s*$")


@dataclass(frozen=True)
class Body:
    """One expression and its parameters; None for a macro without parameters.

    ``file`` and ``line`` are those of the definition.
    """

    parameters: tuple[str, ...] | None
    value: Expr
    text: str
    file: Path | None = None
    line: int = 0


def parameters_of(text: str) -> tuple[str, ...]:
    """The parameter names in a function header."""
    names = [_NAME.search(part) for part in text.split(",")]
    return tuple(n.group().strip() for n in names if n and n.group().strip() != "void")


@lru_cache(maxsize=8192)
def _functions(path: Path) -> dict[str, tuple[Body, ...]]:
    """The functions of a file that only return a value."""
    found: dict[str, list[Body]] = {}
    text = view(path).text
    for match in _FUNCTION.finditer(text):
        line = text.count("\n", 0, match.start("name")) + 1
        names = parameters_of(match["parameters"])
        for returned in _RETURN.finditer(match["body"]):
            value = " ".join(returned[1].split())
            body = Body(names, parse_text(value), value, path, line)
            found.setdefault(match["name"], []).append(body)
    return {name: tuple(several) for name, several in found.items()}


@lru_cache(maxsize=65536)
def bodies(root: Path, file: str, name: str) -> tuple[Body, ...]:
    """The definitions of a name in a file and its headers, nearest first."""
    return tuple(_bodies(root, file, name))


def _bodies(root: Path, file: str, name: str) -> Iterator[Body]:
    for path, names in _named(root, file):
        if name not in names:
            continue
        for macro in view(path).macros.get(name, ()):
            if macro.body:
                yield Body(macro.parameters, _value(macro.body), macro.body, path)
        yield from _functions(path).get(name, ())


@lru_cache(maxsize=16)
def _named(root: Path, file: str) -> list[tuple[Path, frozenset[str]]]:
    """The names that a file and each of its headers define, nearest first."""
    headers = reachable(root, file)
    return [(header.path, _names(header.path, header.text)) for header in headers]


@lru_cache(maxsize=8192)
def _names(path: Path, text: str) -> frozenset[str]:
    """The names that lines of a file define, as macros or as functions."""
    return frozenset(m[1] or m[2] for m in _DEFINED.finditer(text))


def free_names(root: Path, file: str, used: frozenset[str]) -> frozenset[str]:
    """The free names in the bodies of macros among ``used``: a new local must not capture them.

    Parameters, members and tags are excluded.
    """
    found: set[str] = set()
    seen: set[str] = set()
    waiting = set(used)
    while waiting:
        seen |= waiting
        mentioned: set[str] = set()
        for name in waiting:
            for body in bodies(root, file, name):
                if body.line:
                    continue
                mentioned |= _written_with(body)
        found |= mentioned
        waiting = mentioned - seen
    return frozenset(found)


def _written_with(body: Body) -> set[str]:
    tokens = tokenize(body.text)
    return {
        token.text
        for before, token in zip((None, *tokens), tokens)
        if token.kind == NAME
        and token.text not in (body.parameters or ())
        and (before is None or before.text not in ("->", ".", "struct"))
    }


def _value(text: str) -> Expr:
    """The text of a macro as an expression, without outer parentheses: ``(x)``, ``({ x; })``."""
    tokens = tokenize(text)
    if tokens and tokens[0].text == "(" and closing(tokens, 0) == len(tokens) - 1:
        inner = text[tokens[0].end : tokens[-1].start].strip()
        statement = _STATEMENT.match(inner)
        if statement is not None:
            return _value(statement[1].strip())
        if not inner.startswith("{"):
            return _value(inner)
    return parse_text(text)


def substituted(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Substitute names in an expression; offsets of the result are meaningless."""
    if isinstance(expr, Name):
        return values.get(expr.text, expr)
    changed: dict[str, Any] = {}
    for field in fields(expr):
        old = getattr(expr, field.name)
        if isinstance(old, Expr):
            changed[field.name] = substituted(old, values)
        elif isinstance(old, tuple):
            changed[field.name] = tuple(substituted(each, values) for each in old)
    if isinstance(expr, Member):
        # current_cred_xxx(fsuid)
        named = values.get(expr.field)
        changed["field"] = named.text if isinstance(named, Name) else expr.field
    return replace(expr, **changed) if changed else expr


def applied(body: Body, call: Call) -> Expr | None:
    """The body with the arguments of a call substituted; None if they do not match."""
    if body.parameters is None:
        return None
    # A macro with an empty parameter list has one parameter without a name.
    names = tuple(name for name in body.parameters if name)
    if len(names) != len(call.arguments):
        return None
    if any(isinstance(part, Opaque) for part in walk(body.value)):
        return None
    values = dict(zip(names, call.arguments))
    return substituted(body.value, values)
