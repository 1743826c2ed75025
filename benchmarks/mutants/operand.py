# SPDX-License-Identifier: GPL-2.0
"""Mutations that change operands: variables, members, arguments, offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from mutants.text import Unit, Way, arguments, heads, masked, replaced

NAME = re.compile(
    r"(?<![\w.>])(?!(?:if|for|while|return|goto|switch|sizeof|do|else)\b)[a-z_]\w*\b(?!\s*\()"
)
MEMBER = re.compile(r"(?:->|\.)(?P<name>[a-z_]\w*)\b(?!\s*\()")
CALL = re.compile(r"\b(?!(?:if|for|while|return|switch|sizeof|typeof)\b)[a-z_]\w*\(")
LABEL = re.compile(r"^ ?(?P<name>\w+):", re.MULTILINE)
TYPES = frozenset(
    "int long short char unsigned signed void const struct union enum static bool goto break "
    "continue u8 u16 u32 u64 s8 s16 s32 s64 __u8 __u16 __u32 __u64 __user size_t ssize_t typeof".split()
)


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield each operand replaced by another one of the function."""
    text = masked("\n".join(lines))
    # Labels are not operands.
    none = TYPES | {found["name"] for found in LABEL.finditer(text)}
    names = sorted({n[0] for n in NAME.finditer(text)} - none)
    members = sorted({m["name"] for m in MEMBER.finditer(text)})
    for unit in heads(lines):
        plain = masked(unit.text)
        if not unit.is_declaration:
            for found in NAME.finditer(plain):
                if found[0] in none:
                    continue
                for other in names:
                    if other != found[0]:
                        yield replaced(
                            "operand: other variable", unit, *found.span(), other
                        )
        for found in MEMBER.finditer(plain):
            for other in members:
                if other != found["name"]:
                    yield replaced(
                        "operand: other member", unit, *found.span("name"), other
                    )
        yield from _calls(unit, plain, none)


def _calls(unit: Unit, plain: str, none: Set[str]) -> Iterator[Way]:
    for call in CALL.finditer(plain):
        every = arguments(unit.text, call.end() - 1)
        spans = [s for s in every if unit.text[slice(*s)] not in none]
        texts = [unit.text[slice(*span)] for span in spans]
        for (one, first), (two, second) in zip(
            zip(spans, texts, strict=True),
            list(zip(spans, texts, strict=True))[1:],
            strict=False,
        ):
            if first == second:
                continue
            both = second + unit.text[one[1] : two[0]] + first
            yield replaced("operand: arguments swapped", unit, one[0], two[1], both)
            yield replaced("operand: argument twice", unit, *two, first)
        for span, text in zip(spans, texts, strict=True):
            if text.startswith("&") or re.fullmatch(
                r"(?:arg|\w*p|ptr|\w*buf\w*|u\w*)", text
            ):
                other = f"(typeof({text}))((unsigned long)({text}) + 1)"
                yield replaced("operand: offset", unit, *span, other)
            if re.fullmatch(r"[a-z]\w*(?:->\w+)*", text):
                yield replaced("operand: offset", unit, *span, f"{text} + 1")
