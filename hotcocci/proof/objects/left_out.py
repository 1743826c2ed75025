# SPDX-License-Identifier: GPL-2.0
"""Find values that a change computes for code of the same function that the preprocessor removes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from hotcocci.c.source import DIRECTIVE, NAME, Token, closing, is_member, split
from hotcocci.proof.objects.silent import edge

USED = "the preprocessor removes code that uses {} in this configuration"
_ASSIGNS = frozenset("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())


def used(
    function: Sequence[Token],
    changed: Set[int],
    removed: Sequence[tuple[int, int]],
) -> Iterator[str]:
    """The variables of a function that removed code reads, and whose values depend on a change. Sorted.

    ``function`` are its tokens, ``changed`` is where those that change start, and ``removed`` where code begins and
    ends that the preprocessor removes.
    """
    code = [token for token in function if token.kind != DIRECTIVE]
    read = {
        token.text
        for at, token in enumerate(code[:-1])
        if any(start <= token.start < end for start, end in removed)
        and _is_variable(code, at)
        and code[at + 1].text != "="
    }
    spans = list(_statements(code))
    assigned = [_assigned(code, *span) for span in spans]
    touched = set[str]()
    for (first, last), names in zip(spans, assigned, strict=True):
        if any(token.start in changed for token in code[first : last + 1]):
            touched |= names
    more = True
    while more:
        found = {
            name
            for (first, last), names in zip(spans, assigned, strict=True)
            if touched & {t.text for t in code[first : last + 1]}
            for name in names
        }
        more = not found <= touched
        touched |= found
    yield from sorted(touched & read)


def _statements(code: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The first and last token of each statement or declarator; a condition has the block that follows it."""
    at = 0
    while at < len(code):
        last = min(edge(code, at - 1, 1), len(code) - 1)
        condition = code[at].text in ("if", "while", "for", "switch", "else")
        end = closing(code, last) if condition and code[last].text == "{" else None
        if condition:
            yield at, last if end is None else end
        else:
            for part in split(code[at:last], ","):
                yield at, at + len(part)
                at += len(part) + 1
        at = last + 1


def _assigned(code: Sequence[Token], first: int, last: int) -> set[str]:
    return {
        code[at].text
        for at in range(first, last + 1)
        if _is_variable(code, at)
        and (
            code[at + 1 : at + 2]
            and code[at + 1].text in _ASSIGNS
            or at
            and code[at - 1].text in ("++", "--", "&")
        )
    }


def _is_variable(code: Sequence[Token], at: int) -> bool:
    return code[at].kind == NAME and not is_member(code, at)
