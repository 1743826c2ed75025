# SPDX-License-Identifier: GPL-2.0
"""All that the source's shape shows about the windows of one file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.c.source import DIRECTIVE, NAME, Source
from hotcocci.c.unseen import unseen
from hotcocci.c.syntax import Function, functions
from hotcocci.findings import Facts, Note, Report, Skip
from hotcocci.rules.entry import SPATCH
from hotcocci.windows import bases, inlining, scopes, shape
from hotcocci.windows.flow import follow
from hotcocci.windows.outcome import Known, Outcome, TooManyPaths, Violation
from hotcocci.windows.graph import Graph, graph
from hotcocci.windows.helpers import helpers_of
from hotcocci.windows.summaries import ends, left_open, opens, summaries
from hotcocci.windows.state import CALLER, CLOSED, OPEN, Window
from hotcocci.windows.vocabulary import ACCESSORS, BEGINS, ENDS, RESTORE, SAVE, SCOPES

_PRIMITIVES = frozenset({*ACCESSORS, *BEGINS, *ENDS, *SCOPES, SAVE, RESTORE})
_OPENS = re.compile(rf"\b(?:{'|'.join((*BEGINS, *SCOPES))})\s*\(")
_STATIC = re.compile(r"\bstatic\b")
# More rounds than helpers of the tree call helpers
_ROUNDS = 4
_WORDS = frozenset("if while for switch return sizeof".split())


@dataclass(frozen=True)
class Options:
    """What a check depends on besides the file: the tree, and what it offers.

    ``one_flavour`` says that its masked begin has no flavours.
    """

    root: Path
    one_flavour: bool


@dataclass(frozen=True)
class Checked:
    """The functions of a file that have to do with windows, and what is wrong with each."""

    source: Source
    found: tuple[tuple[Function, Violation], ...]
    skipped: tuple[Skip, ...]


def check(
    text: str, facts: Facts, options: Options
) -> tuple[tuple[Report, ...], tuple[Skip, ...]]:
    """The reports on a file, in the order of its lines, and what could not be followed."""
    checked = violations(text, facts, options)
    reports = {
        (report.rule, report.line): report
        for report in (_report(checked.source, f, v) for f, v in checked.found)
    }
    ordered = sorted(reports.values(), key=lambda r: (r.line, r.rule))
    return tuple(ordered), checked.skipped


def violations(text: str, facts: Facts, options: Options) -> Checked:
    """All violations of a file, with the functions they stand in."""
    source = Source(facts.file, text)
    # A header defines the API itself; what it says there is no use of it.
    seen = [f for f in functions(source, facts) if f.name not in _PRIMITIVES]
    names = {t.text for f in seen for t in f.source.code if t.kind == NAME}
    helpers = helpers_of(options.root, facts.file, names)
    known = Known(helpers, {f.name: _directions(f) for f in seen}, options.one_flavour)
    followed, skipped = _follow_all(source, seen, known)
    found: list[tuple[Function, Violation]] = []
    for drawn, outcome in followed:
        own = [*outcome.violations.values(), *left_open(drawn.function, outcome)]
        own += scopes.violations(drawn)
        own += shape.violations(drawn, options.root, facts.file)
        own += bases.violations(drawn, outcome)
        own += inlining.violations(drawn, outcome, options.root, facts.file)
        found += [(drawn.function, violation) for violation in own]
    lost = unseen(text, facts, _PRIMITIVES)
    if lost:
        lines = ", ".join(map(str, lost))
        why = f"spatch: it could not parse the code around line {lines}"
        skipped.append(Skip(facts.file, why))
    hidden = _in_macros(source)
    if hidden:
        lines = ", ".join(map(str, hidden))
        why = f"spatch: the window in the macro of line {lines} is not followed"
        skipped.append(Skip(facts.file, why))
    return Checked(source, tuple(found), tuple(skipped))


def _in_macros(source: Source) -> list[int]:
    """The lines of macros that hold a whole window; SmPL does not read what they stand for.

    What a header defines is the API itself.
    """
    if source.file.endswith(".h") or not _OPENS.search(source.text):
        return []
    return [
        source.line_of(token.start)
        for token in source.tokens
        if token.kind == DIRECTIVE and _OPENS.search(token.text)
    ]


def _follow_all(
    source: Source, seen: list[Function], known: Known
) -> tuple[list[tuple[Graph, Outcome]], list[Skip]]:
    """Follow every function, helpers with the windows their callers have open.

    A round may show new callers' windows; helpers call helpers only so deep.
    """
    drawn = [graph(function) for function in seen]
    entries = [_entry(f, _called_elsewhere(source, f, seen)) for f in seen]
    outcomes = [Outcome() for _ in seen]
    helpers = dict(known.helpers)
    skipped: dict[str, Skip] = {}
    for _ in range(_ROUNDS):
        calls: dict[str, set[Window]] = {}
        for number, function in enumerate(seen):
            try:
                outcomes[number] = follow(
                    drawn[number], replace(known, helpers=helpers), entries[number]
                )
            except TooManyPaths:
                skipped[function.name] = Skip(
                    source.file,
                    f"spatch: {function.name}() has too many paths to follow",
                )
            for name, windows in outcomes[number].calls.items():
                calls.setdefault(name, set()).update(windows)
        grown = [
            _grown(f, entry, outcome, calls.get(f.name, set()))
            for f, entry, outcome in zip(seen, entries, outcomes, strict=True)
        ]
        told = {**known.helpers, **summaries(seen, outcomes)}
        if grown == entries and told == helpers:
            break
        entries, helpers = grown, told
    return list(zip(drawn, outcomes, strict=True)), list(skipped.values())


def _directions(function: Function) -> frozenset[str]:
    """The directions of the accesses that stand in a function."""
    return frozenset(
        ACCESSORS[access.name].direction
        for access in function.accesses
        if access.name in ACCESSORS
    )


def _entry(function: Function, elsewhere: str) -> frozenset[Window]:
    """What may be open when it is entered, as far as its own text and the file's tell."""
    head = function.source.text[function.start : function.body.start]
    if opens(function):
        return frozenset({Window(CLOSED)})
    if not _STATIC.search(head):
        # Called from other files, and a call is never made with user access open.
        return frozenset({Window(CLOSED)})
    if function.source.file.endswith(".h") or elsewhere == "macro":
        # One that only ends a window does so for its caller; one that does more began it.
        whole = ends(function) and len(_calls(function)) > 1
        return frozenset({Window(CLOSED if whole else CALLER)})
    if elsewhere == "function":
        return frozenset({Window(CLOSED)})
    return frozenset()


def _calls(function: Function) -> list[str]:
    """The names that are called in a function."""
    body = function.source.code_between(function.body.start, function.body.end)
    return [
        token.text
        for token, following in zip(body, body[1:])
        if token.kind == NAME and following.text == "(" and token.text not in _WORDS
    ]


def _grown(
    function: Function,
    entry: frozenset[Window],
    outcome: Outcome,
    calls: set[Window],
) -> frozenset[Window]:
    """What may be open when it is entered, after another round over its callers."""
    if function.source.file.endswith(".h"):
        return entry
    inherited = frozenset(replace(w, scope=None, inherited=True) for w in calls)
    if not opens(function):
        return entry | inherited
    outside = any(rule == "UW21" for rule, _ in outcome.violations)
    if outside and any(w.kind == OPEN for w in inherited):
        # It has accesses for its caller's window, and a begin that should not be there.
        return inherited
    return entry


def _called_elsewhere(source: Source, function: Function, seen: list[Function]) -> str:
    """Who else names a function: a macro, code that opens nothing, or nobody."""
    inside = [(f.body.start, f.body.end) for f in seen]
    found = ""
    depth = 0
    for token, following in zip(source.tokens, (*source.tokens[1:], None)):
        if token.kind == DIRECTIVE:
            if re.search(rf"\b{re.escape(function.name)}\b", token.text):
                return "macro"
            continue
        depth += (token.text == "{") - (token.text == "}")
        if token.text == "}" and source.column(token.start) == 0:
            # Where an #ifdef has two beginnings and one end, count anew.
            depth = 0
        called = following is not None and following.text == "("
        if token.kind != NAME or token.text != function.name:
            continue
        if depth == 0 and called:
            continue  # a prototype, or the definition
        # A call from a function that was followed is known; its address is not.
        if not called or not any(low < token.start < high for low, high in inside):
            found = "function"
    return found


def _report(source: Source, function: Function, violation: Violation) -> Report:
    notes: tuple[Note, ...] = ()
    if violation.begin is not None and violation.begin != violation.at:
        line = source.line_of(violation.begin)
        notes = (Note(source.file, line, "the window is opened here"),)
    return Report(
        violation.rule,
        source.file,
        source.line_of(violation.at),
        function.name,
        violation.message,
        SPATCH,
        notes,
    )
