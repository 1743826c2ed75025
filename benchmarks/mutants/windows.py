# SPDX-License-Identifier: GPL-2.0
"""Mutations that break windows, are wrong for few inputs, or release something too early."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Unit, Way, arguments, heads, replaced

BEGIN = re.compile(r"\bif \((?P<not>!)user_(?P<mode>read_|write_)?access_begin\(")
PUT = re.compile(r"\b(?:unsafe_|__)?put_user\(")
RELEASE = re.compile(
    r"\t+(?:\w*free|\w*unlock\w*|\w*put\w*|up_read|up_write)\([^;]*\);$"
)
WIDTHS = {"readl(": "readw(", "writel(": "writew(", "readq(": "readl("}
MODES = {"read_": "write_", "write_": "read_"}


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield mutations of windows, stored values and early releases."""
    begins: list[int] = []
    for unit in heads(lines):
        begin = BEGIN.search(unit.text)
        if begin:
            begins.append(unit.start)
            yield replaced("window: not tested", unit, *begin.span("not"), "0 && !")
            if begin["mode"]:
                other = MODES[begin["mode"]]
                yield replaced("window: direction", unit, *begin.span("mode"), other)
            spans = arguments(unit.text, begin.end() - 1)
            if len(spans) == 2:
                yield replaced("window: range", unit, *spans[1], "1")
        for put in PUT.finditer(unit.text):
            spans = arguments(unit.text, put.end() - 1)
            if spans:
                yield from _values(unit, *spans[0])
        if RELEASE.match(unit.text) and begins:
            first = begins[-1]
            kept = (*lines[unit.start : unit.end], *lines[first : unit.start])
            yield Way("window: released early", first, unit.end, kept)
        for wide, narrow in WIDTHS.items():
            at = unit.text.find(wide)
            if at >= 0:
                yield replaced("width: device", unit, at, at + len(wide), narrow)


def _values(unit: Unit, start: int, end: int) -> Iterator[Way]:
    """Change a value in ways that few inputs reveal."""
    value = unit.text[start:end]
    same, number = f"(typeof({value}))", f"(unsigned long)({value})"
    once = f"((u32){number} == 0x7fffffffU)"
    for kind, by in (
        ("bit lost", f"{same}({number} & ~(1UL << 3))"),
        ("sign lost", f"{same}({number} & 0x7fffffffUL)"),
        ("wrong for one", f"{same}({number} + {once})"),
    ):
        yield replaced(f"value: {kind}", unit, start, end, by)
