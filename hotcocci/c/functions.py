# SPDX-License-Identifier: GPL-2.0
"""The functions of a file by its text alone, and what calls what in it.

A fast approximation, for upper bounds, and for code that does not parse: a body begins and ends with a brace
in the first column (Documentation/process/coding-style.rst).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from hotcocci.c.conditionals import Condition, conditions
from hotcocci.c.flow import closure
from hotcocci.c.source import (
    COMMENT,
    OUTSIDE_CODE,
    NAME,
    STRING,
    WORD,
    Source,
    Token,
    closing,
    split,
    tokenize,
)

_BLANK = re.compile(r"[^\n]")
# Line by line, as a look at each character for an end takes several times as long.
_BODY = re.compile(r"^\{.*\n(?:(?!\}).*\n)*+\}", re.M)
# One that follows parameters and closes without a semicolon is no type; directives in it stay.
_OF_FUNCTION = re.compile(r"(?<=\))\s*^\{\n(?:(?!\}[ \t]*$).*\n)*+\}[ \t]*$", re.M)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.M)
_SYSTEM_CALL = re.compile(r"\b(?:COMPAT_)?SYSCALL_DEFINE\d\(\s*(\w+)")
_INLINE = re.compile(r"(?!no|asm)\w*inline\w*", re.IGNORECASE)
# The name before the parameters, except attributes that may come first.
_NAME = re.compile(
    r"\b(?!__attribute__|__printf|__scanf|__aligned|__section)(\w+)\s*\("
)


# The end of a function; a brace in the first column closes every other block, too.
END = "\n}"
# What a definition comes after
_BEFORE = (END, ";\n", "*/", "\n\n")
_PAIRS = {")": "(", "]": "[", "}": "{"}
# What each bracket or comment needs
ENDS = _PAIRS | {opens: closes for closes, opens in _PAIRS.items()} | {"/*": "*/"}
# A word in the first column that is no label
_HEAD = re.compile(r"[A-Za-z_](?!\w*\s*:(?!:))")
# What may come before a definition, after a line's comments
_BEFORE_HEAD = re.compile(r"\s*$|.*[;}]\s*$|.*\*/\s*$|//")


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


def name_before(text: str, body: int) -> str:
    """The name of the function with a body at an offset; that of a system call is without the macro's."""
    found = _name(_header(text[:body]))
    return found[1] if found else ""


def _name(header: str) -> re.Match[str] | None:
    return _SYSTEM_CALL.search(header) or _NAME.search(header)


def without_functions(text: str) -> str:
    """A text without its functions: what else it declares, the types that it defines, and all directives."""
    kept = []
    done = 0
    for found in _OF_FUNCTION.finditer(text):
        before = text[done : found.start()]
        ends = (before.rfind(end) + len(end) for end in _BEFORE if end in before)
        start = max(ends, default=0)
        kept.append(before[:start])
        kept += [
            f"{each}\n" for each in _DIRECTIVE.findall(text, done + start, found.end())
        ]
        done = found.end()
    return "".join([*kept, text[done:]])


def definitions(
    text: str, name: str
) -> Iterator[tuple[tuple[str, ...], tuple[Token, ...]]]:
    """The parameters and the body, without comments and strings, of each function of a name in a text."""
    # Beginning with a literal, it is searched for at several times the speed.
    word = re.escape(name)
    for use in re.finditer(rf"{word}(?<=\b{word})\s*\(", text):
        line = text.rfind("\n", 0, use.start()) + 1
        if text[line : line + 1] in ("\t", " ", "#"):
            continue
        tokens = plain_code(text, use.start(), span(text, use.start())[1] + len(END))
        last = closing(tokens, 1)
        if last is None or [t.text for t in tokens[last + 1 : last + 2]] != ["{"]:
            continue
        parts = split(tokens[2:last], ",")
        words = ([t.text for t in part if t.kind == NAME] for part in parts)
        body = tokens[last + 2 : closing(tokens, last + 1)]
        yield tuple(each[-1] if each else "" for each in words), body


def plain_code(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """The tokens of a part of a text, or of a macro's body, without comments and strings."""
    tokens = tokenize(text, start, end)
    return tuple(
        t for t in tokens if t.kind not in (COMMENT, STRING) and t.text != "\\"
    )


@dataclass(frozen=True)
class Body:
    """The body of a function, between the braces at ``start`` and before ``end``."""

    name: str
    is_static: bool
    is_inline: bool
    text: str
    start: int
    end: int

    def of(self, text: str) -> str:
        """The body as it is in the text of the file."""
        return text[self.start : self.end]


@dataclass(frozen=True)
class Functions:
    """The functions of one file, whose text is ``text``, and the calls between them."""

    text: str

    @cached_property
    def _code(self) -> str:
        return OUTSIDE_CODE.sub(lambda found: _BLANK.sub(" ", found[0]), self.text)

    @cached_property
    def bodies(self) -> list[Body]:
        """The bodies in source order, without comments and strings."""
        found = []
        done = 0
        for body in _BODY.finditer(self._code):
            header = _header(self._code[done : body.start()])
            done = body.end()
            name = _name(header)
            if name:
                words = WORD.findall(header[: name.start()])
                own = "static" in words, any(map(_INLINE.fullmatch, words))
                found.append(Body(name[1], *own, body[0], *body.span()))
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
        if re.search(rf"\b{re.escape(function)}\b(?!\s*\()", self._code):
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

        def callers(name: str) -> frozenset[str]:
            return frozenset() if name != function and known(name) else self.of(name)

        passed = frozenset(closure([function], callers)) - {function}
        return frozenset(filter(known, passed))


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


def block(lines: Sequence[str], line: int) -> tuple[int, int]:
    """The first and last line of the definition, or other top-level code, around a line.

    It goes by blanks and columns, as in kernel style: brackets need not match. Lines start at 1.
    """
    at = min(line, len(lines)) - 1
    first = last = at
    if _in_macro(lines, at):
        while first and lines[first - 1].endswith("\\"):
            first -= 1
        while last + 1 < len(lines) and lines[last].endswith("\\"):
            last += 1
        return first + 1, last + 1
    while first and not (_begins(lines, first) or _closes(lines[first - 1])):
        first -= 1
    while last + 1 < len(lines) and not (
        _closes(lines[last]) or _begins(lines, last + 1)
    ):
        last += 1
    return first + 1, last + 1


def mismatches(text: str) -> list[tuple[int, str]]:
    """The lines of brackets and comments without their other ends, each with which.

    There are some only if the first branches of all conditions have one, and the last branches, too.
    """
    source = Source("", text)
    first, last = (_taken(source, branch) for branch in (False, True))
    if not (_mismatches(source, first) and _mismatches(source, last)):
        return []
    return _mismatches(source, first, by_column=True) or _mismatches(source, first)


def _mismatches(
    source: Source, code: Sequence[Token], by_column: bool = False
) -> list[tuple[int, str]]:
    """The same for code of one configuration.

    With ``by_column``, a function ends where a brace closes in the first column.
    """
    found: list[tuple[Token, str]] = []
    opened: list[tuple[Token, str]] = []
    for token, following in zip(code, [*code[1:], None]):
        if token.text in ("(", "[", "{"):
            opened.append((token, token.text))
        elif token.text in _PAIRS:
            matches = bool(opened) and opened[-1][1] == _PAIRS[token.text]
            if matches:
                opened.pop()
            if by_column and token.text == "}" and not source.column(token.start):
                found += opened[-1:] or ([] if matches else [(token, token.text)])
                opened.clear()
            elif not matches:
                found.append((token, token.text))
        elif token.text == "/" and following and following.start == token.end:
            found += [(token, "/*")] if following.text.startswith("*") else []
    return [(source.line_of(t.start), what) for t, what in found + opened[-1:]]


def _taken(source: Source, last: bool) -> list[Token]:
    """The code if the first, or the last, branch of each condition is compiled."""
    gone = [
        (branch.start, branch.end)
        for condition in conditions(source.text)
        for number, branch in enumerate(condition.branches)
        if number != _number(condition, last)
    ]
    code = source.code
    return [t for t in code if not any(low <= t.start < high for low, high in gone)]


def _number(condition: Condition, last: bool) -> int:
    """The number of the first branch, or of the last, which is that of an absent #else."""
    first, *others = condition.branches
    if last:
        return len(others) + (not others or not condition.closed)
    # "#if 0" has no first branch.
    return int(first.word == "if" and bool(re.match(r"0\b", first.test)))


def _begins(lines: Sequence[str], at: int) -> bool:
    """Whether a definition begins at a line."""
    return bool(_HEAD.match(lines[at])) and (
        not at or bool(_BEFORE_HEAD.match(lines[at - 1])) or _in_macro(lines, at - 1)
    )


def _closes(line: str) -> bool:
    return line.startswith("}")


def _in_macro(lines: Sequence[str], at: int) -> bool:
    while at and lines[at - 1].endswith("\\"):
        at -= 1
    return lines[at].lstrip().startswith("#")
