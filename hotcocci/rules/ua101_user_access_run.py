# SPDX-License-Identifier: GPL-2.0
"""UA101: find the runs among the accesses of a file, and windows for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from hotcocci.c.excerpt import ACCESSES
from hotcocci.c.expression import Binary, Index, Member, Unary, uncast
from hotcocci.c.functions import Functions, plain_code
from hotcocci.c.parsing import parse
from hotcocci.c.source import DIRECTIVE, NAME, Source, Token, closing, split
from hotcocci.findings import READ, READ_WRITE, WRITE, Facts, Finding
from hotcocci.rewrite import emit
from hotcocci.rewrite.conditions import judge, none_helps
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.context_conditions import is_best_classic
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import CLASSIC, Options, small_api_for
from hotcocci.rewrite.prefilter import may_have_own_macro
from hotcocci.rewrite.run_windows import USE_WINDOW, subject_of, windows
from hotcocci.rewrite.runs import find_runs
from hotcocci.rewrite.window import (
    Instead,
    Refusal,
    Verdict,
    Window,
    guards_at,
    windows_of,
)
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.offer import MACRO_BODY, OWN_MACRO
from hotcocci.rules.rulebook import rule

RULE = rule("UA101")

# Code before and after them does not always run together.
_BRANCHES = frozenset(("case", "default", "else", "for", "while", "do", "switch", "?"))
# What looks like a call beside an access in a macro, and between two in a function
_NO_CALL = frozenset(
    ("if", "return", "likely", "unlikely", "sizeof", "typeof", "while")
)

# A use of a macro: its name, where it begins and where it ends
Use = tuple[str, int, int]


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every run of a file, and the rewrites of those that may become windows.

    ``facts.file`` is relative to the tree. Nothing is raised for code that cannot be
    rewritten: it is reported with a reason.
    """
    source = Source(facts.file, text)
    own = _without_fence(text, facts, _of_hot_files(options, facts))
    found = map(_with_best_api, contexts(text, facts, own, at_least=2))
    findings, rewrites = decided(RULE, chain.from_iterable(map(_judged, found)))
    if not may_have_own_macro(text):
        return findings, rewrites
    useful = not none_helps(facts.file, options)
    through = _through_macros(source) if useful else ()
    return [*_macro_bodies(source), *through, *findings], rewrites


def _judged(context: Context) -> Iterator[Judged]:
    """The runs of a function, and the windows for them."""
    taken: set[str] = set()
    judged = windows(context, taken, FaultLabels(context, taken))
    for run, verdict in judged:
        made: Verdict = verdict if isinstance(verdict, Refusal) else None
        if isinstance(verdict, Window):
            made = _instead(verdict, windows_of(judged), context)
        yield subject_of(run, context), made


def _instead(window: Window, named: list[Window], context: Context) -> Instead:
    """The edits that write a window, with the notes and questions of all windows that they write."""
    groups = [_sharing(window, named)]
    always = _with_label(window, named, context)
    if always is not None and always not in groups[0]:
        groups.append(_sharing(always, named))
    edits = [edit for group in groups for edit in emit.edits(group, context)]
    written = [window, *chain.from_iterable(groups)]
    notes, decisions, remarks = (
        tuple(dict.fromkeys(chain.from_iterable(each)))
        for each in zip(*((w.notes, w.decisions, w.remarks) for w in written))
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
        window.exits.shape,
    )


def _with_label(window: Window, named: list[Window], context: Context) -> Window | None:
    """A window that uses the label of one that is in an #if, wherever that is left out; None if it needs none."""
    guarded = guards_at(window.run.statements[0].start, context)
    if window.exits.guards or not guarded or not window.label.edits:
        return None
    return next(
        one
        for one in named
        if one.label is window.label
        and not guards_at(one.run.statements[0].start, context)
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
        for run in find_runs(context):
            if isinstance(judge(run, context, set()), Refusal):
                classic = replace(context, options=options)
                if isinstance(judge(run, classic, set()), Window):
                    return options
            else:
                two = two or len(run.accesses) == 2
    return masked if two else options


def _with_best_api(context: Context) -> Context:
    """A function with classic windows where one takes the place of an access_ok()."""
    options = context.options
    if options.api == CLASSIC:
        return context
    if not any(is_best_classic(run, context) for run in find_runs(context)):
        return context
    return replace(context, options=replace(options, api=CLASSIC))


def _sharing(window: Window, named: list[Window]) -> list[Window]:
    """The windows that share statements with this one."""
    group = [window]
    while True:
        low, high = min(w.start for w in group), max(w.end for w in group)
        wider = [w for w in named if w.start < high and low < w.end]
        if len(wider) == len(group):
            return wider
        group = wider


def _macro_bodies(source: Source) -> Iterator[Finding]:
    """A report for every macro with two or more accesses in its body."""
    for directive in source.tokens:
        tokens = _definition(directive)
        calls = dict(_accesses(tokens))
        if len(calls) > 1:
            yield _of_body(source, directive, tokens, calls)


def _of_body(
    source: Source, directive: Token, tokens: Sequence[Token], calls: Mapping[int, int]
) -> Finding:
    """The report for a macro; ``calls`` are its accesses, by the tokens where each begins and ends."""
    (first, *_), (*_, last) = calls, calls.values()
    inside = {n for call in calls.items() for n in range(call[0], call[1] + 1)}
    between = set(range(first, last)) - inside
    name, number = tokens[1].text, len(calls)
    said = f"{number} accesses in the macro {name}; every use of it would change"
    pointers = [split(tokens[at + 2 : end], ",")[1:] for at, end in calls.items()]
    bases = {
        _base(directive.text, pointer[0]) if pointer else None for pointer in pointers
    }
    base = bases.pop() if len(bases) == 1 else None
    direction = None
    if any(tokens[n].text in {*_BRANCHES, ":"} or _calls(tokens, n) for n in between):
        base = None
    if base is not None:
        made = {READ if "get" in tokens[at].text else WRITE for at in calls}
        direction = made.pop() if len(made) == 1 else READ_WRITE
        said = f"{number} accesses to {base} in the macro {name}; in a function, they may share one user access window"
    return Finding(
        rule=RULE.code,
        file=source.file,
        line=source.line_of(directive.start + tokens[first].start),
        end_line=source.line_of(directive.start + tokens[last].start),
        function=name,
        message=said,
        accesses=number,
        base=base,
        direction=direction,
        reason=MACRO_BODY,
    )


def _through_macros(source: Source) -> Iterator[Finding]:
    """A report for every object that code accesses twice or more through macros of the file, each one access."""
    defined = list(filter(None, map(_one_access, source.tokens)))
    # In the branches of an #if, it may be defined alike.
    several = Counter(macro.name for macro in set(defined))
    macros = {macro.name: macro for macro in defined if several[macro.name] == 1}
    for body in Functions(source.text).bodies if macros else ():
        tokens = plain_code(source.text, body.start, body.end)
        for found in _in_a_row(source, tokens, macros):
            for (base, name), uses in found.items():
                if len(uses) > 1:
                    yield _through(source, body.name, base, name, uses)


def _in_a_row(
    source: Source, tokens: Sequence[Token], macros: Mapping[str, _Macro]
) -> Iterator[dict[tuple[str, str], list[Use]]]:
    """The uses of these macros in each part of a function without branches and calls, by the variable and the access."""
    found: dict[tuple[str, str], list[Use]] = {}
    inside = 0
    for at, token in enumerate(tokens[:-1]):
        if at < inside:
            continue
        last = closing(tokens, at + 1) if _calls(tokens, at) else None
        if token.text in _BRANCHES or last is not None and token.text not in macros:
            yield found
            found = {}
        if last is None or token.text not in macros:
            continue
        inside = last
        macro = macros[token.text]
        base: str | None = macro.base
        arguments = split(tokens[at + 2 : last], ",")
        if len(arguments) == len(macro.parameters) and base in macro.parameters:
            base = _base(source.text, arguments[macro.parameters.index(base)])
        if base is not None:
            use = token.text, token.start, tokens[last].end
            found.setdefault((base, macro.access), []).append(use)
        if tokens[at - 1].text == "return" and tokens[last + 1].text == ";":
            yield found
            found = {}
    yield found


@dataclass(frozen=True)
class _Macro:
    """A macro with one access; ``base`` is the variable or parameter that the user pointer comes from."""

    name: str
    parameters: tuple[str, ...]
    access: str
    base: str


def _one_access(directive: Token) -> _Macro | None:
    """The macro that a directive defines, if its body is one access, with a test or without; else None."""
    tokens = _definition(directive)
    if len(tokens) < 4:
        return None
    # A macro without parameters has a blank before a bracket of its body.
    ends = closing(tokens, 2) if tokens[2].start == tokens[1].end else None
    calls = list(_accesses(tokens))
    if ends is None or tokens[2].text != "(" or len(calls) != 1:
        return None
    ((first, last),) = calls
    arguments = split(tokens[first + 2 : last], ",")
    if len(arguments) != 2:
        return None
    # Another branch, or a call, makes more of it than the access.
    others = [n for n in range(ends + 1, len(tokens)) if not first <= n <= last]
    if any(tokens[n].text in ("else", "?", "for") or _calls(tokens, n) for n in others):
        return None
    base = _base(directive.text, arguments[1])
    parameters = [part[-1].text for part in split(tokens[3:ends], ",") if part]
    if base is None:
        return None
    return _Macro(tokens[1].text, tuple(parameters), tokens[first].text, base)


def _definition(directive: Token) -> tuple[Token, ...]:
    """The tokens of a macro's definition, from the word define on; none of another token."""
    if directive.kind != DIRECTIVE:
        return ()
    tokens = plain_code(directive.text.replace("#", " ", 1))
    return tokens if [t.text for t in tokens[:1]] == ["define"] else ()


def _accesses(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The start and end of each access in a macro's body."""
    for at in range(2, len(tokens) - 1):
        if tokens[at].text in ACCESSES and tokens[at + 1].text == "(":
            last = closing(tokens, at + 1)
            if last is not None:
                yield at, last


def _calls(tokens: Sequence[Token], at: int) -> bool:
    """Whether a function or macro is called at a token."""
    follower = tokens[at + 1 : at + 2]
    word = tokens[at]
    called = word.kind == NAME and word.text not in _NO_CALL
    return called and bool(follower) and follower[0].text == "("


def _base(text: str, argument: tuple[Token, ...]) -> str | None:
    """The variable that a user pointer, as ``&to->mode`` and ``to + 1``, comes from; None if it is none."""
    pointer = uncast(parse(text, argument))
    if isinstance(pointer, Unary):
        pointer = pointer.operand
    while isinstance(pointer, (Member, Index, Binary)):
        pointer = pointer.left if isinstance(pointer, Binary) else pointer.object
    return pointer.name


def _through(
    source: Source, function: str, base: str, access: str, uses: Sequence[Use]
) -> Finding:
    macros = " and ".join(f"{name}()" for name in dict.fromkeys(n for n, _, _ in uses))
    direction = READ if "get" in access else WRITE
    way = "from" if direction == READ else "to"
    said = (
        f"{len(uses)} {access}() {way} {base} in {function}(), by {macros} of this file"
    )
    return Finding(
        rule=RULE.code,
        file=source.file,
        line=source.line_of(uses[0][1]),
        end_line=source.line_of(uses[-1][2]),
        function=function,
        message=f"{said}; written out, they may share one user access window",
        accesses=len(uses),
        base=base,
        direction=direction,
        reason=OWN_MACRO,
        column=source.column(uses[0][1]) + 1,
        end_column=source.column(uses[-1][2]) + 1,
    )
