# SPDX-License-Identifier: GPL-2.0
"""The edits that make a window a scope, and words for what only a person can decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.c.expression import (
    Call,
    canonical,
)
from hotcocci.c.source import COMMENT, NAME, arguments_in
from hotcocci.c.syntax import Statement
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import LIMIT, TAB, call, columns, deeper, padding, squeeze
from hotcocci.rewrite.window import SCOPE
from hotcocci.rules.ua103_older_window.classic import Classic, dead
from hotcocci.windows.events import argument

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
