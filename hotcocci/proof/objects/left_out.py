# SPDX-License-Identifier: GPL-2.0
"""Find the code of functions that the preprocessor removes, where it would run, and which values it would use."""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from hotcocci.c.conditionals import Branch, conditions
from hotcocci.c.source import NAME, NUMBER, Token, apply, is_member
from hotcocci.findings import Edit
from hotcocci.proof.changed import Text
from hotcocci.proof.objects.silent import ENDS, edge

_ASSIGNS = frozenset("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())
_PARTS = frozenset(". [".split())
# What break and continue are for, if it is in removed code, too
_LOOP = re.compile(r"for|while|do|switch|\w*for_?each\w*")
_MARK = "hotcocci_branch_"


# Where its condition is, a branch, its function and its tokens
_Branch = tuple[int, Branch, str, Sequence[Token]]


class Left(NamedTuple):
    """Removed code of a function, and the token behind which a statement can stand for it.

    It is_else if it begins with that word. ``read`` are the variables whose values it has from the code before it,
    ``sets`` those that it may assign, ``jumps`` the statements with which it may lead elsewhere.
    """

    function: str
    code: str
    behind: Token
    is_else: bool
    read: frozenset[str]
    sets: frozenset[str]
    jumps: tuple[str, ...]


def left_out(
    text: Text, functions: Set[str], expanded: Callable[[Text], str]
) -> Iterator[Left]:
    """The outermost removed code of functions; ``expanded`` is what the preprocessor makes of another text."""
    found, taken = _branches(text, functions, expanded)
    removed = [each for number, each in enumerate(found) if number not in taken]

    def is_removed(place: int) -> bool:
        return any(b.start <= place < b.end for _, b, _, _ in removed)

    code = [token for token in text.code if not is_removed(token.start)]
    for place, _, function, own in removed:
        before = sum(token.start < place for token in code)
        if before and not is_removed(place):
            begin = _begin(code, before - 1)
            said = " ".join(token.text for token in own)
            is_else = own[0].text == "else" and begin == before - 1
            jumps = tuple(dict.fromkeys(_jumps(own)))
            yield Left(
                *(function, said, code[begin], is_else),
                *(_read(own), _sets(own), jumps),
            )


def options(
    text: Text, functions: Set[str], expanded: Callable[[Text], str]
) -> dict[int, tuple[Edit, bool]]:
    """By line, edits that leave out the code that options add to functions here, for what is instead, if anything is.

    With each is said whether it is in code that another one leaves out.
    """
    found, taken = _branches(text, functions, expanded)
    code = text.code
    edits = dict[int, tuple[Edit, bool]]()
    for number in sorted(taken):
        place, branch, function, _ = found[number]
        before = next((t for t in reversed(code) if t.start < place), None)
        if before and (text.function(before) == function or before.text == "{"):
            word = "if" if branch.at == place else "elif"
            lines = text.text.count("\n", branch.at, branch.start)
            edit = Edit(branch.at, branch.start, f"#{word} 0" + "\n" * lines)
            outer = (found[n][1] for n in taken)
            nested = any(b.start <= branch.at < b.end for b in outer)
            edits[text.line_of(branch.at)] = edit, nested
    return edits


def _branches(
    text: Text, functions: Set[str], expanded: Callable[[Text], str]
) -> tuple[list[_Branch], set[int]]:
    """The branches in functions, each with its condition's place, its function and its tokens; and those that are taken."""
    found = list[_Branch]()
    for condition in conditions(text.text):
        for branch in condition.branches:
            own = [t for t in text.tokens if branch.start <= t.start < branch.end]
            function = next(filter(None, map(text.function, own)), "")
            if function in functions:
                found.append((condition.at, branch, function, own))
    return found, taken(text, [branch for _, branch, _, _ in found], expanded)


def taken(
    text: Text, branches: Sequence[Branch], expanded: Callable[[Text], str]
) -> set[int]:
    """The numbers of the branches that the preprocessor leaves."""
    marks = (
        Edit(branch.start, branch.start, f"\n{_MARK}{number}\n")
        for number, branch in enumerate(branches)
    )
    if not branches:
        return set()
    said = expanded(Text(text.file, apply(text.text, tuple(marks))))
    return {int(number) for number in re.findall(rf"\b{_MARK}(\d+)\b", said)}


def _jumps(code: Sequence[Token]) -> Iterator[str]:
    loops = any(map(_LOOP.fullmatch, (token.text for token in code)))
    for token, label in zip(code, code[1:]):
        if token.text == "goto" and label.kind == NAME:
            yield f"goto {label.text};"
        elif token.text in ("break", "continue") and not loops:
            yield f"{token.text};"


def assigned(text: Text, functions: Set[str]) -> frozenset[str]:
    """The names in functions that are assigned, also in part, or whose addresses are taken."""
    code = text.code
    return frozenset(
        code[at].text for at in _assigned(code) if text.function(code[at]) in functions
    )


def _assigned(code: Sequence[Token]) -> Iterator[int]:
    for at in range(len(code) - 1):
        if _is_variable(code, at) and (
            code[at + 1].text in _ASSIGNS | _PARTS
            or code[at - 1].text in ("++", "--")
            or (code[at - 1].text == "&" and not _is_value(code[at - 2]))
        ):
            yield at


def _sets(code: Sequence[Token]) -> frozenset[str]:
    """The names that code assigns, and does not declare."""
    declared = {
        token.text
        for before, token in zip(code, code[1:])
        if before.kind == NAME or before.text == "*"
    }
    return frozenset(code[at].text for at in _assigned(code)) - declared


def _read(code: Sequence[Token]) -> frozenset[str]:
    """The names in code but for those that it assigns first."""
    first = {
        token.text: code[at + 1 : at + 2]
        for at, token in reversed([*enumerate(code)])
        if _is_variable(code, at)
    }
    return frozenset(
        name for name, then in first.items() if not then or then[0].text != "="
    )


def _begin(code: Sequence[Token], at: int) -> int:
    """The index of the last token, up to one, behind which a statement may begin."""
    while at > 0 and not _is_end(code, at):
        at = edge(code, at, -1)
    return at


def _is_end(code: Sequence[Token], at: int) -> bool:
    word = code[at].text
    if word == ":":
        # A label, or a case
        return all(t.text != "?" for t in code[max(edge(code, at, -1), 0) : at])
    return word in ENDS and not (
        word == "{" and code[at - 1].text in ("=", ",", "(", "{")
    )


def _is_value(token: Token) -> bool:
    return token.kind in (NAME, NUMBER) or token.text in (")", "]")


def _is_variable(code: Sequence[Token], at: int) -> bool:
    return code[at].kind == NAME and not is_member(code, at)
