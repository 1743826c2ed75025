# SPDX-License-Identifier: GPL-2.0
"""LD303: call of a function that only loads, next to the same loads in the caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from hotcocci.c.expression import ASSIGNMENTS, Call, Name, Opaque, walk
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import NAME, Source, tokenize
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    REPORT,
    REWRITE,
    Edit,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.hot import is_hot
from hotcocci.rewrite.loads.accessor_index import Accessor, by_name, exits_by_name
from hotcocci.rewrite.loads.chain_bodies import bodies, substituted
from hotcocci.rewrite.loads.chain_paths import (
    CREDENTIALS,
    CURRENT,
    Load,
    Reader,
    chains_of,
)
from hotcocci.rewrite.loads.chain_stores import literal, stores_nothing
from hotcocci.rewrite.loads.chain_variables import types_of, variables
from hotcocci.rewrite.loads.credential_opaque import opaque
from hotcocci.rewrite.options import Options
from hotcocci.rules.ld303_trivial_accessor import RULE
from hotcocci.rules.ld303_trivial_accessor.early_exit import EarlyExit, early_exits

# Maximum nesting of calls in a trivial function.
_MOST_DEPTH = 3


@dataclass(frozen=True)
class SharedLoads:
    """The calls of an accessor, and its loads that the caller performs as well.

    ``others`` are the accessors that it calls in turn; ``places`` are the caller's
    loads.
    """

    calls: tuple[Call, ...]
    accessor: Accessor
    others: tuple[Accessor, ...]
    keys: tuple[str, ...]
    places: tuple[int, ...]


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Findings for calls of trivial functions of other files, in the hot functions of a file."""
    source = Source(facts.file, text)
    known = by_name(options.accessors)
    exits = exits_by_name(options.accessors)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        if not is_hot(facts.file, text, function.name, options.hot):
            continue
        context = Context(function.source, function, facts, options)
        reader = Reader(options.root, facts.file, types_of(variables(context)))
        for found in _shared(context, reader, known):
            inline = _inline(context, found)
            finding = _finding(context, found, inline)
            findings.append(finding)
            if inline:
                callees = [call.function for call in found.calls]
                edits = tuple(Edit(c.start, c.end, inline) for c in callees)
                rewrites.append(Rewrite(finding, edits, "inline", options.api))
        findings += [
            _exit_finding(context, found)
            for found in early_exits(context, reader, exits)
        ]
    return findings, rewrites


def _shared(
    context: Context, reader: Reader, known: Mapping[str, Accessor]
) -> list[SharedLoads]:
    """The calls of accessors with loads that their caller performs as well, in source order."""
    calls = [
        part
        for _, part in build_graph(context.function).expressions()
        if isinstance(part, Call)
        and isinstance(part.function, Name)
        and part.function.text in known
        and known[part.function.text].file != context.facts.file
        # Names that the headers define for this file are not calls, whatever other
        # files define.
        and not bodies(context.options.root, context.facts.file, part.function.text)
    ]
    if not calls:
        return []
    own = [load for chain in chains_of(context, reader) for load in chain.loads]
    found: dict[str, SharedLoads] = {}
    for call in dict.fromkeys(sorted(calls, key=lambda c: c.start)):
        assert isinstance(call.function, Name), "only these were kept"
        accessor = known[call.function.text]
        others = _trivial(reader, accessor, known, 0)
        if others is None:
            continue
        # The loads of arguments belong to the caller.
        argument_loads = {
            load.key
            for argument in call.arguments
            for chain in reader.chains(argument)
            for load in chain.loads
        }
        keys = _loaded(reader, accessor, call, known, 0) - argument_loads
        places = [
            load
            for load in own
            if load.key in keys
            and not load.once
            and not call.start <= load.start < call.end
            and _is_unchanged(context, known, load, call)
        ]
        if places:
            before = found.get(accessor.name)
            shared = SharedLoads(
                (call,), accessor, others, _keys(places), _starts(places)
            )
            found[accessor.name] = _merged(before, shared) if before else shared
    return list(found.values())


def _keys(places: list[Load]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(load.key for load in places))


def _starts(places: list[Load]) -> tuple[int, ...]:
    return tuple(sorted({load.start for load in places}))


def _merged(one: SharedLoads, other: SharedLoads) -> SharedLoads:
    """Merge the calls of one accessor."""
    keys = tuple(dict.fromkeys((*one.keys, *other.keys)))
    places = tuple(sorted({*one.places, *other.places}))
    return replace(one, calls=(*one.calls, *other.calls), keys=keys, places=places)


def _trivial(
    reader: Reader, accessor: Accessor, known: Mapping[str, Accessor], depth: int
) -> tuple[Accessor, ...] | None:
    """The accessors that one calls; None if it does more than load and compare.

    A longer one may call another function after its first test, as in_group_p() does.
    """
    others: list[Accessor] = []
    calls = 0
    for number, value in enumerate(accessor.values):
        for part in walk(parse_text(value)):
            if isinstance(part, Opaque) and literal(part) is None:
                return None
            if not isinstance(part, Call):
                continue
            if not isinstance(part.function, Name):
                return None
            name = part.function.text
            inner = known.get(name) if depth < _MOST_DEPTH else None
            further = _trivial(reader, inner, known, depth + 1) if inner else None
            if inner is not None and further is not None:
                others += [inner, *further]
            elif stores_nothing(reader.root, accessor.file, name):
                continue
            elif accessor.single or number == 0 or calls:
                return None
            else:
                calls += 1
    return tuple(dict.fromkeys(others))


def _loaded(
    reader: Reader,
    accessor: Accessor,
    call: Call,
    known: Mapping[str, Accessor],
    depth: int,
) -> frozenset[str]:
    """The loads of an accessor, spelled as in the caller."""
    if len(accessor.parameters) != len(call.arguments) or depth > _MOST_DEPTH:
        return frozenset()
    inside = replace(reader, file=accessor.file)
    values = dict(zip(accessor.parameters, call.arguments))
    found: set[str] = set()
    for text in accessor.values:
        value = substituted(parse_text(text), values)
        chains = inside.chains(value)
        found |= {d.key for c in chains for d in c.loads if _plain(d)}
        for part in walk(value):
            if isinstance(part, Call) and isinstance(part.function, Name):
                inner = known.get(part.function.text)
                if inner is not None:
                    found |= _loaded(reader, inner, part, known, depth + 1)
    return frozenset(found)


def _plain(load: Load) -> bool:
    return not load.once and load.key != CURRENT


def _is_unchanged(
    context: Context, known: Mapping[str, Accessor], load: Load, call: Call
) -> bool:
    """Whether nothing between a load and a call may change the loaded value, in source order."""
    if load.key in CREDENTIALS:
        return True
    low, high = sorted(
        ((load.start, load.end), (call.start, call.end)), key=lambda place: place[0]
    )
    root, file = context.options.root, context.facts.file
    names = {t.text for t in tokenize(load.key) if t.kind == NAME}
    tokens = context.source.code_between(low[1], high[0])
    for index, token in enumerate(tokens):
        if token.text in (*ASSIGNMENTS, "++", "--"):
            target, before = tokens[index - 1], tokens[index - 2]
            plain = index > 1 and target.kind == NAME
            if not plain or before.text in (".", "->", "*") or target.text in names:
                return False
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if token.kind == NAME and called and token.text not in known:
            if opaque(root, file, token.text):
                return False
    return True


def _inline(context: Context, found: SharedLoads) -> str:
    """The macro or inline function that an accessor only wraps; empty if there is none."""
    if not found.accessor.single:
        return ""
    value = parse_text(found.accessor.values[0])
    if not isinstance(value, Call) or not isinstance(value.function, Name):
        return ""
    arguments = tuple(a.text for a in value.arguments if isinstance(a, Name))
    same = arguments == found.accessor.parameters
    if not same or len(arguments) != len(value.arguments):
        return ""
    name = value.function.text
    seen = bodies(context.options.root, context.facts.file, name)
    return name if seen and name not in context.identifiers else ""


def _finding(context: Context, found: SharedLoads, inline: str) -> Finding:
    source = context.source
    accessor = found.accessor
    where = f"{accessor.file}:{accessor.line}"
    message = f"{accessor.name}() is a call: {where} {_body(accessor)}"
    for other in found.others:
        message += f", {other.name}() at {other.file}:{other.line} {_body(other)}"
    lines = ", ".join(
        dict.fromkeys(str(source.line_of(place)) for place in found.places)
    )
    message += f"; {context.function.name}() loads {' and '.join(found.keys)} at line {lines} as well"
    reason = None
    statics = sorted({s for each in (accessor, *found.others) for s in each.statics})
    if inline:
        message += f"; use {inline}(), which does the same inline"
    else:
        reason = "static-object" if statics else "out-of-line"
        message += f"; {RULE.meaning(reason)}"
        if statics:
            message += f" ({', '.join(statics)})"
    return _report(context, found, message, reason)


def _exit_finding(context: Context, found: EarlyExit) -> Finding:
    source = context.source
    function = found.function
    lines = ", ".join(
        dict.fromkeys(str(source.line_of(call.start)) for call in found.calls)
    )
    message = (
        f"{function.name}() at {function.file}:{function.line} returns first if {function.test}, "
        f"without using {' and '.join(found.parameters)}; {context.function.name}() loads "
        f"{' and '.join(found.keys)} for the call at line {lines} in any case"
    )
    return _report(context, found, message, "early-exit")


def _report(
    context: Context, found: SharedLoads | EarlyExit, message: str, reason: str | None
) -> Finding:
    """A rewrite, or a report if there is a reason for none."""
    source = context.source
    return Finding(
        rule=RULE.code,
        file=context.facts.file,
        line=source.line_of(found.calls[0].start),
        end_line=source.line_of(found.calls[-1].end - 1),
        function=context.function.name,
        message=message,
        accesses=len(found.keys),
        base=found.keys[0],
        direction=None,
        verdict=REPORT if reason else REWRITE,
        tier=None if reason else PREPARED,
        reason=reason,
    )


def _body(accessor: Accessor) -> str:
    if accessor.single:
        return f"returns {accessor.values[0]}"
    return f"evaluates {'; '.join(accessor.values)}"
