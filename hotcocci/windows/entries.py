# SPDX-License-Identifier: GPL-2.0
"""Windows between functions: those open when one is entered, and functions that open or end one for their caller."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from hotcocci.c.source import DIRECTIVE, NAME, WORD, Source, called, closing
from hotcocci.c.syntax import Function
from hotcocci.windows.events import BEGINS, END_OF, ENDS, SAVE, SCOPES, Begin, Helper
from hotcocci.windows.helpers import bodies, leading
from hotcocci.windows.outcome import (
    BEFORE,
    CALLER,
    CLOSED,
    OPEN,
    Exit,
    Fix,
    Known,
    Outcome,
    Violation,
    Window,
)

_STATIC = re.compile(r"\bstatic\b")
# More than the depth of nested helpers anywhere in the tree
ROUNDS = 4
_OPENING = frozenset({*BEGINS, *SCOPES, SAVE})
_MASKED = frozenset(name for name, begin in BEGINS.items() if begin.masked)
_INLINE = re.compile(r"\b(?:__always_inline|__?inline|inline)\b")


@dataclass(frozen=True)
class Between:
    """The functions of a file that are not followed, as they use no window themselves.

    ``spans`` are the offsets of those that call, directly or not, functions that do, and ``calls``
    the latter. ``changing`` are macros and functions that open or end a window.
    """

    spans: Mapping[str, tuple[int, int]]
    calls: Mapping[str, frozenset[str]]
    changing: frozenset[str]


def entry(
    source: Source, function: Function, seen: list[Function], passing: Between
) -> frozenset[Window]:
    """The windows that may be open on entry, judging by its own text and the file's."""
    if opens(function) or not _declared(function, _STATIC):
        # Other files' calls are never made with user access open.
        return frozenset({Window(CLOSED)})
    elsewhere = _elsewhere(source, function.name, seen, passing)
    if function.source.file.endswith(".h") or elsewhere == "macro":
        # A helper that only ends a window ends its caller's; one that calls more opened it.
        body = function.source.code_between(function.body.start, function.body.end)
        whole = ends(function) and len(list(called(body))) > 1
        return frozenset({Window(CLOSED if whole else CALLER)})
    if elsewhere == "function":
        return frozenset({Window(CLOSED)})
    return frozenset()


def grown(
    function: Function, entry: frozenset[Window], outcome: Outcome, calls: set[Window]
) -> frozenset[Window]:
    """The windows that may be open on entry, after another round over its callers."""
    if function.source.file.endswith(".h"):
        return entry
    inherited = frozenset(replace(w, scope=None, inherited=True) for w in calls)
    if not opens(function):
        return entry | inherited
    outside = any(rule == "UW21" for rule, _ in outcome.violations)
    if outside and any(w.kind == OPEN for w in inherited):
        # It accesses its caller's window, and its own begin should not be there.
        return inherited
    return entry


def between(source: Source, seen: list[Function], known: Known) -> Between:
    """The functions between those of a file that are followed."""
    followed = {function.name for function in seen}
    helpers = known.helpers.items()
    changing = _OPENING | {n for n, h in helpers if h.opened or h.ends or h.lost}
    # Who calls these alone does not tell that a window is open, which they use and end.
    changing -= {
        f.name for f in seen if ends(f) and not opens(f) and known.functions[f.name]
    }
    spans = {n: s for n, s in bodies(source.text).items() if n not in followed}
    words = {n: {*WORD.findall(source.text, *span)} for n, span in spans.items()}
    changing -= spans.keys()
    changing |= leading(words.items(), changing)
    # Most lead to none of those.
    near = leading(words.items(), followed)
    called_in = {
        name: {token.text for token in called(replace(source, low=low, high=high).code)}
        for name, (low, high) in spans.items()
        if name in near
    }
    called_in = {n: c for n, c in called_in.items() if changing.isdisjoint(c)}
    found: dict[str, frozenset[str]] = {}
    for _ in range(ROUNDS):
        found = {
            name: frozenset[str]().union(
                inner & followed, *(found.get(n, ()) for n in inner)
            )
            for name, inner in called_in.items()
        }
    calls = {name: inner for name, inner in found.items() if inner}
    return Between({name: spans[name] for name in calls}, calls, changing)


def _elsewhere(
    source: Source, name: str, seen: list[Function], passing: Between
) -> str:
    """Other references to a function: "macro", "function" (code not followed), or "" for none."""
    inside = [(f.body.start, f.body.end) for f in seen]
    if _is_only_called(source.text, name, inside):
        return ""
    found = ""
    depth = opening = 0
    tokens = source.tokens
    for index, (token, following) in enumerate(zip(tokens, (*tokens[1:], None))):
        if token.kind == DIRECTIVE:
            if re.search(rf"\b{re.escape(name)}\b", token.text):
                return "macro"
            continue
        opening = index if depth == 0 and token.text == "{" else opening
        depth += (token.text == "{") - (token.text == "}")
        if token.text == "}" and source.column(token.start) == 0:
            # Resynchronize: an #ifdef may open a function twice and close it once.
            depth = 0
        is_call = following is not None and following.text == "("
        if token.kind != NAME or token.text != name:
            continue
        if depth == 0 and is_call:
            continue  # a prototype, or the definition
        # Calls from followed functions are known; uses of its address are not.
        if is_call and any(low < token.start < high for low, high in inside):
            continue
        around = tokens[opening : closing(tokens, opening)]
        if not passing.changing.isdisjoint(t.text for t in around):
            continue  # Whether a window is open there is not known.
        caller = _caller(token.start, passing) if is_call else None
        rest = replace(
            passing, spans={n: s for n, s in passing.spans.items() if n != caller}
        )
        other = _elsewhere(source, caller, seen, rest) if caller else "function"
        if other == "macro":
            return other
        found = found or other
    return found


def _is_only_called(text: str, name: str, inside: Sequence[tuple[int, int]]) -> bool:
    """Whether a text names a function only where it is defined or declared, and in calls inside of others.

    This may be so although it says no, which takes the tokens of the whole file to see.
    """
    for match in re.finditer(rf"{name}(?<!\w{name})\b", text):
        line = text.rfind("\n", 0, match.start()) + 1
        if not text.startswith("(", match.end()) or text.endswith("\\\n", 0, line):
            return False
        if text.startswith("static", line):
            continue
        if "#" in text[line : match.start()] or not any(
            low < match.start() < high for low, high in inside
        ):
            return False
    return True


def _caller(at: int, passing: Between) -> str | None:
    """The function between that contains an offset."""
    return next(
        (n for n, (low, high) in passing.spans.items() if low < at < high), None
    )


def summaries(
    seen: Sequence[Function], outcomes: Sequence[Outcome], defined: Mapping[str, int]
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
    return _has(function, _OPENING)


def ends(function: Function) -> bool:
    """Whether a function contains an end."""
    return _has(function, ENDS.keys())


def _has(function: Function, names: Set[str]) -> bool:
    body = function.source.code_between(function.body.start, function.body.end)
    return not names.isdisjoint(token.text for token in body)


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
    always = values == {None} and not others and _has(function, _MASKED)
    if not always and (len(values) != 1 or None in values | others or values & others):
        return None
    # The end must fit the begin of one direction, where there is a masked one of both beside it.
    narrow = {e.window.flavour for e in opened if not e.window.any_end}
    flavours = narrow or {e.window.flavour for e in opened}
    if len(flavours) != 1:
        return None
    (flavour,) = flavours
    void = re.compile(rf"\bvoid\s+{function.name}\b")
    begin = Begin(flavour, always or not narrow, always and _declared(function, void))
    return Helper(opened=begin, opened_when=None if always else bool(values.pop()))


def _sometimes(function: Function, outcome: Outcome) -> bool:
    """Whether a helper opens or ends its caller's window, depending on what is not known."""
    lost = opens(function) and any(e.window.kind == CALLER for e in outcome.exits)
    if outcome.ended or lost:
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
