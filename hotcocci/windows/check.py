# SPDX-License-Identifier: GPL-2.0
"""Check the user access windows of one file by its source alone."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from hotcocci.c.excerpt import unseen
from hotcocci.c.flow import Graph, TooManyPaths
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.functions import END, head
from hotcocci.c.source import DIRECTIVE, WORD, Source, Token, called, closing_at
from hotcocci.c.syntax import Function, functions, read_function
from hotcocci.findings import READ_WRITE, SPATCH, Facts, Note, Report, Seen, Skip
from hotcocci.names import lines_named
from hotcocci.windows import bases, inlining, shape
from hotcocci.windows.effects import against, wider
from hotcocci.windows.entries import (
    ROUNDS,
    between,
    entry,
    grown,
    left_open,
    opens,
    summaries,
)
from hotcocci.windows.events import (
    ACCESSORS,
    BEGINS,
    ENDS,
    PRIMITIVES,
    SCOPES,
    Helper,
    accessor_of,
    argument,
)
from hotcocci.windows.flow import follow
from hotcocci.windows.helpers import (
    definitions,
    function_of_header,
    helpers_of,
    jumps_of,
)
from hotcocci.windows.outcome import CLOSED, OPEN, Known, Outcome, Violation, Window
from hotcocci.windows.variants import Entangled, Variant, certain, variants

_OPENS = re.compile(rf"\b(?:{'|'.join((*BEGINS, *SCOPES))})\s*\(")

_ENDS = re.compile(rf"\b(?:{'|'.join(ENDS)})\s*\(")
_DEFINES = re.compile(r"#\s*define\s+(\w+)\(")

_NAMED = re.compile(r"(\w+)\s*\(")
# A variable whose cleanup function, or class, has the end of a window: include/linux/cleanup.h
_CLEANED = re.compile(r"\b(?:__cleanup|CLASS|guard|scoped_guard)\s*\(\s*(\w+)")
_CLASS = re.compile(rf"\bDEFINE_\w+\s*\(\s*(\w+)\s*,[^;]*\b(?:{'|'.join(ENDS)})\s*\(")


@dataclass(frozen=True)
class Options:
    """The tree that a file is checked in.

    ``one_flavour`` is true if the tree has a single masked begin for reads and writes.
    """

    root: Path
    one_flavour: bool


@dataclass(frozen=True)
class Followed:
    """The functions of a file with the results for their paths, what was skipped, and what opens or ends windows for others."""

    source: Source
    functions: tuple[tuple[Graph, Outcome], ...]
    skipped: tuple[Skip, ...]
    helpers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Checked:
    """The violations found in a file, each with its function, what was skipped, what only conditions balance, and what calls helpers."""

    source: Source
    found: tuple[tuple[Function, Violation], ...]
    skipped: tuple[Skip, ...]
    conditional: tuple[str, ...]
    helped: tuple[str, ...]


def check(text: str, facts: Facts, options: Options) -> Seen:
    """Check a file: the reports in line order, and what could not be followed."""
    checked = violations(text, facts, options)
    reports = {
        (report.rule, report.line): report
        for report in (_report(checked.source, f, v) for f, v in checked.found)
    }
    ordered = sorted(reports.values(), key=lambda r: (r.line, r.rule))
    conditional, helped = (
        tuple((facts.file, name) for name in names)
        for names in (checked.conditional, checked.helped)
    )
    return Seen(tuple(ordered), checked.skipped, "", conditional, helped)


def followed(text: str, facts: Facts, options: Options) -> Followed:
    """Follow the paths of all functions of a file, each with the code of all configurations.

    Where the file opens no window there is nothing to follow, and their outcomes are empty.
    """
    source = Source(facts.file, text)
    seen = _seen(source, facts)
    if _OPENS.search(text):
        return _followed(source, facts, options, [Variant(f) for f in seen])
    jumps = jumps_of(options.root, facts.file)
    for function in seen:
        _spell_out(function, jumps)
    return Followed(source, tuple((build_graph(f), Outcome()) for f in seen), ())


def _seen(source: Source, facts: Facts) -> list[Function]:
    # A definition of the API is not a use of it.
    return [f for f in functions(source, facts) if f.name not in PRIMITIVES]


def _through_macros(
    source: Source, options: Options, seen: list[Function]
) -> list[Function]:
    """The functions of a file that access user memory through macros or other files' functions alone.

    SmPL does not see these. Static ones are left out, as they may run in a window of their callers.
    """
    macros = {
        name
        for name, helper in helpers_of(
            options.root, source.file, {*WORD.findall(source.text)}
        ).items()
        if helper.directions or helper.accesses
    } - {function.name for function in seen}
    found: dict[int, Function] = {}
    spans = [(f.start, f.body.end) for f in seen]
    for token in called(source.code) if macros else ():
        place = head(source.text, token.start) if token.text in macros else None
        if place is None or any(low <= token.start < high for low, high in spans):
            continue
        if re.search(r"\bstatic\b", source.text[slice(*place)]):
            continue
        end = source.text.find(END, token.start) + len(END)
        name = _NAMED.search(source.text[slice(*place)])
        if name is not None and place[1] not in found:
            function = read_function(source, name[1], place[1] + 1, end, ())
            if function is not None:
                found[place[1]] = function
    return [*found.values()]


def _blocks_of_macros(source: Source) -> tuple[list[Function], set[str]]:
    """The blocks of a file's macros that begin a window and end it, with all the labels that they jump to.

    Each is read as the body of a function, at its offsets in the file. Also the names of macros that
    begin one and end it on some paths, or for the next one, as functions that use them end it.
    """
    found = []
    halves = set()
    if source.file.endswith(".h") or not _OPENS.search(source.text):
        return [], set()
    for token in (token for token in source.tokens if token.kind == DIRECTIVE):
        name = _DEFINES.match(token.text)
        opened, ended = (p.search(token.text) for p in (_OPENS, _ENDS))
        if name is None or not opened or not ended:
            continue
        if ended.start() < opened.start() or _users_end(source, name[1]):
            halves.add(name[1])
            continue
        start = source.text.find("{", token.start, token.end)
        end = closing_at(source.text, start) if start > 0 else None
        if end is None or end >= token.end:
            continue
        body = re.sub(r"\\(?=\n)", " ", source.text[start : end + 1])
        rest = (source.text[token.start : start], source.text[end + 1 : token.end])
        before, after = (re.sub(r"[^\n]", " ", text) for text in rest)
        text = source.text[: token.start] + before + body + after
        text += source.text[token.end :]
        own = Source(source.file, text, token.start, token.end)
        function = read_function(own, name[1], start, end + 1, ())
        if function is not None and _jumps_inside(function):
            found.append(function)
    return found, halves


def _users_end(source: Source, name: str) -> bool:
    """Whether a function or macro that uses a macro has the end of a window, and no begin."""
    text = source.text
    for token in source.tokens:
        user = token.text
        if token.kind == DIRECTIVE:
            defined = _DEFINES.match(user)
            if defined is None or defined[1] == name or name not in WORD.findall(user):
                continue
        elif user == name:
            low, high = text.rfind("\n{", 0, token.start), text.find("\n}", token.start)
            user = text[low:high]
        else:
            continue
        if _ENDS.search(user) and not _OPENS.search(user):
            return True
    return False


def _jumps_inside(function: Function) -> bool:
    """Whether a block has the labels of its gotos and accesses."""
    graph = build_graph(function)
    words = [t.text for t in function.source.code]
    targets = {label for word, label in pairwise(words) if word == "goto"}
    for call in graph.calls():
        accessor = accessor_of(call)
        if accessor is not None and accessor.label is not None:
            label = argument(call, accessor.label)
            targets.add(label.name if label is not None else "")
    return targets <= graph.labels.keys()


def _followed(
    source: Source,
    facts: Facts,
    options: Options,
    parts: list[Variant],
    halves: Set[str] = frozenset(),
) -> Followed:
    seen = [part.function for part in parts]
    # Those in comments have helpers that nobody asks for.
    names = {*WORD.findall(source.text)}
    helpers = helpers_of(options.root, facts.file, names)
    helpers |= {
        name: Helper(lost=f"{name}() opens or ends it on some paths") for name in halves
    }
    known = Known(
        options.root,
        facts.file,
        helpers,
        {f.name: _directions(f) for f in seen},
        options.one_flavour,
    )
    own = {f.name for f in seen}
    known = _with_headers(known, [n for n in helpers if n not in own])
    jumps = jumps_of(options.root, facts.file)
    ending = {*_CLASS.findall(source.text)}
    ending |= {n for n, h in helpers.items() if h.ends or h.lost}
    unclear = [_spell_out(f, jumps) or _cleaned(f, ending) for f in seen]
    made, skipped = _follow_all(source, seen, known)
    spans = {(function.start, function.body.end) for function in seen}
    lost = unseen(source.text, facts, PRIMITIVES, spans=sorted(spans))
    for (graph, outcome), why in zip(made, unclear, strict=True):
        hidden = _hidden(graph.function, lost) or why
        if hidden is not None:
            outcome.lost.setdefault(*hidden)
    own_helpers = summaries(seen, [outcome for _, outcome in made], {})
    every = frozenset(helpers.keys() | own_helpers.keys() | ending)
    return Followed(source, tuple(made), tuple(skipped), every)


def violations(text: str, facts: Facts, options: Options) -> Checked:
    """Find all violations in a file, each with its function."""
    source = Source(facts.file, text)
    parts: list[Variant] = []
    tangled: dict[int, int] = {}
    direct = _seen(source, facts)
    blocks, halves = _blocks_of_macros(source)
    every = [*direct, *_through_macros(source, options, direct), *blocks]
    for function in sorted(every, key=lambda f: f.start):
        try:
            parts += variants(function)
        except Entangled as error:
            parts.append(Variant(function))
            tangled[function.start] = error.at
    seen = _followed(source, facts, options, parts, halves)
    skipped = list(seen.skipped)
    found: list[tuple[Function, Violation]] = []
    said: set[int] = set()
    places = [graph.function.start for graph, _ in seen.functions]
    for start in dict.fromkeys(places):
        own = [
            (part, graph, outcome)
            for part, (graph, outcome) in zip(parts, seen.functions, strict=True)
            if graph.function.start == start
        ]
        lost = {at: why for _, _, o in own for at, why in o.lost.items()}
        if start in tangled:
            lost[tangled[start]] = "an #if hides a bracket, or there are many"
        if lost and min(lost) not in said:
            # spatch reads a macro's body as a function, too: the place is said once.
            said.add(min(lost))
            line = source.line_of(min(lost))
            where = f"{own[0][1].function.name}() beyond line {line}"
            reason = f"spatch: cannot follow the window of {where}: {lost[min(lost)]}"
            skipped.append(Skip(facts.file, reason, (line,)))
        each = [
            (part, _violations(graph, outcome, facts.file, options, not lost))
            for part, graph, outcome in own
        ]
        function = own[0][1].function
        found += [(function, violation) for violation in certain(each)]
    # Also what spatch sees in code whose end is not where it says, as it counted the lines in another way
    apart = {a.line for a in facts.accesses}
    apart -= {
        n for t in source.tokens if t.kind == DIRECTIVE for n in _lines(source, t)
    }
    unread = [
        line
        for line in sorted({*unseen(text, facts, PRIMITIVES), *apart})
        if not any(_is_in(line, graph.function) for graph, _ in seen.functions)
    ]
    used = {t.text for part in parts for t in part.function.source.code}
    for lines, what in (
        (unread, "parse the code near"),
        (
            _in_macros(source, options.root, used, halves | {f.name for f in blocks}),
            "follow the window in the macro at",
        ),
    ):
        if lines:
            why = f"spatch: cannot {what} {lines_named(lines)}"
            skipped.append(Skip(facts.file, why, tuple(lines)))
    conditional = {g.function.name for g, o in seen.functions if o.conditional}
    helped = {
        graph.function.name
        for graph, _ in seen.functions
        if (seen.helpers - {graph.function.name}) & _words(graph.function)
    }
    # What DEFINE_CLASS() of include/linux/cleanup.h makes of a class that ends a window
    helped |= {f"class_{name}_destructor" for name in _CLASS.findall(source.text)}
    names = tuple(sorted(conditional)), tuple(sorted(helped))
    return Checked(source, tuple(found), tuple(skipped), *names)


def _words(function: Function) -> frozenset[str]:
    code = function.source.code_between(function.start, function.body.end)
    return frozenset(token.text for token in code)


def _violations(
    graph: Graph, outcome: Outcome, file: str, options: Options, is_followed: bool
) -> list[Violation]:
    """The violations in a function; only those of single statements if it was not followed."""
    root = options.root
    found = [*shape.violations(graph, root, file)]
    found += bases.violations(graph, outcome, root, file)
    if is_followed:
        found += outcome.violations.values()
        found += left_open(graph.function, outcome)
        found += inlining.violations(graph, outcome, root, file)
        found += against(outcome, root, file)
        found += wider(graph, outcome, root, file, options.one_flavour)
    return found


def _cleaned(function: Function, ending: Set[str]) -> tuple[int, str] | None:
    """The first variable whose cleanup may end a window, and why that is not followed."""
    text = function.source.text
    for match in _CLEANED.finditer(text, function.start, function.body.end):
        if match[1] in ending:
            return match.start(), f"the cleanup of a variable by {match[1]} ends it"
    return None


def _spell_out(function: Function, jumps: dict[str, str]) -> tuple[int, str] | None:
    """Read the statements of a function that are macros for jumps as what they are.

    Returns the offset of the first that cannot be read so, and why.
    """
    lost = None
    for statement in function.statements:
        first = function.source.code_between(statement.start, statement.start + 1)
        word = jumps.get(first[0].text, "") if first else ""
        if statement.kind == "expression" and word == "goto":
            lost = lost or (statement.start, f"{first[0].text} is a macro with a goto")
        elif statement.kind == "expression" and word:
            statement.kind = word
    return lost


def _hidden(function: Function, unseen: list[int]) -> tuple[int, str] | None:
    """The places where spatch did not see a call of the API in a function."""
    line = next((line for line in unseen if _is_in(line, function)), None)
    if line is None:
        return None
    return function.source.line_starts[line - 1], "spatch cannot parse the code there"


def _lines(source: Source, token: Token) -> range:
    return range(source.line_of(token.start), source.line_of(token.end) + 1)


def _is_in(line: int, function: Function) -> bool:
    source = function.source
    return source.line_of(function.start) <= line <= source.line_of(function.body.end)


def _in_macros(source: Source, root: Path, used: set[str], read: set[str]) -> list[int]:
    """The lines of macros that open a window, whose bodies SmPL does not parse.

    Headers are left out, as the API itself is defined there, and macros that were ``read``, or whose
    effect is known, or said to be unknown, where a function uses them.
    """
    if source.file.endswith(".h") or not _OPENS.search(source.text):
        return []
    helpers = helpers_of(root, source.file, used)
    told = read | {n for n, h in helpers.items() if h.opened or h.ends or h.lost}
    return [
        source.line_of(token.start)
        for token in source.tokens
        if token.kind == DIRECTIVE and _OPENS.search(token.text)
        if not told & set(re.findall(r"#\s*define\s+(\w+)", token.text))
    ]


def _follow_all(
    source: Source, seen: list[Function], known: Known
) -> tuple[list[tuple[Graph, Outcome]], list[Skip]]:
    """Follow every function, starting helpers with the windows their callers have open.

    Each round may add windows from callers; it stops at a fixed point or after `ROUNDS`.
    """
    graphs = [build_graph(function) for function in seen]
    passing = between(source, seen, known)
    first = [entry(source, f, seen, passing) for f in seen]
    passed = {
        name: frozenset[str]().union(*(known.functions[n] for n in names))
        for name, names in passing.calls.items()
    }
    known = replace(known, functions={**known.functions, **passed})
    entries = first
    outcomes = [Outcome() for _ in seen]
    helpers = dict(known.helpers)
    skipped: dict[str, Skip] = {}
    defined = definitions(source.text)
    for _ in range(ROUNDS):
        calls: dict[str, set[Window]] = {}
        for number, function in enumerate(seen):
            try:
                outcomes[number] = follow(
                    graphs[number], replace(known, helpers=helpers), entries[number]
                )
            except TooManyPaths:
                skipped[function.name] = Skip(
                    source.file,
                    f"spatch: {function.name}() has too many paths to follow",
                    (source.line_of(function.start),),
                )
            for name, windows in outcomes[number].calls.items():
                calls.setdefault(name, set()).update(windows)
        for name, names in passing.calls.items():
            for inner in names:
                calls.setdefault(inner, set()).update(calls.get(name, set()))
        more = [
            grown(f, windows, outcome, calls.get(f.name, set()))
            for f, windows, outcome in zip(seen, first, outcomes, strict=True)
        ]
        summarized = {**known.helpers, **summaries(seen, outcomes, defined)}
        if more == entries and summarized == helpers:
            break
        entries, helpers = more, summarized
    return list(zip(graphs, outcomes, strict=True)), list(skipped.values())


def _with_headers(known: Known, names: Sequence[str]) -> Known:
    """Follow the functions of headers among these that open or end their caller's window and do more."""
    callers = Window(OPEN, flavour=READ_WRITE, inherited=True)
    functions = []
    for name in names:
        lost = known.helpers[name].lost
        text = function_of_header(known.root, known.file, name) if lost else ""
        body = text.find("{")
        source = Source("", text)
        read = read_function(source, name, body, len(text), ()) if text else None
        if read is not None:
            functions.append(read)
    for _ in range(ROUNDS if functions else 0):
        outcomes = []
        for function in functions:
            entered = Window(CLOSED) if opens(function) else callers
            graph = build_graph(function)
            try:
                outcomes.append(follow(graph, known, frozenset({entered})))
            except TooManyPaths:
                outcomes.append(Outcome(lost={0: "it has too many paths"}))
        made = summaries(functions, outcomes, {})
        unclear = {f.name for f, o in zip(functions, outcomes, strict=True) if o.lost}
        found = {n: h for n, h in made.items() if n not in unclear}
        if found.items() <= known.helpers.items():
            break
        known = replace(known, helpers={**known.helpers, **found})
    return known


def _directions(function: Function) -> frozenset[str]:
    """The directions of the accesses in a function."""
    return frozenset(
        ACCESSORS[access.name].direction
        for access in function.accesses
        if access.name in ACCESSORS
    )


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
