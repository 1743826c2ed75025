# SPDX-License-Identifier: GPL-2.0
"""The edits that turn runs into windows.

Windows that share a statement (two bases in one ``||`` chain) are written as one
region, so each of them carries the same edit.
"""

from __future__ import annotations

from hotcocci.c.parsing import parse_range
from hotcocci.c.source import COMMENT
from hotcocci.c.syntax import DECLARATION, Statement, branch_of, branches
from hotcocci.findings import READ, WRITE, Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite import hoisting
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.context_conditions import is_redundant
from hotcocci.rewrite.declarations import (
    are_initializers,
    declare_hoists,
    remove_variable,
    settled,
)
from hotcocci.rewrite.layout import call, deeper, reindent, squeeze, width_of
from hotcocci.rewrite.loop_conditions import LoopWindow
from hotcocci.rewrite.options import MASKED, SCOPED
from hotcocci.rewrite.statements import (
    Copied,
    Operand,
    RunStatement,
    UserAccess,
    range_check,
)
from hotcocci.rewrite.window import BEGIN, COPY, END, ON_64_BITS, SCOPE, Window


def edits(group: list[Window], context: Context) -> tuple[Edit, ...]:
    """All edits of windows that share statements: region, labels and variables."""
    made = [_region(group, context)]
    made += _braces(group, made[0], context)
    made += _blank_after_declaration(group, made[0].start, context)
    for window in group:
        made += window.label.edits
        made += window.checked
        made += declare_hoists(window, context)
    for window in group:
        if window.run.statements[0].syntax.kind != DECLARATION:
            made += remove_variable(window.removed, made, context)
    return tuple(settled(made, context))


def _blank_after_declaration(
    group: list[Window], start: int, context: Context
) -> list[Edit]:
    """A blank line between the declarations and the window, which checkpatch asks for."""
    source = context.source
    above = source.line_of(start) - 1
    if any(g.hoists for g in group):
        return []
    for declaration in context.declared:
        last = declaration[-1]
        if source.line_of(last.start) == above and last.end <= start:
            removed = {g.removed for g in group}
            if any(token.text in removed for token in declaration):
                return []
            place = source.line_starts[above]
            return [Edit(place, place, "\n")]
    return []


def _braces(group: list[Window], region: Edit, context: Context) -> list[Edit]:
    """Add braces to a branch that had one statement without them, and to its other arm."""
    branch = branch_of(group[0].run.statements[0].syntax)
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


def _region(group: list[Window], context: Context) -> Edit:
    source = context.source
    first = min(g.begin for g in group)
    last = max(g.exits.stop for g in group)
    sequence = group[0].run.sequence
    dropped = {i for g in group for i in g.exits.dropped}
    out = Lines(context, source.indent(sequence[first].start))
    owner = {id(a): g for g in group for a in g.run.accesses}
    remaining = {id(g): len(g.run.accesses) for g in group}
    opened: Window | None = None
    previous: RunStatement | None = None
    start = position = _start(group, first, context)
    for index in range(first, last + 1):
        statement = sequence[index]
        if index > first:
            both = previous and previous.accesses and statement.accesses
            if opened and not both and _blank_between(position, statement, context):
                out.add("")
            comments(out, context, position, statement.start)
            position = statement.start
        if index in dropped:
            position = statement.end
            continue
        previous = statement
        if not statement.accesses:
            intermediate(out, statement, opened.direction if opened else None, context)
            position = statement.end
            continue
        others: list[Operand] = []
        inner = position if index == first else statement.operands[0].start
        for operand in statement.operands:
            holder = owner.get(id(operand.access)) if operand.access else None
            if holder is None:
                if not _is_checked_base(operand, group, context):
                    others.append(operand)
                continue
            if holder is not opened:
                _chain(out, others, statement, group[0])
                others = []
                _open(out, holder, context)
                opened = holder
            comments(out, context, inner, operand.start)
            assert operand.access is not None
            write(out, operand.access, holder, context)
            inner = operand.end
            remaining[id(holder)] -= 1
            if operand is statement.operands[-1] and statement.exit is not None:
                comments(out, context, inner, max(inner, statement.exit.start))
            if remaining[id(holder)] == 0:
                finish(out, holder.direction, context)
                opened = None
        _chain(out, others, statement, group[0])
        position = statement.end
    for window in group:
        on_success, stop = window.exits.on_success, window.exits.stop
        if on_success and dropped and blank_before(sequence[stop], context):
            out.add("")
        out.statements(on_success, out.outer)
    return _written(out, group[0], (start, sequence[last].end), context)


def _written(
    out: Lines, window: Window, region: tuple[int, int], context: Context
) -> Edit:
    """The edit of a region, with the old code beside it if some configuration needs that."""
    outer = context.source.indent(window.start)
    if window.otherwise:
        head, *rest = window.otherwise
        out.lines += [f"{outer}}} {head}", *(outer + line for line in rest)]
    return Edit(*region, "\n".join(out.lines)[len(outer) :])


def _start(group: list[Window], first: int, context: Context) -> int:
    """The start of the replaced code: the comment of its first access, if others have one too."""
    run = group[0].run
    statements = [s for s in run.statements if s.accesses]
    comments_ = [_comment_before(s, context) for s in statements]
    own = comments_[0]
    if own is None or not any(comments_[1:]) or run.first != first:
        return run.sequence[first].start
    return own


def _comment_before(statement: RunStatement, context: Context) -> int | None:
    """The start of the comment on the lines before a statement."""
    source = context.source
    before = source.tokens_between(context.body.start, statement.start)[-1]
    above = source.text[: before.start].rpartition("\n")[2]
    below = source.line_of(before.end - 1) + 1 == statement.line
    return (
        before.start if before.kind == COMMENT and below and not above.strip() else None
    )


def _blank_between(end: int, following: RunStatement, context: Context) -> bool:
    """Whether a blank line follows the code that ends at an offset."""
    lines = context.source.text[end : following.start].split("\n")
    return len(lines) > 2 and not lines[0].strip() and not lines[1].strip()


def _is_checked_base(operand: Operand, group: list[Window], context: Context) -> bool:
    """Whether an operand is an access_ok() that the window of a run makes redundant."""
    check = range_check(parse_range(context.source, operand.start, operand.end))
    return check is not None and any(is_redundant(check, g.run, context) for g in group)


def _chain(
    out: Lines, operands: list[Operand], statement: RunStatement, window: Window
) -> None:
    """Emit the operands of a chain that stay outside every window."""
    if not operands:
        return
    # The operands keep their columns after "if (", so their layout is kept as well.
    test = out.context.source.text[operands[0].start : operands[-1].end]
    statements = _exit_statements(statement, window, out.context)
    several = len(statements) > 1
    out.add(f"{out.indent}if ({test})" + (" {" if several else ""))
    out.statements(statements, deeper(out.indent, out.context.unit))
    if several:
        out.add(f"{out.indent}}}")


def _exit_statements(
    statement: RunStatement, window: Window, context: Context
) -> tuple[str, ...]:
    """The statements of a chain's exit, up to leaving: its own code may run on to a label after the run."""
    if statement.exit is None:
        return ("return -EFAULT;",)
    text = context.of(statement.exit)
    own = tuple(line.strip() for line in text.splitlines() if line.strip())
    if own and own[-1].startswith(("return", "goto ", "break;", "continue;")):
        return own
    return (
        *([window.exits.preset] if window.exits.preset else []),
        *window.exits.on_fault,
    )


def _open(out: Lines, window: Window, context: Context) -> None:
    if not are_initializers(window, context):
        for hoist in window.hoists:
            out.add(f"{out.indent}{hoist.name} = {hoist.value};")
    if window.otherwise:
        # See Features.get_u64 (hotcocci/tree/kernel.py).
        who = (
            "sparc32 keeps half of"
            if context.options.features.arm_get_u64
            else "32-bit Arm lacks"
        )
        out.add(f"{out.outer}/* {who} an 8-byte unsafe_get_user(). */")
        out.add(f"{out.outer}if ({ON_64_BITS}) {{")
        out.outer = out.indent = deeper(out.outer, context.unit)
    begin(out, window, context)


def write(out: Lines, access: UserAccess, window: Window, context: Context) -> None:
    """Emit an access inside its window."""
    if access.copied is not None:
        part = _pointer(access, window, context) if access.copied.part else None
        _copied(out, access, access.copied, window, part)
        return
    value = squeeze(context.of(access.value))
    for hoist in window.hoists:
        own = (access.value.start, access.value.end)
        if hoist.end and (hoist.start, hoist.end) == own:
            value = hoist.name
    pointer = _pointer(access, window, context)
    out.call(NAMES[access.direction], (value, pointer, window.label.name))
    for start, end in (
        (access.start, access.value.start),
        (access.value.end, access.pointer.start),
        (access.pointer.end, access.end),
    ):
        comments(out, context, start, end)


def _copied(
    out: Lines, access: UserAccess, copied: Copied, window: Window, part: str | None
) -> None:
    """Emit the replacement of a copy: x86 and arm64 have no unsafe_copy_from_user().

    ``part`` points to the part of the user object that is copied, None if all of it is.
    """
    base, label = part or window.base, window.label.name
    if not copied.members:
        # The x86 macro assigns its arguments to char pointers.
        user, kernel = f"(void __user *){base}", f"(const void *){copied.kernel}"
        if copied.bytes:
            user, kernel = base.removeprefix("&"), copied.kernel.removeprefix("&")
        out.call(COPY, (user, kernel, copied.size, label))
        return
    through = copied.object.removeprefix("*")
    head = f"{through}->" if through != copied.object else f"{through}."
    user = f"{base}." if base.startswith("&") else f"&{base}->"
    for index, member in enumerate(copied.members):
        name = member.removeprefix(".")
        value = copied.values[index] if copied.values else f"{head}{name}"
        out.call(NAMES[access.direction], (value, f"{user}{name}", label))


def _pointer(access: UserAccess, window: Window, context: Context) -> str:
    text = context.source.text
    base = access.base
    if base.place == bases.STEP:
        if isinstance(window, LoopWindow):
            return f"&{window.base}[{window.count.variable}]"
        return f"&{window.base}[{window.run.accesses.index(access)}]"
    if base.kind == bases.PLAIN:
        pointer = squeeze(context.of(access.pointer))
        scoped = context.options.api == SCOPED
        return hoisting.place(access, pointer) if scoped else pointer
    if base.kind == bases.INDEXED:
        # &p->array[i].field: p->array[i] becomes the pointer to the element.
        return squeeze(
            f"&{window.base}->{text[base.expr.end + 1 : access.pointer.end]}"
        )
    before = text[access.pointer.start : base.expr.start]
    after = text[base.expr.end : access.pointer.end]
    return squeeze(before + window.base + after)


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
    return statement.line > 1 and not context.source.line(statement.line - 1).strip()


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
    text = reindent(source.of(statement), source.indent(statement.start), out.indent)
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
