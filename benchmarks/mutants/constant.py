# SPDX-License-Identifier: GPL-2.0
"""Mutations that change constants."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Way, heads, masked, replaced

NUMBER = re.compile(r"(?<![\w.])(?:0x[0-9a-fA-F]+|\d+)[uUlL]*\b")
ERRNO = re.compile(r"-(?P<name>E[A-Z]+)\b")
ERRNOS = ("EFAULT", "EINVAL", "EPERM", "ENOMEM")
NAMED = re.compile(r"(?<![\w-])(?!NULL\b|__)[A-Z][A-Z0-9_]{3,}\b(?!\s*\()")
SIZE = re.compile(r"\bsizeof\([^()]*\)")


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield numbers off by one or with the sign flipped, other error codes, other sizes."""
    for unit in heads(lines):
        plain = masked(unit.text)
        for found in NUMBER.finditer(plain):
            for by in (f"({found[0]} + 1)", f"({found[0]} - 1)"):
                yield replaced("constant: off by one", unit, *found.span(), by)
            if found[0] != "0":
                yield replaced("constant: sign", unit, *found.span(), f"(-{found[0]})")
        for found in ERRNO.finditer(plain):
            for by in ERRNOS:
                if by != found["name"]:
                    yield replaced("constant: errno", unit, *found.span("name"), by)
            yield replaced("constant: sign", unit, *found.span(), found["name"])
        for found in NAMED.finditer(plain):
            yield replaced(
                "constant: off by one", unit, *found.span(), f"({found[0]} + 1)"
            )
        for found in SIZE.finditer(plain):
            for by in (f"({found[0]} + 1)", f"({found[0]} - 1)"):
                yield replaced("constant: size", unit, *found.span(), by)
