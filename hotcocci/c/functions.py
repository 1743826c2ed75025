# SPDX-License-Identifier: GPL-2.0
"""The functions of a file by its text alone, and what calls what in it.

A fast approximation, for upper bounds, and for code that does not parse: a body begins and ends with a brace
in the first column (Documentation/process/coding-style.rst).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from hotcocci.c.source import COMMENTS

_OUTSIDE_CODE = re.compile(
    COMMENTS.pattern + r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.S
)
_BLANK = re.compile(r"[^\n]")
_BODY = re.compile(r"^\{.*?^\}", re.M | re.S)
_WORD = re.compile(r"[A-Za-z_]\w*")
_SYSTEM_CALL = re.compile(r"\b(?:COMPAT_)?SYSCALL_DEFINE\d\(\s*(\w+)")
# The name before the parameters, except attributes that may come first.
_NAME = re.compile(
    r"\b(?!__attribute__|__printf|__scanf|__aligned|__section)(\w+)\s*\("
)


# The end of a function; a brace in the first column closes every other block, too.
END = "\n}"


def span(text: str, place: int) -> tuple[int, int]:
    """The offsets of the function around a place, from the end of the one before it to its own."""
    end = text.find(END, place)
    return max(text.rfind(END, 0, place), 0), len(text) if end < 0 else end


def head(text: str, place: int) -> tuple[int, int] | None:
    """The offsets between which a function is declared whose body a place is in; None outside of bodies."""
    body = text.rfind("\n{", 0, place)
    if body < 0 or text.rfind(END, 0, place) > body:
        return None
    return max(
        0, *(text.rfind(end, 0, body) for end in (END, ";\n", "*/", "\n#"))
    ), body


def header(text: str, place: int) -> str:
    """The text that declares the function whose body a place is in, empty outside of bodies."""
    found = head(text, place)
    return text[slice(*found)] if found is not None else ""


@dataclass(frozen=True)
class Body:
    """The body of a function, between the braces at ``start`` and before ``end``."""

    name: str
    is_static: bool
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Functions:
    """The functions of one file, whose text is ``text``, and the calls between them."""

    text: str

    @cached_property
    def _code(self) -> str:
        return _OUTSIDE_CODE.sub(lambda found: _BLANK.sub(" ", found[0]), self.text)

    @cached_property
    def bodies(self) -> list[Body]:
        """The bodies in source order, without comments and strings."""
        found = []
        done = 0
        for body in _BODY.finditer(self._code):
            header = _header(self._code[done : body.start()])
            done = body.end()
            name = _SYSTEM_CALL.search(header) or _NAME.search(header)
            if name:
                is_static = "static" in _WORD.findall(header[: name.start()])
                found.append(Body(name[1], is_static, body[0], *body.span()))
        return found

    def of(self, function: str) -> frozenset[str]:
        """The functions that call a static function of the file.

        Empty if it is not static, or if its address is taken: then it has code of its own.
        """
        if function not in self.text:
            return frozenset()
        own = [body for body in self.bodies if body.name == function]
        if not own or not all(body.is_static for body in own):
            return frozenset()
        uses = re.compile(rf"\b{re.escape(function)}\b(?!\s*\()")
        if uses.search(self._code):
            return frozenset()
        call = re.compile(rf"\b{re.escape(function)}\s*\(")
        return frozenset(
            body.name
            for body in self.bodies
            # Cheap test first: most bodies do not contain the name at all.
            if body.name != function
            and function in body.text
            and call.search(body.text)
        )

    def nearest(self, function: str, known: Callable[[str], bool]) -> frozenset[str]:
        """The nearest known callers of a static function on each call path.

        It may have been inlined into them through static functions that are not known.
        """
        found: set[str] = set()
        passed = {function}
        todo = [function]
        while todo:
            for caller in self.of(todo.pop()) - passed:
                passed.add(caller)
                if known(caller):
                    found.add(caller)
                else:
                    todo.append(caller)
        return frozenset(found)


def _header(before: str) -> str:
    """The function's type, name and parameters at the end of the text before its body."""
    lines = before.rstrip().split("\n")
    first = len(lines)
    while first > 0:
        line = lines[first - 1]
        if not line.strip() or line[0] in "#}" or line.rstrip().endswith((";", "}")):
            break
        first -= 1
    return "\n".join(lines[first:])
