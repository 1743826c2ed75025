# SPDX-License-Identifier: GPL-2.0
"""Mutations that change the paths through a function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Unit, Way, arguments, heads, masked, replaced, units

CONDITION = re.compile(r"\t(?:if|while) \(")
COMPARED = re.compile(r" (<=|>=|<|>|==|!=) ")
OTHERS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=", "<="),
    "!=": ("==", ">"),
}
LABEL = re.compile(r"^ ?(?P<name>\w+):", re.MULTILINE)
GOTO = re.compile(r"\tgoto (?P<name>\w+);")
FAULT = re.compile(r"\bunsafe_\w+\(.*,\s*(?P<name>\w+)\);$", re.DOTALL)
LOOP = re.compile(r"\tfor \(")
END = re.compile(r"\t+user_(?:read_|write_)?access_end\(\);$")
RETURN = re.compile(r"\t+return\b[^;]*;$")


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield changed conditions, labels, returns, loops and window ends."""
    labels = sorted({found["name"] for found in LABEL.finditer("\n".join(lines))})
    returns = sorted({unit.head for unit in units(lines) if RETURN.match(unit.text)})
    for unit in heads(lines):
        plain = masked(unit.text)
        yield from _conditions(unit, plain)
        for pattern in (GOTO, FAULT):
            for found in pattern.finditer(plain):
                for other in labels:
                    if other != found["name"]:
                        yield replaced(
                            "path: other label", unit, *found.span("name"), other
                        )
        if LOOP.match(unit.text[len(unit.indent) - 1 :]):
            yield from _loop(unit)
        yield from _gone(unit)
        if not unit.is_declaration:
            for early in returns:
                yield _early(lines, unit, early)


def _conditions(unit: Unit, plain: str) -> Iterator[Way]:
    for found in CONDITION.finditer(plain):
        spans = arguments(unit.text, found.end() - 1)
        if spans:
            start, end = spans[0][0], spans[-1][1]
            by = f"!({unit.text[start:end]})"
            yield replaced("path: condition", unit, start, end, by)
            for each in COMPARED.finditer(plain, start, end):
                for other in OTHERS[each[1]]:
                    yield replaced("path: comparison", unit, *each.span(1), other)
            for old, new in (("&&", "||"), ("||", "&&")):
                at = plain.find(old, start, end)
                if at >= 0:
                    yield replaced("path: condition", unit, at, at + 2, new)


def _loop(unit: Unit) -> Iterator[Way]:
    for each in COMPARED.finditer(unit.text):
        for other in OTHERS[each[1]]:
            yield replaced("path: loop bound", unit, *each.span(1), other)
        by = f"{each[0]}1 + "
        yield replaced("path: loop bound", unit, *each.span(), by)
    for each in re.finditer(r" = (0)\b", unit.text):
        yield replaced("path: loop bound", unit, *each.span(1), "1")


def _gone(unit: Unit) -> Iterator[Way]:
    kinds = {
        "break;": "break",
        "continue;": "break",
        "goto": "goto",
        "return": "return",
    }
    for word, kind in kinds.items():
        if unit.head.startswith(word):
            yield Way(f"path: no {kind}", unit.start, unit.end, (f"{unit.indent};",))
    if END.match(unit.text):
        yield Way("path: no end", unit.start, unit.end, (f"{unit.indent};",))


def _early(lines: Sequence[str], unit: Unit, early: str) -> Way:
    """Insert a return before a statement, taken if an operand of it is 5."""
    name = re.search(
        r"(?<![\w.>])[a-z]\w*(?:->\w+)*(?!\s*\(|[\w.>\[-])", masked(unit.head)
    )
    condition = f"(unsigned long)({name[0]}) == 5" if name else "1"
    inner = unit.indent
    added = (f"{inner}if ({condition}) {{", f"{inner}\t{early}", f"{inner}}}")
    kept = lines[unit.start : unit.end]
    return Way("path: early return", unit.start, unit.end, (*added, *kept))
