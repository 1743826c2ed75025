# SPDX-License-Identifier: GPL-2.0
"""The edits that turn runs into windows.

Windows that share a statement (two bases in one ``||`` chain) are written as one
region, so each of them carries the same edit.
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.expression import canonical
from hotcocci.c.parsing import parse_range
from hotcocci.c.syntax import Statement, branch_of
from hotcocci.findings import Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.context_conditions import guards_more
from hotcocci.rewrite.declarations import declare_hoists, remove_variable
from hotcocci.rewrite.labels import label_edits
from hotcocci.rewrite.layout import call, squeeze
from hotcocci.rewrite.statements import (
    Copied,
    Operand,
    RunStatement,
    UserAccess,
    range_check,
)
from hotcocci.rewrite.window import Window
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.writing import (
    NAMES,
    Lines,
    begin,
    blank_before,
    comments,
    finish,
    intermediate,
)


@dataclass(frozen=True)
class Labelled:
    """A window and its fault label, which may already exist.

    ``last`` is set if no other label is emitted after it.
    """

    window: Window
    label: str
    existing: bool = False
    last: bool = True


def edits(group: list[Labelled], context: Context) -> tuple[Edit, ...]:
    """All edits of windows that share statements: region, labels and variables."""
    made = [_region(group, context)]
    made += _braces(group, made[0], context)
    for labelled in group:
        made += _label(labelled, context)
        made += declare_hoists(labelled.window, context)
        made += remove_variable(labelled.window.removed, context)
    return tuple(made)


def _label(labelled: Labelled, context: Context) -> list[Edit]:
    window = labelled.window
    if labelled.existing:
        return []
    on_fault = window.on_fault
    closes = context.options.api != SCOPED
    if labelled.last and closes and on_fault[-1:] == ("return;",):
        on_fault = on_fault[:-1]  # no return needed at the end of a void function
    return label_edits(labelled.label, window.direction, on_fault, context)


def _braces(group: list[Labelled], region: Edit, context: Context) -> list[Edit]:
    """Add braces to a branch that had one statement without them, and to its other arm."""
    branch = branch_of(group[0].window.run.statements[0].syntax)
    if branch is None:
        return []
    made = _braced(region.start, region.end, branch, context)
    for arm in branch.children if branch.kind == "if" else ():
        inside = arm.start <= region.start < arm.end
        if not inside and arm.kind not in ("block", "if"):
            made += _braced(arm.start, arm.end, branch, context)
    return made


def _braced(start: int, end: int, branch: Statement, context: Context) -> list[Edit]:
    """Add braces around an arm of a branch, with ``else`` after the closing one."""
    source = context.source
    head = source.code_between(branch.start, start)[-1].end
    close = f"\n{source.indent(branch.start)}}}"
    following = source.tokens_between(end, branch.end)[:1]
    joined = following[0].start if following and following[0].text == "else" else end
    return [Edit(head, head, " {"), Edit(end, joined, close + " " * (joined > end))]


def _region(group: list[Labelled], context: Context) -> Edit:
    source = context.source
    first = min(g.window.begin for g in group)
    last = max(g.window.stop for g in group)
    sequence = group[0].window.run.sequence
    dropped = {i for g in group for i in g.window.dropped}
    out = Lines(context, source.indent(sequence[first].start))
    owner = {id(a): g for g in group for a in g.window.run.accesses}
    remaining = {id(g): len(g.window.run.accesses) for g in group}
    opened: Labelled | None = None
    position = sequence[first].start
    for index in range(first, last + 1):
        statement = sequence[index]
        comments(out, context, position, statement.start)
        position = statement.end
        if index in dropped:
            continue
        if not statement.accesses:
            intermediate(
                out, statement, opened.window.direction if opened else None, context
            )
            continue
        others: list[Operand] = []
        inner = statement.operands[0].start
        for operand in statement.operands:
            holder = owner.get(id(operand.access)) if operand.access else None
            if holder is None:
                if not _is_checked_base(operand, group, context):
                    others.append(operand)
                continue
            if holder is not opened:
                _chain(out, others, statement, context)
                others = []
                _open(out, holder, context)
                opened = holder
            comments(out, context, inner, operand.start)
            assert operand.access is not None
            _access(out, operand.access, holder, context)
            inner = operand.end
            remaining[id(holder)] -= 1
            if operand is statement.operands[-1] and statement.exit is not None:
                comments(out, context, inner, max(inner, statement.exit.start))
            if remaining[id(holder)] == 0:
                _close(out, holder, context)
                opened = None
        _chain(out, others, statement, context)
    for labelled in group:
        on_success = labelled.window.on_success
        if (
            on_success
            and dropped
            and blank_before(sequence[labelled.window.stop], context)
        ):
            out.add("")
        out.statements(on_success, out.outer)
    text = "\n".join(out.lines)
    return Edit(sequence[first].start, sequence[last].end, text[len(out.outer) :])


def _is_checked_base(operand: Operand, group: list[Labelled], context: Context) -> bool:
    """Whether an operand is an access_ok() that the window of a run makes redundant."""
    source = context.source
    pointer = range_check(parse_range(source, operand.start, operand.end))
    if pointer is None:
        return False
    key = canonical(source.text[pointer.start : pointer.end])
    return any(
        g.window.run.accesses[0].base.key == key
        and not guards_more(g.window.run, context)
        for g in group
    )


def _chain(
    out: Lines, operands: list[Operand], statement: RunStatement, context: Context
) -> None:
    """Emit the operands of a chain that stay outside every window."""
    if not operands:
        return
    # The operands keep their columns after "if (", so their layout is kept as well.
    test = context.source.text[operands[0].start : operands[-1].end]
    statements = _exit_statements(statement, context)
    several = len(statements) > 1
    out.add(f"{out.indent}if ({test})" + (" {" if several else ""))
    out.statements(statements, out.indent + "\t")
    if several:
        out.add(f"{out.indent}}}")


def _exit_statements(statement: RunStatement, context: Context) -> tuple[str, ...]:
    if statement.exit is None:
        return ("return -EFAULT;",)
    text = context.source.text[statement.exit.start : statement.exit.end]
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _open(out: Lines, labelled: Labelled, context: Context) -> None:
    window = labelled.window
    for hoist in window.hoists:
        out.add(f"{out.indent}{hoist.assignment}")
    fault = labelled.label
    begin(
        out, window.base, window.size, window.direction, fault, window.on_fault, context
    )


def _close(out: Lines, labelled: Labelled, context: Context) -> None:
    finish(out, labelled.window.direction, context)


def _access(
    out: Lines, access: UserAccess, labelled: Labelled, context: Context
) -> None:
    window = labelled.window
    if access.copied is not None:
        _copied(out, access, access.copied, labelled)
        return
    value = squeeze(context.source.text[access.value.start : access.value.end])
    for hoist in window.hoists:
        if hoist.end and (hoist.start, hoist.end) == (
            access.value.start,
            access.value.end,
        ):
            value = hoist.name
    pointer = _pointer(access, window, context)
    out.add(call(out.indent, NAMES[access.direction], (value, pointer, labelled.label)))
    for start, end in (
        (access.start, access.value.start),
        (access.value.end, access.pointer.start),
        (access.pointer.end, access.end),
    ):
        comments(out, context, start, end)


def _copied(out: Lines, access: UserAccess, copied: Copied, labelled: Labelled) -> None:
    """Emit the replacement of a copy: x86 and arm64 have no unsafe_copy_from_user()."""
    base, label = labelled.window.base, labelled.label
    if not copied.members:
        # The x86 macro assigns its arguments to char pointers.
        kernel = f"(const void *){copied.kernel}"
        moved = (f"(void __user *){base}", kernel, copied.size, label)
        out.add(call(out.indent, "unsafe_copy_to_user", moved))
        return
    through = copied.object.removeprefix("*")
    head = f"{through}->" if through != copied.object else f"{through}."
    for member in copied.members:
        name = member.removeprefix(".")
        arguments = (f"{head}{name}", f"&{base}->{name}", label)
        out.add(call(out.indent, NAMES[access.direction], arguments))


def _pointer(access: UserAccess, window: Window, context: Context) -> str:
    text = context.source.text
    base = access.base
    if base.place == bases.STEP:
        return f"&{window.base}[{window.run.accesses.index(access)}]"
    if base.kind == bases.PLAIN:
        return squeeze(text[access.pointer.start : access.pointer.end])
    if base.kind == bases.INDEXED:
        # &p->array[i].field: p->array[i] becomes the pointer to the element.
        return squeeze(
            f"&{window.base}->{text[base.expr.end + 1 : access.pointer.end]}"
        )
    before = text[access.pointer.start : base.expr.start]
    after = text[base.expr.end : access.pointer.end]
    return squeeze(before + window.base + after)
