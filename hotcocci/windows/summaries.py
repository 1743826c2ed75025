# SPDX-License-Identifier: GPL-2.0
"""Recognize functions that open or end a window for their caller."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hotcocci.c.syntax import Function
from hotcocci.windows.events import Helper
from hotcocci.windows.outcome import BEFORE, Exit, Fix, Outcome, Violation
from hotcocci.windows.state import CALLER, OPEN
from hotcocci.windows.vocabulary import BEGINS, END_OF, ENDS, SAVE, SCOPES, Begin

_OPENING = frozenset({*BEGINS, *SCOPES, SAVE})
_INLINE = re.compile(r"\b(?:__always_inline|__?inline|inline)\b")


def summaries(
    seen: Sequence[Function], outcomes: Sequence[Outcome]
) -> dict[str, Helper]:
    """The effects of a file's functions on their callers' windows, by name."""
    found = {}
    for function, outcome in zip(seen, outcomes, strict=True):
        helper = _opener(function, outcome) or _closer(function, outcome)
        if helper is None and opens(function):
            helper = Helper(opens=True)
        if helper is not None:
            found[function.name] = helper
    return found


def left_open(function: Function, outcome: Outcome) -> Iterator[Violation]:
    """Returns with a window open, or still saved, that the caller does not expect."""
    expected = _opener(function, outcome) is not None
    for exit_ in sorted(outcome.exits, key=lambda e: (e.at, e.window.at)):
        window = exit_.window
        if _is_open(exit_) and not expected:
            yield Violation(
                "UW02",
                exit_.at,
                f"user access is still open here: {END_OF[window.flavour]}() is missing",
                window.at,
                Fix(BEFORE, END_OF[window.flavour]),
            )
        elif exit_.missing_restore:
            yield Violation(
                "UW02",
                exit_.at,
                "user_access_restore() is missing: the saved state is lost",
            )


def opens(function: Function) -> bool:
    """Whether a function opens windows or saves user access, so it cannot run in a window."""
    body = function.source.code_between(function.body.start, function.body.end)
    return not _OPENING.isdisjoint(token.text for token in body)


def ends(function: Function) -> bool:
    """Whether a function contains an end."""
    body = function.source.code_between(function.body.start, function.body.end)
    return not ENDS.keys().isdisjoint(token.text for token in body)


def _is_open(exit_: Exit) -> bool:
    return exit_.window.kind == OPEN and not exit_.window.inherited


def _inline(function: Function) -> bool:
    head = function.source.text[function.start : function.body.start]
    return _INLINE.search(head) is not None


def _opener(function: Function, outcome: Outcome) -> Helper | None:
    """A helper whose return value tells whether it left a window open; None if it is not one.

    It must be inline, as objtool rejects returns with user access open, and must not contain an
    end: with one, the exits that leave the window open are missing theirs.
    """
    if not _inline(function) or ends(function):
        return None
    opened = [e for e in outcome.exits if _is_open(e)]
    values = {e.value for e in opened}
    others = {e.value for e in outcome.exits if not _is_open(e)}
    if len(values) != 1 or None in values or values & (others | {None} & others):
        return None
    if None in others:
        return None
    window = opened[0].window
    return Helper(opened=Begin(window.flavour), opened_when=bool(opened[0].value))


def _closer(function: Function, outcome: Outcome) -> Helper | None:
    """A helper that ends its caller's window on every path; None if it is not one."""
    if not _inline(function) or not outcome.ended or not outcome.exits:
        return None
    if any(e.window.kind != CALLER for e in outcome.exits) or len(outcome.ended) != 1:
        return None
    return Helper(ends=next(iter(outcome.ended)))
