# SPDX-License-Identifier: GPL-2.0
"""When a run may become a window, and what has to be prepared for it.

Each function is one condition; the table they come from is in the project's design
notes, the rule numbers (W4, W11, …) name the window rules of the rulebook.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rewrite import base as bases
from hotcocci.rewrite import types
from hotcocci.rewrite.context import Context, has_variable_index
from hotcocci.rewrite.expression import Expr, assigned, calls, canonical, names, parse_range, root, walk
from hotcocci.rewrite.expression import Call, Cast, Index, Literal, Member, Name, Unary
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.shapes import Leaving, leaving
from hotcocci.rewrite.source import Token, tokenize
from hotcocci.rewrite.steps import EARLY, RANGE, TEST, UserAccess, is_gap
from hotcocci.rewrite.syntax import Statement, condition, expression
from hotcocci.rewrite.window import MASKED, SCOPED, Hoist, Refusal, Window

_WIDE = re.compile(r"\b(__u64|u64|__s64|s64|loff_t|long long|__le64|__be64|ktime_t)\b")


def judge(run: Run, context: Context, taken: set[str]) -> Window | Refusal:
    """The window for a run, or the first condition it does not meet.

    ``taken`` are names that other windows of the function have introduced; names
    introduced here are added to it.
    """
    for refuse in (_architecture, _line, _length, _pointer, _fetches, _types):
        refusal = refuse(run, context)
        if refusal is not None:
            return refusal
    left = leaving(run, context)
    if isinstance(left, Refusal):
        return left
    for refuse_left in (_directives, _gaps, targets, scopes, label):
        refusal = refuse_left(run, context, left)
        if refusal is not None:
            return refusal
    notes = [left.note] if left.note else []
    hoists: list[Hoist] = []
    base = _hoist_base(run, context, taken, hoists, notes)
    if isinstance(base, Refusal):
        return base
    refusal = _hoist_values(run, context, taken, hoists, notes)
    if refusal is not None:
        return refusal
    _escaping(run, context, notes)
    tail = left.tail
    advance = sum(a.base.place == bases.STEP for a in run.accesses)
    if advance:
        notes.append("the increments of the pointer become indexes")
        if context.mentions(run.accesses[0].base.text, run.line[left.stop].end, context.body.end):
            tail = (f"{base} += {advance};", *tail)
    begin, dropped = _superfluous_check(run, context, left)
    unused = left.variable is not None and _unused(left.variable, run, context, begin, left)
    if unused:
        notes.append(f"the variable {left.variable} is no longer needed and is removed")
    if any(s.form in (EARLY, TEST) for i, s in enumerate(run.line) if run.first < i < run.last and i not in left.dropped):
        notes.append("an early exit between the accesses closes the window itself")
    remarks: tuple[str, ...] = ()
    if any(a.access.name.startswith("__") for a in run.accesses) and begin == run.first:
        remarks = ("opening the window checks the range, which the __ accessors did not",)
    return Window(
        run,
        left.shape,
        direction(run),
        base,
        _size(run, base),
        left.leave,
        tail,
        begin,
        left.stop,
        (*left.dropped, *dropped),
        tuple(hoists),
        tuple(notes),
        remarks,
        left.variable if unused else None,
        left.target,
    )


def direction(run: Run) -> str:
    """The narrowest direction that serves every access (W3, W4)."""
    found = {a.direction for a in run.accesses}
    return READ_WRITE if len(found) > 1 else found.pop()


def _line(run: Run, context: Context) -> Refusal | None:
    """Something else stands between the accesses in the text."""
    if run.broken is None:
        return None
    return Refusal(run.broken, context.source.line_of(run.accesses[1].start))


def architecture(context: Context) -> str | None:
    """The one architecture a file is for, by its folders: arch/s390, drivers/s390."""
    folders = PurePosixPath(context.source.file).parts[:-1]
    if folders[:1] == ("arch",):
        return "um" if "um" in folders[2:3] else folders[1]
    return next((f for f in folders if f in context.options.arches), None)


def _architecture(run: Run, context: Context) -> Refusal | None:
    arch = architecture(context)
    if arch is not None and arch not in context.options.gain_arches:
        return Refusal("no-gain-arch", context.source.line_of(run.accesses[0].start))
    return None


def _length(run: Run, context: Context) -> Refusal | None:
    if len(run.accesses) < context.options.min_run:
        return Refusal("below-min-run", context.source.line_of(run.accesses[0].start))
    return None


def _pointer(run: Run, context: Context) -> Refusal | None:
    """The range must be computed from a type, over constant places (W5, W11)."""
    source = context.source
    own = bases.base_names(run.accesses[0].base)
    stepped = [a for a in run.accesses if a.base.place == bases.STEP]
    for access in run.accesses:
        line = source.line_of(access.start)
        if access.base.through_cast:
            return Refusal("cast-pointer", line)
        if any(assigned(e) for e in (access.value,)):
            return Refusal("side-effect-argument", line)
        if assigned(access.pointer) and access.base.place != bases.STEP:
            return Refusal("base-changes", line)
        if access.direction == READ and isinstance(root(access.value), Name):
            target = root(access.value)
            assert isinstance(target, Name)
            if target.text in own:
                return Refusal("base-changes", line)
        if stepped and access.base.place != bases.STEP:
            return Refusal("base-changes", line)
        if access.base.place == bases.STEP:
            if "++" not in source.text[access.pointer.start : access.pointer.end]:
                return Refusal("base-changes", line)
            if source.text[access.pointer.start : access.pointer.end].startswith("++"):
                return Refusal("base-changes", line)
        elif access.base.index is None:
            return Refusal("variable-index", line)
        if access.direction == READ and has_variable_index(access.value):
            return Refusal("variable-index", line)
        if access.direction == READ and calls(access.value):
            return Refusal("side-effect-argument", line)
    return None


def _fetches(run: Run, context: Context) -> Refusal | None:
    """A word fetched twice stays fetched twice; arm32 fetches no 8 bytes."""
    seen: set[str] = set()
    for access in run.accesses:
        if access.direction != READ or access.base.place == bases.STEP:
            continue
        pointer = canonical(context.source.text[access.pointer.start : access.pointer.end])
        if pointer in seen:
            return Refusal("double-fetch", context.source.line_of(access.start))
        seen.add(pointer)
    return None


def path(access: UserAccess) -> list[Expr]:
    """The ``.field`` and ``[index]`` steps from an access's base to its place."""
    steps: list[Expr] = []
    place: Expr = access.pointer
    while isinstance(place, (Unary, Cast)):
        place = place.operand
    while isinstance(place, (Member, Index)) and place is not access.base.expr:
        steps.insert(0, place)
        place = place.object
    if access.base.place == bases.ELEMENT and steps and isinstance(steps[0], Index):
        return steps[1:]
    return steps


def pointed(access: UserAccess, context: Context) -> str | None:
    """The type the base points to, as SmPL or a cast tells."""
    for part in walk(access.base.expr):
        if isinstance(part, Cast) and "__user" in part.type:
            return part.type.replace("*", "").strip()
    line = context.source.line_of(access.base.expr.start)
    for typed in context.facts.types:
        if typed.text == access.base.key and typed.line == line:
            return typed.target
    return None


def _types(run: Run, context: Context) -> Refusal | None:
    """What the headers say of each place: a scalar, inside the object (W5, W19)."""
    arm = not context.options.arm_get_u64 and not _never_on_arm32(context)
    for access in run.accesses:
        line = context.source.line_of(access.start)
        steps = path(access)
        indexed = any(isinstance(step, Index) for step in steps)
        fetched = arm and access.direction == READ
        if not indexed and not fetched and not steps:
            continue
        target = pointed(access, context)
        found = (
            types.place(context.options.root, context.source.file, target, steps)
            if target
            else types.Place(types.UNKNOWN, None)
        )
        if indexed and not found.inside:
            known = all(isinstance(s.index, Literal) for s in steps if isinstance(s, Index))
            return Refusal("range-unknown" if known else "variable-index", line)
        if found.kind in (types.BITFIELD, types.RECORD):
            return Refusal("bitfield", line)
        if fetched and (found.kind == types.WIDE or _wide_target(access, found, context)):
            return Refusal("u64-arm32", line)
    return None


def _wide_target(access: UserAccess, found: types.Place, context: Context) -> bool:
    """Where the field's type was not found: whether the variable has eight bytes."""
    value = access.value
    if found.kind != types.UNKNOWN or not isinstance(value, Name):
        return False
    return bool(_WIDE.search(context.local_types.get(value.text, "")))


def _never_on_arm32(context: Context) -> bool:
    """The code is of one other architecture, or for 64-bit kernels' compat calls."""
    path = PurePosixPath(context.source.file)
    if architecture(context) not in (None, "arm"):
        return True
    if "compat" in path.name or path.stem.endswith("32"):
        return True
    header = context.source.code_between(context.function.start, context.body.start)
    return any(t.text.startswith("COMPAT_SYSCALL") for t in header) or any(
        word in line for line in _conditionals(context) for word in ("CONFIG_COMPAT", "CONFIG_64BIT")
    )


_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|el|endif)\w*[ \t]*(.*)$", re.MULTILINE)


def _conditionals(context: Context) -> list[str]:
    """The conditions of the #if lines in force at the function."""
    stack: list[str] = []
    for match in _CONDITIONAL.finditer(context.source.text, 0, context.body.start):
        if match.group(1) == "if":
            stack.append(match.group(2))
        elif stack and match.group(1) == "el":
            stack[-1] = match.group(2)
        elif stack:
            stack.pop()
    return stack


def _directives(run: Run, context: Context, left: Leaving) -> Refusal | None:
    start, end = run.steps[0].start, run.line[left.stop].end
    if context.source.has_directive(start, end):
        token = next(
            t for t in context.source.tokens_between(start, end) if t.kind == "directive"
        )
        return Refusal("ifdef", context.source.line_of(token.start))
    return None


def _gaps(run: Run, context: Context, left: Leaving) -> Refusal | None:
    """What stands between accesses stays there, inside the window (W6, W8, W11)."""
    own = bases.base_names(run.accesses[0].base)
    for index in range(run.first, run.last + 1):
        step = run.line[index]
        if step.accesses or index in left.dropped:
            continue
        if not is_gap(step):
            return Refusal("call-between", step.line)
        inside = trees(context, step.node)
        changed = {n for t in inside for e in assigned(t) for n in names(root(e))}
        if changed & own:
            return Refusal("base-changes", step.line)
        if any(has_variable_index(t) for t in inside):
            return Refusal("variable-index", step.line)
    return None


def trees(context: Context, node: Statement) -> list[Expr]:
    """The expressions of a statement and of those in it."""
    own = []
    if node.kind == "if":
        own = [condition(context.source, node)]
    elif node.kind == "expression":
        own = [expression(context.source, node)]
    return own + [t for child in node.children for t in trees(context, child)]


def targets(run: Run, context: Context, left: Leaving) -> Refusal | None:
    """What get_user() zeroes on a fault must not be looked at afterwards."""
    if left.target is None:
        return None
    place = context.labels.get(left.target)
    if place is None:
        return Refusal("no-place-for-label", run.steps[0].line)
    for access in run.accesses:
        if access.direction == WRITE:
            continue
        target = root(access.value)
        if isinstance(target, Name) and context.mentions(target.text, place, context.body.end):
            return Refusal("value-read-on-fault", context.source.line_of(place))
    return None


def label(run: Run, context: Context, left: Leaving) -> Refusal | None:
    """A label goes to the end of the function; no jump may cross a cleanup (W12)."""
    body = context.body
    if not body.children:
        return Refusal("no-place-for-label", run.steps[0].line)
    last = body.children[-1]
    if context.source.has_directive(last.end, body.end):
        return Refusal("no-place-for-label", context.source.line_of(last.end))
    at_run = context.cleanups_at(run.steps[0].start)
    at_label = context.cleanups_at(body.end - 1)
    if at_label - at_run or (at_run - at_label and context.options.api != SCOPED):
        scope = sorted(at_label ^ at_run)[0]
        return Refusal("cleanup-scope", context.source.line_of(scope[0]))
    return None


def scopes(run: Run, context: Context, left: Leaving) -> Refusal | None:
    """The label stands at the end of the function: it sees only its outermost names."""
    used = {t.text for text in left.leave for t in tokenize(text) if t.kind == "name"}
    for declaration in context.declared:
        if any(t.text in used for t in declaration) and not _outermost(declaration, context):
            if any(declares(declaration, name) for name in used):
                return Refusal("no-place-for-label", context.source.line_of(declaration[0].start))
    return None


def _outermost(declaration: tuple[Token, ...], context: Context) -> bool:
    return not any(
        s.start < declaration[0].start < s.end
        for s in context.function.statements
        if s.kind in ("block", "switch")
    )


def declares(declaration: tuple[Token, ...], name: str) -> bool:
    """Whether a declaration brings a variable of that name."""
    return any(
        t.text == name and declaration[i + 1].text in ("=", ",", ";", "[")
        for i, t in enumerate(declaration[:-1])
    )


def _fresh(wanted: str, context: Context, taken: set[str]) -> str:
    candidates = [wanted, f"user_{wanted}", *(f"{wanted}{n}" for n in range(2, 100))]
    name = next(c for c in candidates if c not in context.identifiers and c not in taken)
    taken.add(name)
    return name


def _hoist_base(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> str | Refusal:
    """A base that is not a plain name is computed once, before the window (W13)."""
    first = run.accesses[0].base
    line = context.source.line_of(run.accesses[0].start)
    if first.kind == bases.PLAIN:
        if context.options.api == MASKED and not assignable(context, first.text):
            return Refusal("base-in-call", line)
        return first.text
    if any(a.base.text != first.text for a in run.accesses):
        return Refusal("cast-pointer", line)
    if first.kind == bases.CALL:
        return Refusal("base-in-call", line)
    if assigned(first.expr):
        return Refusal("side-effect-argument", line)
    if first.kind == bases.CAST:
        inner = first.text.strip()
        while inner.startswith("(") and not inner.startswith(("(struct", "(const", "(union")):
            stripped = inner[1:-1].strip() if inner.endswith(")") else inner
            if stripped == inner or not stripped.startswith("("):
                break
            inner = stripped
        type_ = next(
            (e.type for e in walk(first.expr) if hasattr(e, "type") and "__user" in e.type), None
        )
        if type_ is None or "void" in type_:
            return Refusal("cast-pointer", line)
        name = _fresh("up", context, taken)
        star = type_ if type_.endswith("*") else type_ + " "
        hoists.append(Hoist(name, f"{star}{name};", f"{name} = {inner};", 0, 0))
    else:
        last = first.expr.field if isinstance(first.expr, Member) else "up"
        name = _fresh(last, context, taken)
        hoists.append(
            Hoist(name, f"typeof({first.text}) {name};", f"{name} = {first.text};", 0, 0)
        )
    notes.append(f"the pointer {first.text} is read once, into {name}")
    return name


def assignable(context: Context, name: str) -> bool:
    """Whether a pointer variable may be assigned: not ``T *const p``, and local."""
    return any(
        t.text == name and "const" not in _declared_after_star(context, name)
        for t in context.facts.types
    )


def _declared_after_star(context: Context, name: str) -> str:
    tokens = context.tokens
    for index, token in enumerate(tokens):
        if token.text == name:
            return tokens[index - 1].text if index else ""
    return ""


def _hoist_values(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> Refusal | None:
    """Calls in value arguments are made before the window (W6, W11)."""
    source = context.source
    written: set[str] = set()
    for index in range(run.first, run.last + 1):
        step = run.line[index]
        if not step.accesses:
            for tree in trees(context, step.node):
                written |= {n for e in assigned(tree) for n in names(root(e))}
    for access in run.accesses:
        line = source.line_of(access.start)
        value = access.value
        if access.direction == READ:
            written |= names(root(value))
            continue
        if not calls(value) and not has_variable_index(value):
            continue
        if names(value) & written:
            return Refusal("call-between", line)
        if any("_user" in c.text for c in walk(value) if isinstance(c, Name)):
            return Refusal("side-effect-argument", line)
        field = access.pointer
        while isinstance(field, Unary):
            field = field.operand
        wanted = field.field if isinstance(field, Member) else "value"
        if isinstance(field, Index) and isinstance(field.object, Member):
            wanted = field.object.field
        name = _fresh(wanted, context, taken)
        pointer = source.text[access.pointer.start : access.pointer.end]
        lvalue = pointer[1:].strip() if pointer.startswith("&") else f"*{pointer}"
        if access.base.place == bases.STEP or access.base.kind != bases.PLAIN:
            return Refusal("call-between", line)
        text = " ".join(source.text[value.start : value.end].split())
        hoists.append(
            Hoist(name, f"typeof({lvalue}) {name};", f"{name} = {text};", value.start, value.end)
        )
        called = ", ".join(
            sorted({c.function.text for c in calls(value) if isinstance(c, Call) and isinstance(c.function, Name)})
        )
        what = f"the call of {called}" if called else "the indexed value"
        notes.append(f"{what} is made before the window")
    return None


def _escaping(run: Run, context: Context, notes: list[str]) -> None:
    """get_user() stores 0 on a fault, unsafe_get_user() stores nothing."""
    kept = [
        context.source.text[a.value.start : a.value.end]
        for a in run.accesses
        if a.direction == READ and not context.is_local(a.value)
    ]
    if kept:
        notes.append(f"on a fault {', '.join(kept)} keep the old value instead of 0")


def _size(run: Run, base: str) -> str | None:
    """The length in elements, from the furthest place reached."""
    if run.accesses[0].base.place == bases.STEP:
        count = len(run.accesses)
    else:
        count = max((a.base.index or 0) for a in run.accesses) + 1
    return None if count == 1 else f"{count} * sizeof(*{base})"


def _superfluous_check(
    run: Run, context: Context, left: Leaving
) -> tuple[int, tuple[int, ...]]:
    """An access_ok() for this run alone goes away: the window makes the same check."""
    index = run.first - 1
    if index < 0 or run.line[index].form != RANGE:
        return run.first, ()
    step = run.line[index]
    assert step.range_check is not None and step.exit is not None
    pointer = canonical(context.source.text[step.range_check.start : step.range_check.end])
    leave = canonical(" ".join(left.leave))
    if pointer != run.accesses[0].base.key or step.exit.key != leave:
        return run.first, ()
    if guards_more(run, context):
        return run.first, ()
    return index, (index,)


def guards_more(run: Run, context: Context) -> bool:
    """Whether an access_ok() of a run's base may guard more than the run.

    It may where the base is mentioned below the run other than to be compared: another
    ``__`` accessor, or a function it is handed to.
    """
    base = run.accesses[0].base
    if base.kind != bases.PLAIN:
        return True
    tokens = context.source.code_between(run.steps[-1].end, context.body.end)
    for index, token in enumerate(tokens):
        if token.text != base.text or (index and tokens[index - 1].text in (".", "->")):
            continue
        if tokens[index + 1].text not in ("?", "&&", "||", ")"):
            return True
        before = tokens[index - 1].text
        if tokens[index + 1].text == ")" and before not in ("!", "&&", "||"):
            if not (before == "(" and tokens[index - 2].text in ("if", "while")):
                return True
    return False


def _unused(variable: str, run: Run, context: Context, begin: int, left: Leaving) -> bool:
    """Whether nothing but its declaration would mention a variable any more."""
    start, end = run.line[begin].start, run.line[left.stop].end
    return unused_outside(variable, start, end, left, context)


def unused_outside(
    variable: str, start: int, end: int, left: Leaving, context: Context
) -> bool:
    """Whether only its declaration mentions a variable once a stretch is rewritten."""
    if any(variable in text for text in (*left.leave, *left.tail)):
        return False
    inside = context.mentions(variable, start, end)
    everywhere = context.mentions(variable, context.body.start, context.body.end)
    return len(everywhere) - len(inside) == 1
