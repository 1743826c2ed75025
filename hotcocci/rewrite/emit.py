# SPDX-License-Identifier: GPL-2.0
"""The edits that turn runs into windows.

Neighbouring windows that share a statement (two bases in one ``||`` chain) are written
as one region, so each of them carries the same edit.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.findings import READ, WRITE, Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loop_conditions import LoopWindow
from hotcocci.rewrite.loops import Loop
from hotcocci.rewrite.layout import call, reindent, squeeze
from hotcocci.rewrite.source import COMMENT, Token, apply
from hotcocci.rewrite.conditions import guards_more
from hotcocci.rewrite.steps import Operand, Step, UserAccess, range_check
from hotcocci.rewrite.expression import canonical, parse_range
from hotcocci.rewrite.syntax import Statement, block_of, branches, declarations
from hotcocci.rewrite.window import BEGIN, CLASSIC, END, MASKED, SCOPE, SCOPED, Window


@dataclass(frozen=True)
class Labelled:
    """A window and the label its faults go to, which may be one that exists."""

    window: Window
    label: str
    existing: bool = False


_NAMES = {READ: "unsafe_get_user", WRITE: "unsafe_put_user"}


def edits(group: list[Labelled], context: Context) -> tuple[Edit, ...]:
    """All edits of windows that share statements: the region, labels, variables."""
    made = [_region(group, context)]
    for labelled in group:
        made += _label(labelled, context)
        made += _declared(labelled.window, context)
        made += _without_variable(labelled.window.removed, context)
    return tuple(made)


# The region


class _Lines:
    """The new text of a region, a line at a time."""

    def __init__(self, context: Context, indent: str) -> None:
        self.context = context
        self.outer = indent
        self.indent = indent
        self.lines: list[str] = []

    def add(self, text: str) -> None:
        self.lines.append(text)

    def statements(self, statements: tuple[str, ...], indent: str) -> None:
        for statement in statements:
            self.add(indent + statement)

    def unless(self, head: str, test: str, arguments: tuple[str, ...], leave: tuple[str, ...]) -> None:
        """``if (!test(arguments)) leave;`` with braces only where they are needed."""
        several = len(leave) > 1
        ending = ") {" if several else ")"
        self.add(call(f"{self.indent}{head} (!", test, arguments, ending))
        self.statements(leave, self.indent + "\t")
        if several:
            self.add(f"{self.indent}}}")


def _region(group: list[Labelled], context: Context) -> Edit:
    source = context.source
    first = min(g.window.begin for g in group)
    last = max(g.window.stop for g in group)
    line = group[0].window.run.line
    dropped = {i for g in group for i in g.window.dropped}
    out = _Lines(context, source.indent(line[first].start))
    owner = {id(a): g for g in group for a in g.window.run.accesses}
    remaining = {id(g): len(g.window.run.accesses) for g in group}
    opened: Labelled | None = None
    position = line[first].start
    for index in range(first, last + 1):
        step = line[index]
        _comments(out, context, position, step.start)
        position = step.end
        if index in dropped:
            continue
        if not step.accesses:
            _gap(out, step, opened.window.direction if opened else None, context)
            continue
        others: list[Operand] = []
        inner = step.operands[0].start
        for operand in step.operands:
            holder = owner.get(id(operand.access)) if operand.access else None
            if holder is None:
                if not _is_checked_base(operand, group, context):
                    others.append(operand)
                continue
            if holder is not opened:
                _chain(out, others, step, context)
                others = []
                _open(out, holder, context)
                opened = holder
            _comments(out, context, inner, operand.start)
            assert operand.access is not None
            _access(out, operand.access, holder, context)
            inner = operand.end
            remaining[id(holder)] -= 1
            if remaining[id(holder)] == 0:
                _close(out, holder, context)
                opened = None
        _chain(out, others, step, context)
    for labelled in group:
        out.statements(labelled.window.tail, out.outer)
    text = "\n".join(out.lines)
    return Edit(line[first].start, line[last].end, text[len(out.outer) :])


def _comments(out: _Lines, context: Context, start: int, end: int) -> None:
    """Comments between two pieces of code: behind the line they ended, or before."""
    source = context.source
    for token in source.tokens_between(start, end):
        if token.kind != COMMENT:
            continue
        same_line = source.line_of(token.start) == source.line_of(max(start - 1, 0))
        if same_line and out.lines and start != token.start:
            out.lines[-1] += " " + token.text
        else:
            old = source.indent(token.start)
            out.add(out.indent + reindent(token.text, old, out.indent))


def _gap(out: _Lines, step: Step, direction: str | None, context: Context) -> None:
    """A statement between accesses; an early exit closes the open window itself."""
    source = context.source
    old = source.indent(step.start)
    text = reindent(source.text[step.start : step.end], old, out.indent)
    if step.exit is None or direction is None or context.options.api == SCOPED:
        out.add(out.indent + text)
        return
    then, _ = branches(step.node)
    head = source.text[step.start : then.start].rstrip()
    body = source.text[step.exit.start : step.exit.end] if step.exit else ""
    out.add(f"{out.indent}{head} {{")
    out.add(f"{out.indent}\t{END[direction]}();")
    for line in body.splitlines():
        out.add(f"{out.indent}\t{line.strip()}")
    out.add(f"{out.indent}}}")


def _is_checked_base(operand: Operand, group: list[Labelled], context: Context) -> bool:
    """Whether an operand is an access_ok() for a run whose window checks the same."""
    source = context.source
    pointer = range_check(parse_range(source, operand.start, operand.end))
    if pointer is None:
        return False
    key = canonical(source.text[pointer.start : pointer.end])
    return any(
        g.window.run.accesses[0].base.key == key and not guards_more(g.window.run, context)
        for g in group
    )


def _chain(out: _Lines, operands: list[Operand], step: Step, context: Context) -> None:
    """The operands of a chain that stay outside every window."""
    if not operands:
        return
    # The operands keep their columns behind "if (", so their layout is kept too.
    test = context.source.text[operands[0].start : operands[-1].end]
    leave = _leave(step, context)
    several = len(leave) > 1
    out.add(f"{out.indent}if ({test})" + (" {" if several else ""))
    out.statements(leave, out.indent + "\t")
    if several:
        out.add(f"{out.indent}}}")


def _leave(step: Step, context: Context) -> tuple[str, ...]:
    if step.exit is None:
        return ("return -EFAULT;",)
    text = context.source.text[step.exit.start : step.exit.end]
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _open(out: _Lines, labelled: Labelled, context: Context) -> None:
    window = labelled.window
    for hoist in window.hoists:
        out.add(f"{out.indent}{hoist.assignment}")
    fault = labelled.label
    _begin(out, window.base, window.size, window.direction, fault, window.leave, context)


def _begin(
    out: _Lines,
    base: str,
    size: str | None,
    direction: str,
    fault: str,
    leave: tuple[str, ...],
    context: Context,
) -> None:
    """The statement that opens a window; what follows is inside."""
    if context.options.api == SCOPED:
        arguments = (base, size, fault) if size else (base, fault)
        name = SCOPE[direction] + ("_size" if size else "")
        out.add(call(out.indent, name, arguments, " {"))
        out.indent = out.outer + "\t"
        return
    begin, arguments = BEGIN[direction], (base, size or f"sizeof(*{base})")
    if context.options.api == MASKED:
        out.add(f"{out.indent}if (can_do_masked_user_access())")
        out.add(f"{out.indent}\t{base} = masked_user_access_begin({base});")
        out.unless("else if", begin, arguments, leave)
        return
    out.unless("if", begin, arguments, leave)


def _close(out: _Lines, labelled: Labelled, context: Context) -> None:
    _finish(out, labelled.window.direction, context)


def _finish(out: _Lines, direction: str, context: Context) -> None:
    """The statement that closes a window."""
    out.indent = out.outer
    if context.options.api == SCOPED:
        out.add(f"{out.indent}}}")
    else:
        out.add(f"{out.indent}{END[direction]}();")


def _access(out: _Lines, access: UserAccess, labelled: Labelled, context: Context) -> None:
    window = labelled.window
    value = squeeze(context.source.text[access.value.start : access.value.end])
    for hoist in window.hoists:
        if hoist.end and (hoist.start, hoist.end) == (access.value.start, access.value.end):
            value = hoist.name
    pointer = _pointer(access, window, context)
    out.add(call(out.indent, _NAMES[access.direction], (value, pointer, labelled.label)))


def _pointer(access: UserAccess, window: Window, context: Context) -> str:
    text = context.source.text
    base = access.base
    if base.place == bases.STEP:
        index = [a for a in window.run.accesses].index(access)
        return window.base if index == 0 else f"&{window.base}[{index}]"
    if base.kind == bases.PLAIN:
        return squeeze(text[access.pointer.start : access.pointer.end])
    before = text[access.pointer.start : base.expr.start]
    after = text[base.expr.end : access.pointer.end]
    return squeeze(before + window.base + after)


# Loops


def loop_edits(window: LoopWindow, fault: str, context: Context) -> tuple[Edit, ...]:
    """All edits of a window around a loop."""
    source, loop = context.source, window.loop
    out = _Lines(context, source.indent(loop.node.start))
    body_indent = out.outer
    if window.skip:
        out.add(f"{out.indent}if ({window.skip}) {{")
        out.outer = out.indent = out.indent + "\t"
    _begin(out, window.base, window.size, window.direction, fault, window.leave, context)
    old = source.indent(loop.node.start)
    out.add(out.indent + reindent(_loop_text(window, fault, context), old, out.indent))
    _finish(out, window.direction, context)
    if window.skip:
        out.outer = out.indent = body_indent
        out.add(f"{out.indent}}}")
    if window.advance:
        out.add(f"{out.indent}{window.base} += {window.count.text};")
    end = loop.node.end
    if window.takes_after and loop.after is not None:
        end = loop.after.end
    out.statements(window.tail, out.indent)
    text = "\n".join(out.lines)
    made = [Edit(loop.node.start, end, text[len(body_indent) :])]
    made += _label_edits(fault, window.direction, window.leave, context)
    made += _without_variable(window.removed, context)
    return tuple(made)


def _loop_text(window: LoopWindow, fault: str, context: Context) -> str:
    """The loop with its accesses unsafe, at the indentation it had.

    Everything else in it stays as it is: declarations, comments, blank lines. Braces go
    where a single statement is left that they held an if for.
    """
    source, loop = context.source, window.loop
    out = _Lines(context, source.indent(loop.run.line[0].start))
    inner: list[Edit] = []
    for step in loop.run.line:
        out.lines = []
        if step.accesses:
            for access in step.accesses:
                out.add(_loop_access(out.indent, access, window, fault, context))
        elif step.exit is not None:
            _gap(out, step, window.direction, context)
        else:
            continue
        text = "\n".join(out.lines)
        inner.append(Edit(step.start, step.end, text[len(out.indent) :]))
    declared = [d for d in context.declared if d[-1].end <= loop.run.line[0].start]
    if inner and declared and declared[-1][0].start > loop.body.start:
        first, last = loop.run.line[0], declared[-1][-1]
        if inner[0].start == first.start and source.line_of(last.end) + 1 == first.line:
            inner.insert(0, Edit(last.end, last.end, "\n"))
    start, end = loop.node.start, loop.node.end
    if loop.body.kind == "block" and _is_bare(loop, context):
        head = source.text[start : loop.body.start].rstrip()
        step = loop.run.line[0]
        return f"{head}\n{out.indent}{inner[0].text}"
    shifted = tuple(Edit(e.start - start, e.end - start, e.text) for e in inner)
    text = apply(source.text[start:end], shifted)
    if loop.body.kind != "block" and len(loop.run.accesses) > 1:
        # for (…) if (a || b) return: two statements now, so they need braces.
        head = source.text[start : loop.body.start].rstrip()
        return f"{head} {{\n{out.indent}{inner[0].text}\n{source.indent(start)}}}"
    return text


def _is_bare(loop: Loop, context: Context) -> bool:
    """Whether a block holds one access and nothing else."""
    if len(loop.run.line) != 1 or len(loop.run.accesses) != 1:
        return False
    step = loop.run.line[0]
    around = [
        *context.source.tokens_between(loop.body.start + 1, step.start),
        *context.source.tokens_between(step.end, loop.body.end - 1),
    ]
    return not around


def _loop_access(
    indent: str, access: UserAccess, window: LoopWindow, fault: str, context: Context
) -> str:
    text = context.source.text
    pointer = squeeze(text[access.pointer.start : access.pointer.end])
    if access.base.place == bases.STEP:
        pointer = f"&{window.base}[{window.count.variable}]"
    value = squeeze(text[access.value.start : access.value.end])
    return call(indent, _NAMES[access.direction], (value, pointer, fault))


# The label


def _label(labelled: Labelled, context: Context) -> list[Edit]:
    window = labelled.window
    if labelled.existing:
        return []
    return _label_edits(labelled.label, window.direction, window.leave, context)


def _label_edits(
    name: str, direction: str, leave: tuple[str, ...], context: Context
) -> list[Edit]:
    """The fault label at the end of the function, closing the window it left."""
    source, body = context.source, context.body
    place = source.line_starts[source.line_of(body.end - 1) - 1]
    made = []
    if _falls_through(body.children[-1]) and _is_void(context):
        made.append(Edit(place, place, "\treturn;\n"))
    lines = [f"\n{name}:"]
    if context.options.api != SCOPED:
        lines.append(f"\t{END[direction]}();")
    lines += [f"\t{statement}" for statement in leave]
    made.append(Edit(place, place, "\n".join(lines) + "\n"))
    return made


def _falls_through(last: Statement) -> bool:
    while last.kind in ("label", "case", "default") and last.children:
        last = last.children[0]
    return last.kind not in ("return", "goto")


def _is_void(context: Context) -> bool:
    header = context.source.code_between(context.function.start, context.body.start)
    words = []
    for token in header:
        if token.text == "(":
            break
        words.append(token.text)
    return "void" in words and "*" not in words


# Variables


def _declared(window: Window, context: Context) -> list[Edit]:
    """Declarations of what was hoisted, behind those of the block."""
    if not window.hoists:
        return []
    source = context.source
    block = block_of(window.run.steps[0].node)
    while block.kind != "block":
        block = block_of(block)
    first = block.children[0].start
    leading = [d for d in declarations(source, block) if d[-1].end <= first]
    indent = source.indent(first)
    lines = "".join(f"{indent}{h.declaration}\n" for h in window.hoists)
    after = leading[-1][-1].end if leading else block.start + 1
    place = source.line_starts[source.line_of(after - 1)]
    blank = "" if not source.line(source.line_of(place)).strip() else "\n"
    return [Edit(place, place, lines + blank)]


def _without_variable(name: str | None, context: Context) -> list[Edit]:
    """The declaration of an error variable that nothing uses any more."""
    if name is None:
        return []
    source = context.source
    for declaration in context.declared:
        for index, token in enumerate(declaration):
            if token.text == name:
                return [_without(declaration, index, context)]
    raise ValueError(f"{source.file}: the declaration of {name} was not found")


def _without(tokens: tuple[Token, ...], index: int, context: Context) -> Edit:
    """A declaration without one of its variables, gone if that was the only one."""
    source = context.source
    depth = 0
    commas = []
    for position, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == "," and depth == 0:
            commas.append(position)
    if not commas:
        start = source.line_starts[source.line_of(tokens[0].start) - 1]
        end_line = source.line_of(tokens[-1].end - 1)
        return Edit(start, source.line_starts[end_line], "")
    before = [c for c in commas if c < index]
    after = [c for c in commas if c > index]
    if before:
        end = tokens[after[0]].start if after else tokens[-1].start
        return Edit(tokens[before[-1]].start, end, "")
    return Edit(tokens[index].start, tokens[after[0] + 1].start, "")
