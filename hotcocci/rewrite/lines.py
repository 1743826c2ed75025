# SPDX-License-Identifier: GPL-2.0
"""The text of a window line by line: its begin and end, and the code and comments between its accesses."""

from __future__ import annotations

from hotcocci.c.source import COMMENT
from hotcocci.c.syntax import branches
from hotcocci.findings import READ, WRITE, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import call, deeper, reindent, width_of
from hotcocci.rewrite.options import MASKED, SCOPED
from hotcocci.rewrite.statements import RunStatement
from hotcocci.rewrite.window import BEGIN, END, SCOPE, Window

NAMES = {READ: "unsafe_get_user", WRITE: "unsafe_put_user"}


class Lines:
    """The new text of a region, line by line."""

    def __init__(self, context: Context, indent: str) -> None:
        self.context = context
        self.outer = indent
        self.indent = indent
        self.lines: list[str] = []

    def add(self, text: str) -> None:
        self.lines.append(text)

    def call(self, name: str, arguments: tuple[str, ...]) -> None:
        """Add a call, in the width of the lines of the file."""
        width = width_of(self.context.source.text)
        self.add(call(self.indent, name, arguments, width=width))

    def statements(self, statements: tuple[str, ...], indent: str) -> None:
        for statement in statements:
            self.add(indent + statement)

    def unless(
        self,
        head: str,
        test: str,
        arguments: tuple[str, ...],
        on_fault: tuple[str, ...],
    ) -> None:
        """Add ``if (!test(arguments))`` and the exit statements, in braces only if needed."""
        several = len(on_fault) > 1
        ending = ") {" if several else ")"
        self.add(call(f"{self.indent}{head} (!", test, arguments, ending))
        self.statements(on_fault, deeper(self.indent, self.context.unit))
        if several:
            self.add(f"{self.indent}}}")


def blank_before(statement: RunStatement, context: Context) -> bool:
    """Whether a blank line precedes a statement."""
    source = context.source
    return statement.line > 1 and not source.line(statement.line - 1).strip()


def without_lines(start: int, end: int, context: Context) -> Edit:
    """Remove the lines of a statement, and a blank line after them that would open a block or be a second."""
    text = context.source.text
    first, after = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1
    doubled = text[:first].rstrip(" \t").endswith(("\n\n", "{\n"))
    return Edit(first, after + (doubled and text[after : after + 1] == "\n"), "")


def comments(out: Lines, context: Context, start: int, end: int) -> None:
    """Keep the comments between two pieces of code: on the line they follow, or on lines before."""
    source = context.source
    for token in source.tokens_between(start, end):
        if token.kind != COMMENT:
            continue
        same_line = source.line_of(token.start) == source.line_of(max(start - 1, 0))
        if same_line and out.lines and start != token.start:
            gap = source.text[source.text.rfind(token.text, 0, token.end) - 1]
            out.lines[-1] += (gap if gap in " \t" else " ") + token.text
        else:
            old = source.indent(token.start)
            out.add(out.indent + reindent(token.text, old, out.indent))


def intermediate(
    out: Lines, statement: RunStatement, direction: str | None, context: Context
) -> None:
    """Emit a statement between accesses; an early exit closes the open window itself."""
    source = context.source
    old = source.indent(statement.start)
    text = reindent(source.of(statement), old, out.indent)
    if statement.exit is None or direction is None or context.options.api == SCOPED:
        out.add(out.indent + text)
        return
    then, _ = branches(statement.syntax)
    head = source.text[statement.start : then.start].rstrip()
    body = source.of(statement.exit) if statement.exit else ""
    inner = deeper(out.indent, context.unit)
    out.add(f"{out.indent}{head} {{")
    out.add(f"{inner}{END[direction]}();")
    for line in body.splitlines():
        out.add(f"{inner}{line.strip()}")
    out.add(f"{out.indent}}}")


def begin(out: Lines, window: Window, context: Context) -> None:
    """Emit the statement that opens a window; the code after it is inside."""
    base, size, direction = window.part or window.base, window.size, window.direction
    fault, on_fault = window.label.name, window.exits.on_fault
    if window.exits.preset:
        out.add(f"{out.indent}{window.exits.preset}")
    if context.options.api == SCOPED:
        arguments = (base, size, fault) if size else (base, fault)
        name = SCOPE[direction] + ("_size" if size else "")
        out.add(call(out.indent, name, arguments, " {"))
        out.indent = deeper(out.outer, context.unit)
        return
    begin, arguments = BEGIN[direction], (base, size or f"sizeof(*{base})")
    if context.options.api == MASKED:
        out.add(f"{out.indent}if (can_do_masked_user_access())")
        inner = deeper(out.indent, context.unit)
        out.add(f"{inner}{base} = masked_user_access_begin({base});")
        out.unless("else if", begin, arguments, on_fault)
        return
    out.unless("if", begin, arguments, on_fault)


def finish(out: Lines, direction: str, context: Context) -> None:
    """Emit the statement that closes a window."""
    out.indent = out.outer
    if context.options.api == SCOPED:
        out.add(f"{out.indent}}}")
    else:
        out.add(f"{out.indent}{END[direction]}();")
