# SPDX-License-Identifier: GPL-2.0
"""Recognize functions that open or end a window for their caller."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from hotcocci.c.syntax import Function
from hotcocci.windows.events import Helper
from hotcocci.windows.outcome import BEFORE, Exit, Fix, Outcome, Violation
from hotcocci.windows.state import CALLER, OPEN
from hotcocci.windows.vocabulary import (
    BEGINS,
    END_OF,
    ENDS,
    SAVE,
    SCOPES,
    Begin,
)

_OPENING = frozenset({*BEGINS, *SCOPES, SAVE})
_INLINE = re.compile(r"\b(?:__always_inline|__?inline|inline)\b")
_STATIC = re.compile(r"\bstatic\b")


def summaries(
    seen: Sequence[Function],
    outcomes: Sequence[Outcome],
    defined: Mapping[str, int],
) -> dict[str, Helper]:
    """The effects of a file's functions on their callers' windows, by name.

    ``defined`` is how often the file defines each: with another definition under an ``#else``, the
    effect of a helper is not certain.
    """
    places = {(function.name, function.start) for function in seen}
    known = Counter(name for name, _ in places)
    found: dict[str, Helper] = {}
    for function, outcome in zip(seen, outcomes, strict=True):
        helper = _opener(function, outcome) or _closer(function, outcome)
        if helper is None and opens(function):
            helper = Helper(opens=True)
        if _sometimes(function, outcome) and (helper is None or helper.opens):
            helper = Helper(lost=f"{function.name}() opens or ends it on some paths")
        if helper is None:
            continue
        same = found.setdefault(function.name, helper) == helper
        elsewhere = known[function.name] < defined.get(function.name, 0)
        if not same or (elsewhere and not helper.opens):
            found[function.name] = Helper(
                lost=f"{function.name}() opens or ends it in some configurations"
            )
    return found


def left_open(function: Function, outcome: Outcome) -> Iterator[Violation]:
    """Returns with a window open, or still saved, that the caller does not expect."""
    expected = _opener(function, outcome) is not None
    for exit_ in sorted(outcome.exits, key=lambda e: (e.at, e.window.at)):
        window = exit_.window
        if _is_open(exit_) and not expected and not _sometimes(function, outcome):
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


def _declared(function: Function, how: re.Pattern[str]) -> bool:
    head = function.source.text[function.start : function.body.start]
    return how.search(head) is not None


def _opener(function: Function, outcome: Outcome) -> Helper | None:
    """A helper whose return value tells whether it left a window open; None if it is not one.

    One that does more than to open it must be inline, as objtool rejects returns with user access open,
    and must not contain an end: with one, the exits that leave the window open are missing theirs.
    """
    if not _declared(function, _STATIC):
        return None
    if outcome.uses and (ends(function) or not _declared(function, _INLINE)):
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


def _sometimes(function: Function, outcome: Outcome) -> bool:
    """Whether a helper opens or ends its caller's window, depending on what is not known."""
    if outcome.ended:
        return _declared(function, _STATIC)
    values = any(e.value is not None for e in outcome.exits)
    opened = any(_is_open(e) for e in outcome.exits)
    return opened and values and not outcome.uses and _declared(function, _STATIC)


def _closer(function: Function, outcome: Outcome) -> Helper | None:
    """A helper that ends its caller's window on every path; None if it is not one."""
    if not _declared(function, _STATIC) or not outcome.ended or not outcome.exits:
        return None
    if any(e.window.kind != CALLER for e in outcome.exits) or len(outcome.ended) != 1:
        return None
    return Helper(ends=next(iter(outcome.ended)))
