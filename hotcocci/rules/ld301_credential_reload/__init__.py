# SPDX-License-Identifier: GPL-2.0
"""LD301: credentials of the current task that are loaded again after a call."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path

from hotcocci.c.conditionals import around
from hotcocci.c.flow import reachable
from hotcocci.c.source import NAME, closing, is_member
from hotcocci.findings import MANUAL, PREPARED, Facts
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.layout import columns
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Instead, Refusal, Subject, Verdict
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.ld301_credential_reload.definitions import (
    Definition,
    Effect,
    changes,
    free_names,
    is_used,
    names_with,
    opaque,
)
from hotcocci.rules.ld301_credential_reload.loads import (
    FIELDS,
    MEMBER,
    NAMESPACE,
    OBJECTIVE,
    SUBJECTIVE,
    VALUES,
    Load,
    Reloads,
    loads_of,
    reloads,
    repeats,
)
from hotcocci.rules.ld301_credential_reload.placement import (
    Hoist,
    declaration,
    edits_of,
    is_stored,
    placement,
)
from hotcocci.rules.rulebook import rule

RULE = rule("LD301")

_ASM = frozenset("asm __asm__ volatile __volatile__ goto".split())

# struct ipc_namespace *ns
_OTHER_NS = re.compile(r"\bstruct (?!user_namespace\b)\w+ \*ns\b")


# kernel/capability.c and functions with similar names: they set PF_SUPERPRIV and may write an audit record.
_CAPABLE = re.compile(
    r"\w*capable\w*|has_(?:ns_)?capability\w*|security_capable\w*|smack_privileged\w*"
)


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Findings for functions with two or more loads of one pointer, and the rewrites."""
    found = contexts(text, facts, options, at_least=2)
    return decided(RULE, chain.from_iterable(map(_judged, found)))


def _judged(context: Context) -> Iterator[Judged]:
    """The loads of one pointer in a function, two or more, and the local for them."""
    taken: set[str] = set()
    name = context.function.name
    for base in (SUBJECTIVE, OBJECTIVE):
        loads = [load for load in loads_of(context.function) if load.base == base]
        if len(loads) < 2:
            continue
        again = _reloads(context, loads)
        found = _judge(context, loads, again, taken)
        said = f"{len(loads)} loads of {base} in {name}()"
        if again.after_call:
            said += f", {len(again.after_call)} of them after a call"
        made: Verdict = found if isinstance(found, Refusal) else None
        if isinstance(found, Hoist):
            taken.add(found.name)
            made = _instead(context, loads, found)
        start, end = loads[0].start, loads[-1].end
        yield Subject(context, start, end, said, base, None, len(loads)), made


def _reloads(context: Context, loads: list[Load], repeat: bool = True) -> Reloads:
    starts = [load.start for load in loads]
    return reloads(
        context.graph, starts, lambda name: opaque(*context.where, name), repeat
    )


def _judge(
    context: Context, loads: list[Load], again: Reloads, taken: set[str]
) -> Hoist | Refusal:
    source = context.source

    def refuse(reason: str, at: int) -> Refusal:
        return Refusal(reason, source.line_of(at))

    changed = changes(source.text, context.tokens, context.options.root, source.file)
    if changed:
        return _changed(context, loads, changed)
    if not again.after_call:
        reason = "no-call-between" if again.without_call else "loads-apart"
        return refuse(reason, loads[1].start)
    within = bool(_reloads(context, loads, repeat=False).after_call)
    if not within and not any(repeats(context, load) for load in loads):
        # parse_options(): an iteration for each mount option, few of which are a uid or gid.
        if not context.hot:
            return refuse("loads-apart", loads[1].start)
    if _redefined(source.text, loads):
        return refuse("unusual-form", loads[0].start)
    check = capability_between(context, loads)
    if check is not None:
        return refuse("capability-between", check)
    formless = next((load for load in loads if not load.form), None)
    if formless is not None:
        return refuse("unusual-form", formless.start)
    names = {load.name for load in loads}
    accessor = names.pop() if len(names) == 1 and not names.isdisjoint(VALUES) else None
    starts = [load.start for load in loads]
    if is_stored(context, loads[0], accessor):
        return refuse("unusual-form", loads[0].start)
    name = _name(context, accessor, taken)
    if name is None:
        return refuse("unusual-form", loads[0].start)
    lines = (declaration(loads, name, accessor, value=given) for given in (False, True))
    without, given = (columns("\t" + line) for line in lines)
    place = placement(context, loads, (without, given), within)
    if place is None:
        return refuse("unusual-form", loads[0].start)
    written = [at for at in (place.declared, place.assigned) if at is not None]
    places = sorted([*written, *starts])
    return _directive(context, places) or Hoist(name, accessor, place)


def _changed(context: Context, loads: list[Load], changed: list[int]) -> Refusal:
    """Refuse a function that changes credentials, between the loads or elsewhere."""
    between = next((at for at in changed if _is_between(context, loads, at)), None)
    at = changed[0] if between is None else between
    line = context.source.line_of(at)
    name, follower = context.source.code_between(at, context.body.end)[:2]
    what = f"{name.text}()" if follower.text == "(" else f"the store to {name.text}"
    if between is None:
        detail = f"{what} at line {line} may change the credentials, but not between the loads"
        return Refusal("credentials-change-elsewhere", line, detail)
    detail = f"{what} at line {line} may change the credentials between the loads"
    return Refusal("credentials-change", line, detail)


def _is_crossed(context: Context, loads: list[Load], hoist: Hoist, at: int) -> bool:
    """Whether the value is loaded before an offset, and used after it in place of a load."""
    place = hoist.placement
    if place.assigned is None:
        if place.declared <= at < loads[0].start:
            return True
    return _is_between(context, loads, at)


def _is_between(context: Context, loads: list[Load], at: int) -> bool:
    """Whether a path leads from one load through an offset to another."""
    blocks = context.graph.blocks
    here = {block for block in blocks if block.holds(at)}
    loading = {b for b in blocks if any(b.holds(load.start) for load in loads)}
    if not here or not loading:
        return loads[0].start < at < loads[-1].end
    before = not here.isdisjoint(reachable(loading))
    return before and not loading.isdisjoint(reachable(here))


def _directive(context: Context, places: list[int]) -> Refusal | None:
    """Refuse if some configurations contain only part of these offsets."""
    source = context.source
    branches = [[(c.at, n) for c, n in around(source.text, at)] for at in places]
    for place, own in zip(places, branches):
        if own != branches[0]:
            line = source.line_of(place)
            detail = f"only some configurations have the load at line {line}"
            return Refusal("ifdef", line, detail)
    return None


def _redefined(text: str, loads: list[Load]) -> bool:
    """Whether a file redefines one of the accessors."""
    names = "|".join(
        {load.name for load in loads if load.name != MEMBER} or {"current"}
    )
    pattern = rf"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(?:{names})\b"
    return re.search(pattern, text, re.MULTILINE) is not None


def _name(context: Context, accessor: str | None, taken: set[str]) -> str | None:
    """A name that the function, the macros it uses, and the file do not use."""
    text = context.source.text
    tokens = context.tokens
    tags = {b.start for a, b in zip(tokens, tokens[1:]) if a.text == "struct"}
    used = {
        mention.text
        for mention in tokens
        if mention.text in context.identifiers and mention.start not in tags
    }
    # The accessor mentions a member of the same name.
    expanded = free_names(*context.where, frozenset(used - {accessor}))
    stored = FIELDS[accessor] if accessor else "cred"
    names = [stored, *(f"{whose}_{stored}" for whose in ("curr", "task", "own"))]
    if accessor == NAMESPACE and not _OTHER_NS.search(text):
        names.insert(0, "ns")
    for name in names:
        macro = re.search(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b", text, re.MULTILINE)
        if name not in used | taken | expanded and not macro:
            return name
    return None


def _instead(context: Context, loads: list[Load], hoist: Hoist) -> Instead:
    """The edits for a local, and what a message says of it."""
    always = hoist.placement.always
    between = _call_between(context, loads, hoist)
    tier = PREPARED
    counted = always or any(repeats(context, load) for load in loads)
    said = f"cache it in {hoist.name} if {between} does not change the credentials"
    if not counted and not context.hot:
        tier = MANUAL
        said += "; paths that had no load get one: acceptable?"
    elif not always:
        said += " (adds a load on paths that had none)"
    return Instead(said, edits_of(context, loads, hoist), shape="hoist", tier=tier)


def _call_between(context: Context, loads: list[Load], hoist: Hoist) -> str:
    """The first call between the loads across which memory may change, for a message.

    It may change the credentials of the task. Few functions do; that this one does not is for a
    person to say, so that no rewrite is ``safe``. A call of what has no name, as ``(*check)(inode)``, and
    assembly are the code between the loads.
    """
    own = {load.start for load in loads}
    tokens = context.tokens
    for index, (token, follower) in enumerate(zip(tokens, tokens[1:])):
        if token.kind != NAME or follower.text != "(" or token.text in _ASM:
            continue
        if is_member(tokens, index) or opaque(*context.where, token.text):
            if token.start not in own and _is_crossed(
                context, loads, hoist, token.start
            ):
                return f"{token.text}() at line {context.line(token)}"
    return "the code between the loads"


def is_capability_check(name: str) -> bool:
    """Whether the name is that of a capability check."""
    return _CAPABLE.fullmatch(name) is not None


@lru_cache(maxsize=4)
def capability_checks(text: str, root: Path, file: str) -> frozenset[str]:
    """Names in a file and its headers that check a capability, directly or by calls."""
    return names_with(_CHECKING, root, file, text)


def _checks(definition: Definition, ours: frozenset[str]) -> bool:
    body = definition.body
    return any(
        is_used(body, index, ours)
        or (token.kind == NAME and is_capability_check(token.text))
        for index, token in enumerate(body)
    )


_CHECKING = Effect(
    lambda text: "capab" in text,
    lambda definition: re.search("capab|smack_privileged", definition.text) is not None,
    _checks,
)


def capability_between(context: Context, loads: list[Load]) -> int | None:
    """The offset of a capability check between the first load and the last, or in a loop with both."""
    low, high = loads[0].end, loads[-1].start
    for load in loads:
        for start, end in context.repeated_ranges(load.start):
            low, high = min(low, start), max(high, end)
    tokens = context.tokens
    ours = capability_checks(context.source.text, *context.where)
    for index, (token, follower) in enumerate(zip(tokens, tokens[1:])):
        called = follower.text == "("
        if is_used(tokens, index, ours) or (called and is_capability_check(token.text)):
            last = closing(tokens, index + 1) if called else index
            # Arguments are evaluated before the call.
            if last is not None and low <= tokens[last].start < high:
                return token.start
    return None
