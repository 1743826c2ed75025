# SPDX-License-Identifier: GPL-2.0
"""Find effects that a change moves into arguments of macros which another configuration lets do nothing, as VM_BUG_ON()."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from hotcocci.c.source import DIRECTIVE, NAME, Token
from hotcocci.proof.objects.idle import DEAD

ASSERTED = "{}() need not evaluate it in another configuration"

_SETS = re.compile(r"(?:[-+*/%&|^]|<<|>>)?=|\+\+|--")
_VARIADIC = re.compile(r"(?<!\w)\.\.\.")
_NAME = re.compile(r"\b[A-Za-z_]\w*")


class Body(NamedTuple):
    """One of the definitions of a macro: its parameters and what it stands for."""

    parameters: str
    text: str


class _Effect(NamedTuple):
    """What has an effect, or a call that may have one, and the calls that it is an argument of."""

    token: Token
    what: str
    around: frozenset[str]
    is_call: bool


def dropped_effects(
    own: Sequence[Token],
    other: Sequence[Token],
    bodies: Callable[[str], Sequence[Body]],
) -> Iterator[tuple[Token, str]]:
    """The effects in arguments that may be dropped: assignments that the other side has not there, and calls that it has elsewhere."""
    mine, theirs = list(_effects(own)), list(_effects(other))
    known = Counter((each.what, each.around) for each in theirs)
    fresh = list[_Effect]()
    for each in mine:
        known[each.what, each.around] -= 1
        fresh += [each] if known[each.what, each.around] < 0 else []
    names = {name for each in fresh for name in each.around}
    lost = {name for name in names if _drops(name, bodies)}
    kept = [
        Counter(each.what for each in side if not lost.intersection(each.around))
        for side in (mine, theirs)
    ]
    for each in fresh:
        moved = not each.is_call or kept[0][each.what] < kept[1][each.what]
        for name in sorted(lost.intersection(each.around)) if moved else ():
            yield each.token, ASSERTED.format(name)


def _effects(text: Sequence[Token]) -> Iterator[_Effect]:
    code = [token for token in text if token.kind != DIRECTIVE]
    calls = list[str]()
    for before, token, after in zip(code, code[1:], code[2:]):
        around = frozenset(calls)
        if token.text == "(":
            calls.append(before.text)
        elif token.text == ")":
            calls = calls[:-1]
        elif _SETS.fullmatch(token.text):
            what = f"{before.text} {token.text} {after.text}"
            yield _Effect(token, what, around, is_call=False)
        elif token.kind == NAME and after.text == "(":
            yield _Effect(token, token.text, around, is_call=True)


def _drops(name: str, bodies: Callable[[str], Sequence[Body]]) -> bool:
    """Whether one of the definitions of a macro does not evaluate what it is given."""
    for body in bodies(name):
        used = set(_NAME.findall(body.text))
        parameters = _NAME.findall(_VARIADIC.sub("__VA_ARGS__", body.parameters))
        if not used.issuperset(parameters) or DEAD.search(body.text):
            return True
        if any(DEAD.search(each.text) for n in used for each in bodies(n)):
            return True
    return False
