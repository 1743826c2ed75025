# SPDX-License-Identifier: GPL-2.0
"""The conditions of the #if lines around a place in a file."""

from __future__ import annotations

import re

_CONDITIONAL = re.compile(
    r"^[ \t]*#[ \t]*(if|el|endif)\w*[ \t]*((?:\\\n|.)*)$", re.MULTILINE
)
_COMPAT = re.compile(r"^COMPAT_SYSCALL_DEFINE\d", re.MULTILINE)


def guards_around(text: str, place: int) -> tuple[str, ...]:
    """The conditions that hold at an offset of a file, outermost first.

    Those of ``#ifndef`` and of the branches before an ``#else`` are left out, as what they say does not
    hold. A system call of 32-bit programs is compiled under CONFIG_COMPAT (include/linux/compat.h).
    """
    stack: list[str] = []
    for match in _CONDITIONAL.finditer(text, 0, place):
        line, rest = match.group().lstrip("# \t"), match[2].replace("\\\n", " ")
        if match[1] == "if":
            stack.append("" if line.startswith("ifndef") else rest)
        elif stack and match[1] == "el":
            stack[-1] = rest
        elif stack:
            stack.pop()
    above = text.rfind("\n}", 0, place) + 1
    compat = ("CONFIG_COMPAT",) if _COMPAT.search(text, above, place) else ()
    return (*filter(None, stack), *compat)
