# SPDX-License-Identifier: GPL-2.0
"""From the copies SmPL saw in one file to findings, and to the edits of those we rewrite."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.c.ask import layouts
from hotcocci.c.layout import BYTES, INTEGER, RECORD, Layout
from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    READ,
    REPORT,
    REWRITE,
    SAFE,
    Edit,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite import emit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import COPIES, Copy, copies_of, uncast
from hotcocci.rewrite.copies.scalars import CALL, SCALARS, Scalar, judge_scalar
from hotcocci.rewrite.copies.sizes import is_constant
from hotcocci.rewrite.copies.structs import LARGEST, judge_struct
from hotcocci.rewrite.copies.switch import decide_dispatch
from hotcocci.rewrite.labels import choose
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Refusal, Window
from hotcocci.rules.reasons import REASONS

SCALAR_RULE, STRUCT_RULE = "UA201", "UA202"
# What is still told of where it runs often: a cache line.
MOST_TOLD = 64

Decided = tuple[list[Finding], list[Rewrite]]


def decide_scalars(text: str, facts: Facts, options: Options) -> Decided:
    """UA201: every copy of a scalar's size, and the accesses that can stand for one."""
    return _decide(text, facts, options, SCALAR_RULE)


def decide_structs(text: str, facts: Facts, options: Options) -> Decided:
    """UA202: every copy of a small structure, and the windows that can stand for one."""
    return _decide(text, facts, options, STRUCT_RULE)


def decide_copies(text: str, facts: Facts, options: Options) -> Decided:
    """All rules of copies, as the semantic patch gives them."""
    made = [
        decide(text, facts, options)
        for decide in (decide_scalars, decide_structs, decide_dispatch)
    ]
    findings = [finding for found, _ in made for finding in found]
    return findings, [rewrite for _, rewrites in made for rewrite in rewrites]


def _decide(text: str, facts: Facts, options: Options, rule: str) -> Decided:
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    small = replace(options, api=options.small_api, min_run=options.small_min_run)
    for function in functions(source, _with_constant_sizes(facts)):
        context = Context(function.source, function, facts, small)
        taken: set[str] = set()
        for copy in _asked(copies_of(context)):
            if _rule(copy) != rule or not _is_told(rule, copy):
                continue
            verdict = (
                judge_scalar(copy) if rule == SCALAR_RULE else judge_struct(copy, taken)
            )
            finding = _finding(rule, copy, verdict)
            findings.append(finding)
            if not isinstance(verdict, Refusal):
                edits, shape = _edits(verdict, context, taken)
                notes = (*verdict.notes, *getattr(verdict, "remarks", ()))
                rewrites.append(Rewrite(finding, edits, shape, small.api, notes))
    return findings, rewrites


def _asked(copies: list[Copy]) -> list[Copy]:
    """The copies with what the compiler says of their types, where they run often."""
    hot = [copy for copy in copies if is_constant(copy.text(copy.size)) and copy.hot]
    untold = sorted({type_ for copy in hot for type_ in copy.untold()} - {"void"})
    if not untold:
        return copies
    context = hot[0].context
    answers = layouts(context.options.root, context.source.file, untold)
    known = {t: one for t, one in answers.items() if isinstance(one, Layout)}
    return [replace(copy, asked=known) for copy in copies]


def _with_constant_sizes(facts: Facts) -> Facts:
    """Only the functions that hold a copy of such a size: the others are not read."""
    wanted = {
        (access.function, access.function_end_line)
        for access in facts.accesses
        if is_constant(access.size)
    }
    kept = [a for a in facts.accesses if (a.function, a.function_end_line) in wanted]
    return replace(facts, accesses=tuple(kept))


def _rule(copy: Copy) -> str | None:
    """Which rule a copy is a matter of, None if it is not small or its size is not known."""
    if copy.access.name not in COPIES or not is_constant(copy.text(copy.size)):
        return None
    size, object_ = copy.size_layout, copy.object_layout
    if size is not None and size.kind in SCALARS:
        return SCALAR_RULE
    if size is not None and size.kind == BYTES:
        scalar = object_ is not None and object_.kind == INTEGER
        return SCALAR_RULE if scalar and max(size.sizes) <= 8 else None
    if size is not None and size.kind == RECORD and max(size.sizes) <= LARGEST:
        return STRUCT_RULE
    if not copy.hot:
        return None
    most = copy.size_bytes or 0 if size is None else max(size.sizes)
    return STRUCT_RULE if most <= MOST_TOLD else None


def _is_told(rule: str, copy: Copy) -> bool:
    """A thousand structures are copied where nobody waits for it: nothing is said of them unasked."""
    return rule == SCALAR_RULE or copy.hot or copy.context.options.cold


def _edits(
    verdict: Scalar | Window, context: Context, taken: set[str]
) -> tuple[tuple[Edit, ...], str]:
    if isinstance(verdict, Scalar):
        return (verdict.edit,), CALL
    name = choose(context, taken, verdict.direction, verdict.leave, False)
    return emit.edits([emit.Labelled(verdict, name)], context), verdict.shape


def _finding(rule: str, copy: Copy, verdict: Scalar | Window | Refusal) -> Finding:
    source = copy.context.source
    name = copy.context.function.name
    base = squeeze(copy.text(uncast(copy.user)))
    verb = "reads" if copy.direction == READ else "writes"
    message = f"{_bytes(copy)}: {name}() {verb} {base} by {copy.access.name}()"
    tier = reason = None
    if isinstance(verdict, Refusal):
        reason = verdict.reason
        message += f"; line {verdict.line}: {REASONS[reason]}"
    else:
        tier = PREPARED if verdict.notes else SAFE
        message += f"; {_instead(verdict)}"
        if verdict.notes:
            message += f" ({'; '.join(verdict.notes)})"
    return Finding(
        rule=rule,
        file=copy.context.facts.file,
        line=copy.line,
        end_line=source.line_of(copy.end),
        function=name,
        message=message,
        accesses=1,
        base=base,
        direction=copy.direction,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )


def _bytes(copy: Copy) -> str:
    size = copy.size_layout
    if size is None and copy.size_bytes:
        parts = copy.context.source.file.split("/")
        where = parts[1] if parts[0] == "arch" and parts[1] != "x86" else "x86-64"
        return f"{copy.size_bytes} byte{'s' * (copy.size_bytes > 1)} on {where}"
    if size is None:
        return "a copy of a size that the headers do not tell"
    several = sorted(set(size.sizes))
    what = " or ".join(map(str, several))
    return f"{what} byte{'' if several == [1] else 's'}"


def _instead(verdict: Scalar | Window) -> str:
    if isinstance(verdict, Scalar):
        return f"{verdict.edit.text.partition('(')[0]}() needs no routine for them"
    return "a user access window needs no routine for them"
