# SPDX-License-Identifier: GPL-2.0
"""Decide whether a scope can replace a begin and its ends, with the edits and the words for what only a person can decide."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.c.expression import (
    Call,
    Expr,
    Index,
    Literal,
    Name,
    assigned,
    canonical,
    walk,
)
from hotcocci.c.source import COMMENT, NAME, arguments_in
from hotcocci.c.syntax import LOOPS, Statement, declarations, enclosing
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import LIMIT, TAB, call, columns, deeper, padding, squeeze
from hotcocci.rewrite.window import SCOPE, Instead, Refusal
from hotcocci.rules.ua103_older_window.classic import Classic, dead
from hotcocci.rules.ua103_older_window.range_checks import accesses as range_accesses
from hotcocci.rules.ua103_older_window.scope_pointers import (
    Pointers,
    elsewhere,
    moved,
    parts,
    pointers,
    unchecked_caller,
)
from hotcocci.windows.events import BEGINS, accessor_of, argument

ZEROED = "where the begin failed, {} may now be written"
COPIED = "{0} is advanced in the scope, as {1}"

# What a person must decide
WORK = "line {} runs before a bad {} is found: acceptable?"
NEAR = "a scope only masks {1}: is {0} always near it?"
RELIED = "what uses {} from line {} on may rely on this range check: does it?"


def as_scope(
    window: Classic, direction: str, skipped: bool, context: Context
) -> Instead | Refusal:
    """The edits that make a window a scope of this direction, or the first condition it fails.

    ``skipped``: the window may be left without an access.
    """
    source = context.source
    opened = argument(window.begin.call, 0)
    if not isinstance(opened, Name):
        return Refusal("pointer-not-name", source.line_of(window.begin.call.start))
    refused = _form(window, context) or _jumps(window, context)
    found = refused or pointers(window, opened.text, context)
    if isinstance(found, Refusal):
        return found
    refused = _order(window, context) or _after(window, found, context)
    if refused is not None:
        return refused
    pointer = found.masked
    at = moved(window, pointer, context)
    renamed = f"_{pointer}" if at is not None else ""
    first = []
    if at is not None:
        type_ = declared_type(pointer, context)
        if type_ is None or renamed in context.identifiers:
            return Refusal("other-form", source.line_of(at))
        first = [f"{type_}{renamed} = {pointer};", ""]
    label = own_label(window, context)
    named = replace(window, target=label.text) if label is not None else window
    edits = [region(named, pointer, renamed, first, direction, context)]
    edits += ends(window, context)
    edits += [label] if label is not None else []
    decisions = tuple(_decisions(window, found, opened, skipped, context))
    notes = []
    if decisions or _varies(window) or not _straight(window, context):
        notes.append(LATER)
    notes += _zeroed(window, context)
    if renamed:
        notes.append(COPIED.format(pointer, renamed))
    name = SCOPE[direction] + (
        "_size" if size_of(window.begin.call, pointer, context) else ""
    )
    return Instead(
        f"use {name}()", tuple(edits), tuple(notes), decisions, decisions, "scope"
    )


def _decisions(
    window: Classic, found: Pointers, opened: Name, skipped: bool, context: Context
) -> Iterator[str]:
    """The ranges that the begin refuses and a scope does not, where the code does not show that nobody minds."""
    pointer, source = found.masked, context.source
    if skipped:
        yield SKIPPED.format(pointer)
    if _varies(window) and not _straight(window, context):
        yield PARTLY
    work = _work(window, context)
    if work is not None:
        yield WORK.format(source.line_of(work), pointer)
    for other in found.near:
        yield NEAR.format(other, pointer)
    relied = _relied_on(window, opened, context)
    if relied is not None:
        yield RELIED.format(pointer, source.line_of(relied))


def _form(window: Classic, context: Context) -> Refusal | None:
    source = context.source
    start = window.begin.statement.start
    if not window.accesses:
        return Refusal("other-form", source.line_of(start))
    if source.has_directive(start, window.end.end):
        return Refusal("ifdef", source.line_of(start))
    for token in source.code_between(window.begin.statement.end, window.stop):
        word = token.text
        if token.kind == NAME and (
            word.startswith(("asm", "__asm")) or "cmpxchg" in word
        ):
            return Refusal("assembly", source.line_of(token.start))
    comments = source.tokens_between(start, window.begin.statement.end)
    if any(t.kind == COMMENT for t in comments):
        return Refusal("other-form", source.line_of(start))
    for statement in (window.end, window.fault, *window.early):
        line = whole_line(statement, context)
        if source.of(line).strip() != source.of(statement).strip():
            return Refusal("other-form", source.line_of(statement.start))
    if not window.kept and any(
        t.kind == NAME and t.text == window.label and not window.holds(t.start)
        for t in context.tokens
        if t.start != labelled(window).start
    ):
        return Refusal("other-form", source.line_of(window.fault.start))
    return None


def _jumps(window: Classic, context: Context) -> Refusal | None:
    """Refuse labels in the window, and breaks and continues that lead out of it."""
    for statement in context.function.statements:
        if not window.holds(statement.start):
            continue
        loops = {"break": (*LOOPS, "switch"), "continue": LOOPS}.get(statement.kind)
        around = [s for s in enclosing(statement) if window.holds(s.start)]
        outward = loops is not None and not any(s.kind in loops for s in around)
        cased = statement.kind in ("case", "default") and not any(
            s.kind == "switch" for s in around
        )
        if outward or cased or statement.kind == "label":
            return Refusal("jumps-inside", context.line(statement))
    return None


def _order(window: Classic, context: Context) -> Refusal | None:
    """Refuse an index that need not begin at the pointer, as only that is masked."""
    for access in window.accesses:
        accessor = accessor_of(access)
        place = argument(access, accessor.pointer) if accessor is not None else None
        for part in walk(place) if place is not None else ():
            if isinstance(part, Index) and not _ascends(part.index, window, context):
                return Refusal("index-jumps", context.line(access))
    return None


def _work(window: Classic, context: Context) -> int | None:
    """The first store or call before the first access; None if there is none."""
    first = min(call.start for call in window.accesses)
    for part in parts(window, context):
        if part.start > first:
            break
        for inner in walk(part):
            memory = [
                e for e in assigned(inner) if not isinstance(e, Name) and inner is part
            ]
            called = isinstance(inner, Call) and inner.end <= first
            if memory or called:
                return inner.start
    return None


def _varies(window: Classic) -> bool:
    """Whether the size of the range is only known at run time."""
    size = argument(window.begin.call, 1)
    return size is None or any(isinstance(part, Name) for part in walk(size))


def _ascends(index: Expr, window: Classic, context: Context) -> bool:
    """Whether an index is a constant, or counts up from 0 in a loop in the window."""
    if isinstance(index, Literal):
        return True
    if not isinstance(index, Name):
        return False
    head = rf"for \({re.escape(index.text)} = 0; [^;]*; {re.escape(index.text)}\+\+\)"
    body = context.source.text[window.begin.statement.end : window.stop]
    return re.search(head, body) is not None


def _after(window: Classic, found: Pointers, context: Context) -> Refusal | None:
    """Refuse if the window declares or changes what is used after it."""
    source, block = context.source, window.begin.statement.parent
    assert block is not None
    names_ = {
        t.text
        for tokens in declarations(source, block)
        if window.holds(tokens[0].start)
        for t in tokens
        if t.kind == NAME
    }
    changed = moved(window, found.masked, context) is not None
    if changed or len(window.begin.calls) > 1:
        names_.add(found.masked)
    later = source.code_between(window.end.end, context.body.end)
    used = next((t for t in later if t.text in names_), None)
    looped = changed and any(s.kind in LOOPS for s in enclosing(window.end))
    if used is not None or looped:
        at = used.start if used is not None else window.end.start
        return Refusal("used-after", source.line_of(at))
    return None


def _relied_on(window: Classic, pointer: Name, context: Context) -> int | None:
    """The place where code after the window, or a caller, may rely on its range check; None without."""
    checked = [a for a in range_accesses(context) if not a.unchecked]
    allowed = [(a.pointer.start, a.pointer.end) for a in checked]
    allowed.append((window.begin.statement.start, window.stop))
    allowed += [
        (part.start, part.end)
        for _, part in context.graph.expressions()
        if part.callee in BEGINS
    ]
    start = next(b for b in context.graph.blocks if b.holds(pointer.start))
    found = elsewhere(pointer, start, allowed, context)
    return unchecked_caller(context) if found is None else found


def _zeroed(window: Classic, context: Context) -> Iterator[str]:
    """A note on the first destination that outlives the function: a fault may zero it."""
    for access in window.accesses:
        value = argument(access, 0)
        if "get" not in access.callee:
            continue
        if value is not None and not context.is_local(value):
            yield ZEROED.format(squeeze(context.of(value)))
            return


def _straight(window: Classic, context: Context) -> bool:
    """Whether the window is a sequence of accesses, all of which are always made."""
    block = window.begin.statement.parent
    inside = (
        [s for s in block.children if window.holds(s.start)]
        if block is not None
        else []
    )
    starts = {call.start for call in window.accesses}
    return all(s.kind == "expression" and s.start in starts for s in inside)


LATER = "memory outside user space is only refused when it is accessed"
SKIPPED = "if nothing is accessed, a bad {} no longer returns -EFAULT: acceptable?"
PARTLY = "a range that ends outside of user space is used up to there: acceptable?"

_ONE_LINE = re.compile(r"(?P<indent>\t+)(?P<name>unsafe_\w+)\((?P<arguments>.*)\);")


def declared_type(name: str, context: Context) -> str | None:
    """The type that a user pointer is declared with, up to its name: ``struct a __user *``."""
    type_ = context.types.get(name, "")
    return type_ if type_.endswith(" __user *") else None


def size_of(begin: Call, pointer: str, context: Context) -> str:
    """The size of a begin's range as written; empty if it is that of the object."""
    size = argument(begin, 1)
    text = context.of(size) if size is not None else ""
    declared = (declared_type(pointer, context) or "").partition(" __user")[0]
    objects = (f"*{pointer}", declared.removeprefix("const "))
    whole = {canonical(f"sizeof({each})") for each in objects}
    return "" if canonical(text) in whole else text


def _head(arguments: tuple[str, ...], name: str, indent: str) -> str:
    """The first lines of a scope; those of a size that spans lines stay as they are."""
    one = call(indent, name, tuple(map(squeeze, arguments)), " {")
    if not any("\n" in each for each in arguments):
        return one
    pointer, size, label = arguments
    first, *rest = size.split("\n")
    least = min(columns(line) - columns(line.lstrip()) for line in rest)
    pad = padding(columns(f"{indent}{name}("))
    moved = [pad + first, *(pad + line.expandtabs(TAB)[least:] for line in rest)]
    text = [f"{indent}{name}({pointer},", *moved]
    text[-1] += f", {label}) {{"
    fits = max(map(columns, text)) <= LIMIT
    return "\n".join(text) if fits else one


def region(
    window: Classic,
    pointer: str,
    copy: str,
    first: Sequence[str],
    direction: str,
    context: Context,
) -> Edit:
    """The scope in place of the begin, the code in the window and its end."""
    source, start = context.source, window.begin.statement.start
    indent = source.indent(start)
    size = size_of(window.begin.call, pointer, context)
    arguments = (pointer, size, window.target) if size else (pointer, window.target)
    name = SCOPE[direction] + ("_size" if size else "")
    lines = [_head(arguments, name, indent).removeprefix(indent)]
    inner = deeper(indent, context.unit)
    lines += [f"{inner}{line}" if line else "" for line in first]
    lines += list(_body(window, pointer, copy, context))
    lines.append(f"{indent}}}")
    if window.stop != window.end.start:
        # The end has a label, which stays.
        stop = source.text.rfind("\n", 0, window.stop) + 1
        return Edit(start, stop, "\n".join(lines) + "\n")
    return Edit(start, window.end.end, "\n".join(lines))


def _body(window: Classic, pointer: str, copy: str, context: Context) -> Iterator[str]:
    """The lines of the window, one level deeper, with the scope's label."""
    source = context.source
    start, stop = window.begin.statement.end, window.stop
    new = {window.label: window.target, pointer: copy or pointer}
    changes = [edit for each in window.early for edit in _without(each, context)]
    tokens = source.code_between(start, stop)
    for before, token in zip((None, *tokens), tokens):
        member = before is not None and before.text in (".", "->")
        if token.kind == NAME and token.text in new and not member:
            changes.append(Edit(token.start, token.end, new[token.text]))
    text, last = "", start
    for change in sorted(changes, key=lambda edit: edit.start):
        text += source.text[last : change.start] + change.text
        last = change.end
    text += source.text[last:stop]
    for line in text.strip("\n\t ").split("\n"):
        indent = source.indent(window.begin.statement.start)
        yield from _line(line, indent, context.unit)


def _without(end: Statement, context: Context) -> Iterator[Edit]:
    """Remove the line of an early end, and the braces of its branch if one line is left in them."""
    source, block = context.source, end.parent
    yield whole_line(end, context)
    if block is None or block.kind != "block" or block.parent is None:
        return
    branch, rest = block.parent, [s for s in block.children if s is not end]
    inside = source.tokens_between(block.start, block.end)
    close = whole_line(block, context)
    close = replace(close, start=source.text.rfind("\n", 0, block.end) + 1)
    if (
        branch.kind == "if"
        and branch.children == [block]
        and [s.kind for s in rest] in (["return"], ["goto"])
        and "\n" not in source.of(rest[0])
        and not any(token.kind == COMMENT for token in inside)
        and source.text[close.start : close.end].strip() == "}"
    ):
        head = source.code_between(branch.start, block.start)[-1].end
        yield Edit(head, block.start + 1, "")
        yield close


def _line(line: str, indent: str, unit: str) -> list[str]:
    """A line indented one level deeper; a call is only wrapped beyond 100 columns, as it would hide that nothing else changed."""
    if not line.strip():
        return [""]
    first = unit if line.startswith(("\t", " ")) else deeper(indent, unit)
    moved = first + line
    if " \t" in moved[: -len(moved.lstrip())]:
        moved = padding(columns(moved) - columns(moved.lstrip())) + moved.lstrip()
    match = _ONE_LINE.fullmatch(moved)
    if match is None or columns(moved) <= LIMIT:
        return [moved]
    given = tuple(arguments_in(match["arguments"]))
    return call(match["indent"], match["name"], given).split("\n")


def ends(window: Classic, context: Context) -> list[Edit]:
    """Remove labelled ends, and the fault label if it is not needed any more."""
    made = [whole_line(window.fault, context)]
    if not window.kept:
        first = context.source.text.rfind("\n", 0, labelled(window).start) + 1
        made = [replace(made[0], start=first)]
        tail = dead(window)
        if tail:
            stop = whole_line(tail[-1], context).end
            made = [replace(made[0], start=_blank_before(first, context), end=stop)]
    if window.stop != window.end.start and window.end is not window.fault:
        made.append(whole_line(window.end, context))
    return made


def own_label(window: Classic, context: Context) -> Edit | None:
    """A new name for a label that says "end" and has ended the window, if nothing else uses it."""
    label, start = window.label, labelled(window).start
    if window.target != label or "end" not in label.split("_"):
        return None
    tokens = [t for t in context.tokens if t.kind == NAME and t.text == label]
    if not all(window.holds(t.start) or t.start == start for t in tokens):
        return None
    name = "out" if window.end is window.fault else "efault"
    taken = name in context.identifiers
    return Edit(start, start + len(label), name) if not taken else None


def whole_line(statement: Statement, context: Context) -> Edit:
    """Remove the line of a statement."""
    text = context.source.text
    first = text.rfind("\n", 0, statement.start) + 1
    return Edit(first, text.find("\n", statement.end) + 1, "")


def _blank_before(at: int, context: Context) -> int:
    """The start of the blank lines before an offset."""
    return len(context.source.text[:at].rstrip("\n\t ")) + 1


def labelled(window: Classic) -> Statement:
    assert window.fault.parent is not None
    return window.fault.parent
