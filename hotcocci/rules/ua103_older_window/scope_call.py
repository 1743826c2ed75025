# SPDX-License-Identifier: GPL-2.0
"""Make ``if (begin(p, n)) { err = f(p); end(); } else { err = -EFAULT; } return err;`` a scope.

The accesses are in the called function, as in arch/powerpc/lib/sstep.c; the scope returns what it returns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Name,
    assigned,
    calls,
    is_hint,
)
from hotcocci.c.flow import Graph
from hotcocci.c.source import COMMENT, NAME
from hotcocci.c.syntax import Statement, condition, expression
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.declarations import remove_variable
from hotcocci.rewrite.labels import house_name
from hotcocci.rewrite.layout import LIMIT, call, columns, squeeze, deeper
from hotcocci.rewrite.window import SCOPE, Refusal
from hotcocci.rules.ua103_older_window.classic import Begin
from hotcocci.rules.ua103_older_window.found import Change
from hotcocci.rules.ua103_older_window.scope import LATER, PARTLY, SKIPPED
from hotcocci.rules.ua103_older_window.scope_edits import size_of
from hotcocci.windows.events import argument, is_constant
from hotcocci.windows.vocabulary import ENDS

MASKED = "{} gets the masked address, so that a bad one faults there"


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
    if not (isinstance(end, Call) and isinstance(end.function, Name)):
        return None
    if end.function.text not in ENDS or not isinstance(made, Binary):
        return None
    if made.operator != "=" or not isinstance(made.left, Name):
        return None
    returned = expression(source, back)
    if not isinstance(returned, Name) or returned.text != made.left.text:
        return None
    if not isinstance(made.right, Call):
        return None
    return _with_failure(begin, made.left.text, made.right, otherwise, back, context)


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
        text = source.text[tree.right.start : tree.right.end]
        if isinstance(tree.left, Name) and tree.left.text == result:
            value = text
        else:
            failed.append(source.text[statement.start : statement.end])
    # Another type might change what the call returns.
    if not any(t[0].text == "int" and declares(t, result) for t in context.declared):
        return None
    used = context.mentions(result, context.body.start, begin.statement.start)
    if value is None or not value.removeprefix("-").isidentifier() or len(used) != 1:
        return None
    return Around(begin, called, result, tuple(failed), value, back)


def as_call_scope(
    around: Around, direction: str, skipped: bool, graph: Graph, context: Context
) -> Change | Refusal:
    """The edits that make a window around a call a scope that returns its value."""
    source, statement = context.source, around.begin.statement
    refused = Refusal("other-form", source.line_of(statement.start))
    given, size = argument(around.begin.call, 0), argument(around.begin.call, 1)
    pointer = given.operand if isinstance(given, Cast) else given
    if given is None or size is None or not isinstance(pointer, Name):
        return refused
    if any(
        isinstance(target, Name) and target.text == pointer.text
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
    edits += _declared(around, given, pointer, name, context)
    decisions = [SKIPPED.format(name)] if skipped else []
    decisions += [] if is_constant(size) else [PARTLY]
    function = around.called.function
    notes = (
        LATER,
        MASKED.format(f"{source.text[function.start : function.end]}()"),
    )
    return Change(tuple(edits), f"use {scope}()", "scope", notes, tuple(decisions))


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


def _declared(
    around: Around, given: Expr, pointer: Name, name: str, context: Context
) -> list[Edit]:
    """Declare the pointer of the scope in place of the result, which is not needed any more."""
    removed = remove_variable(around.result, context)
    if pointer is given:
        return removed
    source = context.source
    new = f"void __user *{name} = {source.text[given.start : given.end]};"
    first = min(tokens[0].start for tokens in context.declared)
    for tokens in context.declared:
        if len(tokens) == 3 and tokens[1].text == around.result:
            return [Edit(tokens[0].start, tokens[-1].end, new)]
    line = source.text.rfind("\n", 0, first) + 1
    return [Edit(line, line, f"\t{new}\n"), *removed]
