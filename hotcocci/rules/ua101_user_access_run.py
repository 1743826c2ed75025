# SPDX-License-Identifier: GPL-2.0
"""UA101: find the runs among the accesses of a file, and windows for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from hotcocci.c.expression import calls
from hotcocci.c.source import DIRECTIVE, NAME, Source, tokenize
from hotcocci.c.syntax import (
    LABELS,
    Function,
    Statement,
    enclosing,
    expression,
    functions,
    innermost,
    unlabelled,
)
from hotcocci.findings import REPORT, Access, Facts, Finding
from hotcocci.rewrite import emit
from hotcocci.rewrite.conditions import judge
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.context_conditions import is_best_classic
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import CLASSIC, Options, small_api_for
from hotcocci.rewrite.run_windows import USE_WINDOW, subject_of, windows
from hotcocci.rewrite.runs import find_runs, owned_accesses
from hotcocci.rewrite.statements import BARRIER, UserAccess, read_statement
from hotcocci.rewrite.window import Instead, Refusal, Verdict, Window, guards_at
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.rulebook import rule

RULE = rule("UA101")

# spatch's name for the element around an access in a macro body.
_NO_FUNCTION = "something_else"


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every run of a file, and the rewrites of those that may become windows.

    ``facts.file`` is relative to the tree. Nothing is raised for code that cannot be
    rewritten: it is reported with a reason.
    """
    source = Source(facts.file, text)
    own = _without_fence(text, facts, _of_hot_files(options, facts))
    found = map(_with_best_api, contexts(text, facts, own, at_least=2))
    findings, rewrites = decided(RULE, chain.from_iterable(map(_judged, found)))
    return [*_macro_bodies(source, facts), *findings], rewrites


def _judged(context: Context) -> Iterator[Judged]:
    """The runs of a function, and the windows for them."""
    taken: set[str] = set()
    judged, named = windows(context, taken, FaultLabels(context, taken))
    for run, verdict in judged:
        made: Verdict = verdict if isinstance(verdict, Refusal) else None
        if isinstance(verdict, Window):
            made = _instead(verdict, named, context)
        yield subject_of(run, context), made


def _instead(window: Window, named: list[emit.Labelled], context: Context) -> Instead:
    """The edits that write a window, and what is to be known of those that are written with it."""
    groups = [_sharing(window, named)]
    always = _with_label(window, named, context)
    if always is not None and always not in groups[0]:
        groups.append(_sharing(always.window, named))
    edits = [edit for group in groups for edit in emit.edits(group, context)]
    reviews = [window.review, *(one.window.review for g in groups for one in g)]
    notes, decisions, remarks = (
        tuple(dict.fromkeys(chain.from_iterable(each)))
        for each in zip(*((r.notes, r.decisions, r.remarks) for r in reviews))
    )
    # Others ask about one window with this one.
    own = f"() at line {context.line(window.run.accesses[0])}"
    decisions = tuple(d for d in decisions if not d.endswith(own))
    return Instead(
        USE_WINDOW,
        tuple(dict.fromkeys(edits)),
        notes,
        decisions,
        (*remarks, *decisions),
        window.shape,
    )


def _with_label(
    window: Window, named: list[emit.Labelled], context: Context
) -> emit.Labelled | None:
    """A window that uses the label of one that is in an #if, wherever that is left out; None if it needs none."""
    (own,) = (one for one in named if one.window is window)
    guarded = guards_at(window.run.statements[0].start, context)
    if window.exit.guards or not guarded or not own.label.edits:
        return None
    return next(
        one
        for one in named
        if one.label is own.label
        and not guards_at(one.window.run.statements[0].start, context)
    )


def _of_hot_files(options: Options, facts: Facts) -> Options:
    """The options for the windows of a file: those of small copies if it has accesses in hot functions.

    Masked windows have no LFENCE (fs/select.c), and one file has one kind of window.
    """
    hot = options.derived.get(facts.file, frozenset())
    small = small_api_for(options, facts.file)
    # A function with one access may not have been parsed.
    several = Counter(access.function for access in facts.accesses)
    if not small or not any(several[function] > 1 for function in hot):
        return options
    return replace(options, api=small)


def _without_fence(text: str, facts: Facts, options: Options) -> Options:
    """The masked windows of a tree for a file with a run of two accesses, where the pointers allow that.

    The LFENCE of a classic begin on x86-64 costs about what one access less saves; get_user() has none there.
    """
    small = small_api_for(options, facts.file)
    if small in ("", options.api):
        return options
    masked = replace(options, api=small)
    two = False
    for context in contexts(text, facts, masked, at_least=2):
        for run in find_runs(context.source, context.function, facts):
            if isinstance(judge(run, context, set()), Refusal):
                classic = replace(context, options=options)
                if isinstance(judge(run, classic, set()), Window):
                    return options
            else:
                two = two or len(run.accesses) == 2
    return masked if two else options


def _with_best_api(context: Context) -> Context:
    """A function with classic windows where one takes the place of an access_ok()."""
    options, function = context.options, context.function
    if options.api == CLASSIC:
        return context
    runs = find_runs(context.source, function, context.facts)
    if not any(is_best_classic(run, context) for run in runs):
        return context
    return replace(context, options=replace(options, api=CLASSIC))


def _sharing(window: Window, named: list[emit.Labelled]) -> list[emit.Labelled]:
    """The windows that share statements with this one."""
    group = [n for n in named if n.window is window]
    while True:
        low = min(n.window.run.sequence[n.window.extent.begin].start for n in group)
        high = max(n.window.run.sequence[n.window.extent.stop].end for n in group)
        wider = [
            n
            for n in named
            if n.window.run.sequence[n.window.extent.begin].start < high
            and low < n.window.run.sequence[n.window.extent.stop].end
        ]
        if len(wider) == len(group):
            return wider
        group = wider


def _macro_bodies(source: Source, facts: Facts) -> list[Finding]:
    """A report for every macro with two or more accesses in its body."""
    outside = [a for a in facts.accesses if a.function == _NO_FUNCTION]
    if len(outside) < 2:
        return []
    findings = []
    for directive in (t for t in source.tokens if t.kind == DIRECTIVE):
        inside = [
            a
            for a in outside
            if directive.start
            <= source.offset(a.call.line, a.call.column)
            < directive.end
        ]
        if len(inside) > 1:
            findings.append(_finding(facts.file, directive.text, inside))
    return findings


def _finding(file: str, text: str, inside: list[Access]) -> Finding:
    words = [t.text for t in tokenize(text.replace("#", " ", 1)) if t.kind == NAME]
    name = words[1] if len(words) > 1 else None
    reason = "macro-body"
    return Finding(
        rule=RULE.code,
        file=file,
        line=inside[0].call.line,
        end_line=inside[-1].call.end_line,
        function=name,
        message=f"{len(inside)} accesses in the macro {name}; every use of it would change",
        accesses=len(inside),
        base=None,
        direction=None,
        verdict=REPORT,
        tier=None,
        reason=reason,
    )


@dataclass(frozen=True)
class _OwnedAccess:
    """An access, and the statement of a block that it belongs to."""

    access: UserAccess
    owner: Statement


def explain_isolated(text: str, facts: Facts, line: int) -> list[str]:
    """One paragraph for each access on a line that is in no run.

    ``line`` counts from 1. Empty if SmPL saw no access there.
    """
    source = Source(facts.file, text)
    paragraphs: list[str] = []
    known: set[tuple[int, int]] = set()
    for function in functions(source, facts):
        accesses = _owned_accesses(function, facts)
        known |= {
            (h.access.access.call.line, h.access.access.call.column) for h in accesses
        }
        paragraphs += [
            _explained(function, one, accesses)
            for one in accesses
            if source.line_of(one.access.start)
            <= line
            <= source.line_of(one.access.end - 1)
        ]
    paragraphs += [
        f"{access.name}() is in the body or an argument of a macro, whose statements are not parsed."
        for access in facts.accesses
        if access.call.line == line
        and (access.call.line, access.call.column) not in known
    ]
    return paragraphs


def _owned_accesses(function: Function, facts: Facts) -> list[_OwnedAccess]:
    owned = owned_accesses(function.source, function, facts)
    all_ = (function.body, *function.statements)
    statements = {id(s): s for s in (*all_, *(s.declared for s in all_ if s.declared))}
    accesses = [
        _OwnedAccess(a, statements[key]) for key, many in owned.items() for a in many
    ]
    return sorted(accesses, key=lambda h: h.access.start)


def _explained(
    function: Function, one: _OwnedAccess, accesses: list[_OwnedAccess]
) -> str:
    source = function.source
    base = one.access.base.key
    first = source.line_of(one.owner.start)
    last = source.line_of(one.owner.end - 1)
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    if one.owner is function.body:
        lines = f"line {source.line_of(one.access.start)}"
    name = one.access.access.name
    found = f"{name}() through {base} is in {lines} of {function.name}(). "
    others = [h for h in accesses if h is not one]
    if not others:
        return found + "It is the only access in this function; a run needs two."
    same = [h for h in others if h.access.base.key == base]
    if not same:
        found_at = (
            f"{h.access.base.key} at line {source.line_of(h.access.start)}"
            for h in others
        )
        places = ", ".join(dict.fromkeys(found_at))
        return (
            found + f"No other access here goes through {base}, only through {places}."
        )
    nearest = min(same, key=lambda h: abs(h.access.start - one.access.start))
    before, after = sorted((one, nearest), key=lambda h: h.access.start)
    place = source.line_of(nearest.access.start)
    return (
        f"{found}The nearest other access through {base} is at line {place}, but "
        f"{_obstacle(function, before, after, accesses)}."
    )


def _obstacle(
    function: Function,
    before: _OwnedAccess,
    after: _OwnedAccess,
    accesses: list[_OwnedAccess],
) -> str:
    """The first code that separates two accesses."""
    source = function.source
    shared, first, second = _common_statement(function, before, after)
    found = [
        (
            h.access.start,
            f"the access through {h.access.base.key} at line {source.line_of(h.access.start)} is in between",
        )
        for h in accesses
        if before.access.start < h.access.start < after.access.start
        and h.access.base.key != before.access.base.key
    ]
    if shared.kind not in ("block", "switch"):
        where = _named(source, shared)
        if first is None:
            found.append((shared.start, f"the later one depends on {where}"))
        else:
            found.append((shared.start, f"they are in different branches of {where}"))
    else:
        owners = [h.owner for h in accesses]
        found += _in_list(source, shared, before, after, (first, second), owners)
    if found:
        return min(found)[1]
    return "the result of the first is used in between"


def _common_statement(
    function: Function, before: _OwnedAccess, after: _OwnedAccess
) -> tuple[Statement, Statement | None, Statement | None]:
    """The smallest statement with both accesses, and its children with each.

    A child is None if the statement has the access directly, as in its condition.
    """
    paths = []
    for one in (before, after):
        inner = innermost(function, one.access.start)
        paths.append([inner, *enclosing(inner)][::-1])
    depth = 0
    while (
        all(len(w) > depth + 1 for w in paths)
        and paths[0][depth + 1] is paths[1][depth + 1]
    ):
        depth += 1
    first, second = (w[depth + 1] if len(w) > depth + 1 else None for w in paths)
    return paths[0][depth], first, second


def _in_list(
    source: Source,
    shared: Statement,
    before: _OwnedAccess,
    after: _OwnedAccess,
    edges: tuple[Statement | None, Statement | None],
    owners: list[Statement],
) -> Iterator[tuple[int, str]]:
    """Obstacles between two statements of one block: offset and message.

    Statements in ``owners`` contain accesses, which are reported elsewhere.
    """
    first, second = edges
    parts = shared.children
    low = next((i for i, s in enumerate(parts) if s is first), 0)
    high = next((i for i, s in enumerate(parts) if s is second), len(parts) - 1)
    if first is not None and unlabelled(first) is not before.owner:
        where = _named(source, unlabelled(first))
        yield first.start, f"the earlier one is inside {where}"
    for previous, part in zip(parts[low:high], parts[low + 1 : high + 1], strict=True):
        yield from _code_between(source, previous.end, part.start)
        if part.kind in LABELS:
            yield part.start, f"{_named(source, part)} between them is a jump target"
        if part is second or any(unlabelled(part) is o for o in owners):
            continue
        statement = read_statement(source, unlabelled(part), ())
        if statement.form == BARRIER:
            yield part.start, f"{_named(source, unlabelled(part))} is in between"
    if second is not None and unlabelled(second) is not after.owner:
        where = _named(source, unlabelled(second))
        yield second.start, f"the later one is inside {where}"


def _code_between(source: Source, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Directives and declarations between two statements."""
    for token in source.tokens_between(start, end):
        if token.kind == DIRECTIVE:
            line = source.line_of(token.start)
            yield (
                token.start,
                f"the preprocessor directive at line {line} is in between",
            )
    code = source.code_between(start, end)
    if code:
        line = source.line_of(code[0].start)
        yield code[0].start, f"a declaration at line {line} is in between"


def _named(source: Source, statement: Statement) -> str:
    """A statement as messages name it, with its line."""
    line = source.line_of(statement.start)
    words = source.code_between(statement.start, statement.end)
    if statement.kind in LABELS:
        return f"the label {words[0].text} at line {line}"
    if statement.kind == "macro":
        return f"the {words[0].text}() at line {line}"
    if statement.kind == "expression":
        for call in calls(expression(source, statement)):
            if call.callee:
                return f"the call to {call.callee}() at line {line}"
        return f"the statement at line {line}"
    return f"the {statement.kind} at line {line}"
