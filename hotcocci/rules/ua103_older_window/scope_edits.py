# SPDX-License-Identifier: GPL-2.0
"""The edits that make a window a scope, also one around a call, and words for what only a person can decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Name,
    assigned,
    assignment,
    calls,
    canonical,
    is_hint,
)
from hotcocci.c.flow import Graph
from hotcocci.c.source import COMMENT, NAME, arguments_in
from hotcocci.c.syntax import Statement, condition, expression
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.declarations import remove_variable
from hotcocci.rewrite.labels import house_name
from hotcocci.rewrite.layout import LIMIT, TAB, call, columns, deeper, padding, squeeze
from hotcocci.rewrite.window import SCOPE, Instead, Refusal
from hotcocci.rules.ua103_older_window.classic import Begin, Classic, dead
from hotcocci.windows.events import ENDS, argument
from hotcocci.windows.shape import is_constant

LATER = "memory outside user space is only refused when it is accessed"
SKIPPED = "if nothing is accessed, a bad {} no longer returns -EFAULT: acceptable?"
PARTLY = "a range that ends outside of user space is used up to there: acceptable?"

_ONE_LINE = re.compile(r"(?P<indent>\t+)(?P<name>unsafe_\w+)\((?P<arguments>.*)\);")
MASKED = "{} gets the masked address, so that a bad one faults there"


def declared_type(name: str, context: Context) -> str | None:
    """The type that a user pointer is declared with, up to its name: ``struct a __user *``."""
    text = context.source.text[context.function.start : context.body.end]
    found = re.search(
        rf"(?:^|[(,;{{\n])\s*((?:const )?(?:struct |union )?(?:unsigned )?\w+ __user \*){re.escape(name)}\b",
        text,
    )
    return found[1] if found is not None else None


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


@dataclass(frozen=True)
class Around:
    """A window around a call: ``result`` takes its value, ``failed`` are the other assignments of the else.

    ``value`` is what the else sets ``result`` to, ``back`` the return of it, which ends the function.
    """

    begin: Begin
    called: Call
    result: str
    failed: tuple[str, ...]
    value: str
    back: Statement


def read_around(begin: Begin, context: Context) -> Around | None:
    """The window of a begin if it is around one call, and nothing follows but a return."""
    source, statement = context.source, begin.statement
    if statement.kind != "if" or len(statement.children) != 2:
        return None
    test = condition(source, statement)
    while is_hint(test):
        test = test.arguments[0]
    siblings = context.body.children
    if test != begin.call or siblings[-2:-1] != [statement]:
        return None
    back = siblings[-1]
    if back.kind != "return" or source.has_directive(statement.start, back.end):
        return None
    if any(t.kind == COMMENT for t in source.tokens_between(statement.start, back.end)):
        return None
    then, otherwise = statement.children
    inside = then.children if then.kind == "block" else []
    if [s.kind for s in inside] != ["expression", "expression"]:
        return None
    made, end = (expression(source, s) for s in inside)
    name, called = assignment(made) or ("", None)
    if end.callee not in ENDS or not isinstance(called, Call):
        return None
    if expression(source, back).name != name:
        return None
    return _with_failure(begin, name, called, otherwise, back, context)


def _with_failure(
    begin: Begin,
    result: str,
    called: Call,
    otherwise: Statement,
    back: Statement,
    context: Context,
) -> Around | None:
    """The window, if its else only sets variables, and its result a constant."""
    source = context.source
    value, failed = None, []
    for statement in otherwise.children if otherwise.kind == "block" else [otherwise]:
        if statement.kind != "expression":
            return None
        tree = expression(source, statement)
        if not isinstance(tree, Binary) or tree.operator != "=" or calls(tree):
            return None
        text = source.of(tree.right)
        if tree.left.name == result:
            value = text
        else:
            failed.append(source.of(statement))
    # Another type might change what the call returns.
    if not any(t[0].text == "int" and declares(t, result) for t in context.declared):
        return None
    used = context.mentions(result, context.body.start, begin.statement.start)
    if value is None or not value.removeprefix("-").isidentifier() or len(used) != 1:
        return None
    return Around(begin, called, result, tuple(failed), value, back)


def as_call_scope(
    around: Around, direction: str, skipped: bool, graph: Graph, context: Context
) -> Instead | Refusal:
    """The edits that make a window around a call a scope that returns its value."""
    source, statement = context.source, around.begin.statement
    refused = Refusal("other-form", source.line_of(statement.start))
    given, size = argument(around.begin.call, 0), argument(around.begin.call, 1)
    pointer = given.operand if isinstance(given, Cast) else given
    if given is None or size is None or not isinstance(pointer, Name):
        return refused
    if any(
        target.name == pointer.text
        for _, part in graph.expressions()
        for target in assigned(part)
    ):
        return refused
    label = house_name(context)
    name = pointer.text if pointer is given else f"u{pointer.text}"
    taken = pointer is not given and name in context.identifiers
    if taken or label in context.labels or not _is_number(pointer, given, context):
        return refused
    returned = squeeze(_renamed(around.called, pointer.text, name, context))
    indent = source.indent(statement.start)
    length = size_of(around.begin.call, name, context)
    arguments = (name, squeeze(length), label) if length else (name, label)
    scope = SCOPE[direction] + ("_size" if length else "")
    lines = [
        call(indent, scope, arguments, "").removeprefix(indent),
        f"{deeper(indent, context.unit)}return {returned};",
        "",
        f"{label}:",
        *(f"{indent}{each}" for each in around.failed),
        f"{indent}return {around.value};",
    ]
    if max(map(columns, lines)) > LIMIT:
        return refused
    edits = [Edit(statement.start, around.back.end, "\n".join(lines))]
    edits += _declared_pointer(around, given, pointer, name, context)
    decisions: tuple[str, ...] = (SKIPPED.format(name),) if skipped else ()
    decisions += () if is_constant(size) else (PARTLY,)
    function = around.called.function
    notes = (LATER, MASKED.format(f"{source.of(function)}()"))
    return Instead(f"use {scope}()", tuple(edits), notes, decisions, decisions, "scope")


def _is_number(pointer: Name, given: Expr, context: Context) -> bool:
    """Whether a cast is of an ``unsigned long``, as the call's arguments are afterwards."""
    if pointer is given:
        return True
    header = context.source.text[context.function.start : context.body.start]
    declared = rf"\bunsigned long\s+{re.escape(pointer.text)}\b"
    return re.search(declared, header) is not None


def _renamed(called: Expr, old: str, new: str, context: Context) -> str:
    """The text of a call that gets the masked address."""
    text, last = "", called.start
    for token in context.source.code_between(called.start, called.end):
        if old != new and token.kind == NAME and token.text == old:
            text += context.source.text[last : token.start] + f"(unsigned long){new}"
            last = token.end
    return text + context.source.text[last : called.end]


def _declared_pointer(
    around: Around, given: Expr, pointer: Name, name: str, context: Context
) -> list[Edit]:
    """Declare the pointer of the scope in place of the result, which is not needed any more."""
    removed = remove_variable(around.result, (), context)
    if pointer is given:
        return removed
    source = context.source
    new = f"void __user *{name} = {source.of(given)};"
    first = min(tokens[0].start for tokens in context.declared)
    for tokens in context.declared:
        if len(tokens) == 3 and tokens[1].text == around.result:
            return [Edit(tokens[0].start, tokens[-1].end, new)]
    line = source.text.rfind("\n", 0, first) + 1
    return [Edit(line, line, f"\t{new}\n"), *removed]
