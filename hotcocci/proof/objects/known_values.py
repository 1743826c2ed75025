# SPDX-License-Identifier: GPL-2.0
"""Find what a compiler knows of a condition though no configuration decides it: nothing of type u32 is below 0.

Such a condition depends on the variables of its function, on what sets them, and on what decides whether that is reached.
If these are numbers of types that every configuration has, it comes to the same there. Types may be narrower on another
architecture, so a compilation with 32 bits has to know it as well.
"""

import re
from collections.abc import Iterator, Sequence

from hotcocci.c.flow import closure
from hotcocci.c.source import DIRECTIVE, NAME, Token, called, closing, is_member
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.varying import Definitions, declared_as

KNOWN = "its value is known here, and may be another one on another architecture"
_HEADS = frozenset("if while for switch".split())
_DECIDE = frozenset("? && || case".split())
_LEADS = frozenset("return goto break continue".split())
# Names that are no variables
_WORDS = re.compile(
    r"(?:__)?[us](?:8|16|32|64)|const|static|struct|union|unsigned|signed|int|short|long|char|bool|void|else|do"
    rf"|{'|'.join(_HEADS | _LEADS)}|case|default"
)
_NUMBERS = frozenset("NULL true false".split())
# What follows what is no operand: & and * of one operand, and a cast may be before them.
_UNARY = re.compile(r"(?:^|[^\w\s] |\b(?:else|do|return) )[&*] |\[|\* \)")
_ASSIGNED = re.compile(r"(?:->|\.) \w+ (?:[^\s\w=!<>]|<<|>>)?= ")


def is_decided(
    text: Text, operand: tuple[int, int], function: str, known: Definitions
) -> bool:
    """Whether nothing that decides on a condition, given by its place, may be other code elsewhere.

    That is arithmetic of variables of the function and of members, whose types are the same everywhere; an alias, or a
    part of another member, would depend on byte order and layout.
    """
    code = [t for t in text.tokens if text.function(t) == function]
    # What is inlined gets the values of its callers.
    if any(t.kind == DIRECTIVE or "inline" in t.text for t in code):
        return False
    parts = [*_parts(text, code)]
    inside = [t for t in code if operand[0] <= t.start < operand[1]]
    asked = [inside, *_deciding(text, code, parts)]

    def set_with(name: str) -> Iterator[str]:
        for part in parts:
            if any(t.text == name for t in part):
                asked.append(part)
                yield from _variables(part)

    closure((name for part in asked for name in _variables(part)), set_with)
    variables, members = set[str](), set[str]()
    for each in asked:
        part = () if each is parts[0] else _asking(each, known)
        said = " ".join(t.text for t in part)
        if _UNARY.search(said) or _ASSIGNED.search(f"{said} ") or any(called(part)):
            return False
        variables.update(_named(part))
        members |= {t.text for at, t in enumerate(part) if is_member(part, at)}
    own = " ; ".join(" ".join(t.text for t in part) for part in parts)
    declared = re.sub(r"[(,]", ";", own[: own.find(")")]) + own[own.find(")") :]
    return known.is_fixed(members) and all(
        not known.is_macro(name)
        and [is_number for _, is_number in declared_as(name, declared)] == [True]
        for name in variables
    )


def body(text: Text, operand: tuple[int, int]) -> tuple[int, int] | None:
    """The place of the statement that only runs if a condition is true; None if other code may lead there."""
    code = text.tokens
    at = next((n for n, t in enumerate(code) if t.start == operand[0]), 0)
    opening = at - 1
    end = closing(code, opening) if at > 1 and code[opening].text == "(" else None
    if end is None or code[end - 1].end != operand[1] or code[at - 2].text != "if":
        return None
    first = code[end + 1]
    if first.text == "{":
        last = closing(code, end + 1)
    else:
        last = next((n for n in range(end, len(code)) if code[n].text in ";{}"), None)
    if last is None or first.text in _HEADS or code[last].text == "{":
        return None
    inside = code[end + 1 : last + 1]
    leads = any(t.text == ":" or t.kind == DIRECTIVE for t in inside)
    return None if leads else (first.start, code[last].end)


def _parts(text: Text, code: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The statements of a function, and its header."""
    start = 0
    for at, token in enumerate(code):
        if token.text in ("{", "}", ";"):
            yield code[start:at]
            start = at + 1


def _deciding(
    text: Text, code: Sequence[Token], parts: Sequence[Sequence[Token]]
) -> Iterator[Sequence[Token]]:
    """What decides whether other code is reached: conditions, and macros of the file, which may have some."""
    for at, token in enumerate(code[:-1]):
        if token.text in _HEADS and code[at + 1].text == "(":
            yield code[at + 2 : closing(code, at + 1)]
    for part in parts:
        words = {t.text for t in part}
        later = {t.text for t in part[1:] if t.text in _LEADS}
        headed = part and part[0].text in _HEADS | {"else"}
        if words & _DECIDE or words & text.used.keys() or later and not headed:
            yield part
    for at, token in enumerate(code[:-1]):
        # The head of a loop that is a macro
        if token.text == ")" and code[at + 1].text == "{":
            yield next(part for part in parts if token in part)


def _variables(part: Sequence[Token]) -> Iterator[str]:
    for at, token in enumerate(part):
        called = at + 1 < len(part) and part[at + 1].text == "("
        if token.kind == NAME and not called and not is_member(part, at):
            if not _WORDS.fullmatch(token.text):
                yield token.text


def _asking(part: Sequence[Token], known: Definitions) -> Sequence[Token]:
    """A statement without a call of a function behind its conditions that is given literals alone."""
    at = 0
    while at < len(part) - 1 and part[at].text in ("if", "else"):
        at = at + 1 if part[at].text == "else" else (closing(part, at + 1) or at) + 1
    call = part[at:]
    names = [token.text for token in call if token.kind == NAME]
    alone = len(names) == 1 and len(call) > 1 and call[1].text == "("
    return part[:at] if alone and not known.is_macro(names[0]) else part


def _named(part: Sequence[Token]) -> Iterator[str]:
    """The variables, and what else is no label, tag or member."""
    for at, token in enumerate(part):
        label = [each.text for each in part[at : at + 2]][1:] == [":"] and at == 0
        tag = at > 0 and part[at - 1].text in ("goto", "struct")
        if token.kind == NAME and not label and not tag and not is_member(part, at):
            if not _WORDS.fullmatch(token.text) and token.text not in _NUMBERS:
                yield token.text
