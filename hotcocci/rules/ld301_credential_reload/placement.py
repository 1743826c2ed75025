# SPDX-License-Identifier: GPL-2.0
"""Choose where to load the credentials once and where to declare the local, and make the edits.

The block is the smallest one with all loads, or the one around the loop they are in;
the load goes before the first statement with one.
"""

from dataclasses import dataclass

from hotcocci.c.source import COMMENT, Token
from hotcocci.c.syntax import (
    LABELS,
    Statement,
    block_of,
    declarations,
    enclosing,
    innermost,
    unlabelled,
)
from hotcocci.findings import Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import WIDTH, columns, deeper
from hotcocci.rules.ld301_credential_reload.loads import (
    OBJECTIVE,
    VALUES,
    Load,
    evaluates,
    in_each_iteration,
    is_loop,
)

_LEAVES = frozenset({"return", "goto", "break", "continue"})
_LOADING = ("current_cred", "current_real_cred")
_IDS = ("kuid_t", "kgid_t")


@dataclass(frozen=True)
class Placement:
    """The offsets of the local's declaration and assignment.

    ``assigned`` is None if the declaration has an initializer. ``blank`` asks for a blank line after it;
    ``always`` is set if the first load is made whenever this place is reached.
    """

    declared: int
    indent: str
    blank: bool
    assigned: int | None
    always: bool


def placement(
    context: Context, loads: list[Load], lengths: tuple[int, int], within: bool
) -> Placement | None:
    """Choose where to declare and assign the local for these loads.

    ``lengths`` are the columns of the declaration without and with its initializer.

    ``within`` is set if a load is repeated in one iteration of the loops around: then
    the load is hoisted out of a loop only if each iteration performs the first. None if
    a brace of the block shares its line with code, or a jump goes past it.
    """
    common, anchor, looped = _anchor(context, loads, within)
    block = common
    while block.kind != "block":
        block = block_of(block)
    leading = _leading(context, block)
    first = next((d for d in leading if d[0].start <= loads[0].start < d[-1].end), None)
    source = context.source
    beginning = source.text.find("\n", block.start) + 1
    if block is not context.body and jumped_into(context, block.start, block.end):
        return None
    after = source.code_between(block.start + 1, block.end)
    if not after or after[0].start < beginning:
        return None
    indent = source.indent(after[0].start)
    if after[0].text in ("case", "default") or after[1:2] and after[1].text == ":":
        indent = deeper(source.indent(block.start), context.unit)

    def placed(length: int, assigned: int | None, always: bool) -> Placement:
        at = _insertion_offset(context, block, leading, first, length, beginning)
        last = not leading or at > leading[-1][0].start
        blank = last and (not leading or bool(source.line(source.line_of(at)).strip()))
        return Placement(at, indent, blank, assigned, always)

    unbroken = common is block and _unbroken(context, block, anchor)
    if first is not None or anchor is None or unbroken:
        certain = first is not None or (
            anchor is not None
            and not looped
            and evaluates(source, anchor, loads[0].start)
        )
        return placed(lengths[1], None, certain)
    target = unlabelled(anchor)
    if jumped_into(context, target.start, loads[-1].end):
        return placed(lengths[1], None, False)
    certain = not looped and evaluates(source, target, loads[0].start)
    above = _with_comments(context, source.line_of(target.start))
    comment = source.tokens_between(above, target.start)[:1]
    return placed(lengths[0], comment[0].start if comment else target.start, certain)


def jumped_into(context: Context, start: int, end: int) -> bool:
    """Whether code in a range may run without the code at its start."""
    jumps = [
        (before.start, context.labels[token.text])
        for before, token in zip(context.tokens, context.tokens[1:])
        if before.text == "goto" and token.text in context.labels
    ]
    over = any(at < start and end <= label for at, label in jumps)
    return any(
        start < label < end and (at < start or (end <= at and over))
        for at, label in jumps
    )


def _anchor(
    context: Context, loads: list[Load], within: bool
) -> tuple[Statement, Statement | None, bool]:
    """The list of statements with all loads, the first one with a load, and whether a loop was left.

    The statement is None if the first load is in a declaration of the list.
    """
    low, high = loads[0].start, loads[-1].end
    inner = innermost(context.function, low)
    around = [s for s in (inner, *enclosing(inner)) if s.start <= low and high <= s.end]
    loops = [s for s in around if is_loop(context, s)]
    if within:
        each = (not in_each_iteration(context, loop, loads[0]) for loop in loops)
        loops = loops[: next((i for i, stays in enumerate(each) if stays), None)]
    if loops:
        around = list(enclosing(loops[-1]))
        low, high = loops[-1].start, loops[-1].end
    for statement in around:
        if statement.kind == "block":
            break
        if statement.kind == "switch" and not _crosses_case(statement, low, high):
            break
        low, high = statement.start, statement.end
    child = next((c for c in statement.children if c.start <= low < c.end), None)
    return statement, child, bool(loops)


def _crosses_case(switch: Statement, low: int, high: int) -> bool:
    """Whether a range in a switch extends beyond one of its cases."""
    if not any(c.start <= low < c.end for c in switch.children):
        return True
    return any(
        low < c.start < high for c in switch.children if c.kind in ("case", "default")
    )


def _leading(context: Context, block: Statement) -> list[tuple[Token, ...]]:
    """The declarations before the first statement of a block."""
    end = block.children[0].start if block.children else block.end
    return [d for d in declarations(context.source, block) if d[0].start < end]


def _insertion_offset(
    context: Context,
    block: Statement,
    leading: list[tuple[Token, ...]],
    first: tuple[Token, ...] | None,
    length: int,
    beginning: int,
) -> int:
    """The place to insert a declaration: longest first, and before its first use."""
    source = context.source
    end = block.children[0].start if block.children else block.end
    if not leading or source.has_directive(block.start, end):
        return beginning
    for declaration in leading:
        line = source.line_of(declaration[0].start)
        own = columns(source.line(line).rstrip())
        place_ = _with_comments(context, line)
        # A comment at the beginning of a function may describe all of it.
        heads = place_ == beginning and place_ != source.line_starts[line - 1]
        if declaration is first or own < length and not heads:
            return place_
    return source.text.find("\n", leading[-1][-1].end) + 1


def _with_comments(context: Context, line: int) -> int:
    """The start of a line, or of the comment directly above it."""
    source = context.source
    start = source.line_starts[line - 1]
    while line > 1:
        above = source.tokens_between(source.line_starts[line - 2], start)
        if not above or any(t.kind != COMMENT for t in above):
            break
        line = source.line_of(above[0].start)
        start = source.line_starts[line - 1]
    return start


def _unbroken(context: Context, block: Statement, anchor: Statement | None) -> bool:
    """Whether no statement before ``anchor`` leaves: the value is needed wherever the block is entered."""
    if anchor is None or anchor.kind in LABELS:
        return False
    for child in block.children:
        if child is anchor:
            return True
        words = context.source.code_between(child.start, child.end)
        if child.kind not in ("expression", "if") or any(
            w.text in _LEAVES for w in words
        ):
            return False
    return False


@dataclass(frozen=True)
class Hoist:
    """Loads that become one: the local that stores the value, and where it is loaded.

    ``accessor`` is set if its value is stored, and not the credentials.
    """

    name: str
    accessor: str | None
    placement: Placement


def declaration(loads: list[Load], name: str, accessor: str | None, value: bool) -> str:
    """The declaration of the local, with or without its initializer."""
    type_ = VALUES[accessor] if accessor else "const struct cred *"
    return f"{type_}{name}" + (f" = {_value(loads, accessor)};" if value else ";")


def _value(loads: list[Load], accessor: str | None) -> str:
    if accessor:
        return f"{accessor}()"
    return "current_real_cred()" if loads[0].base == OBJECTIVE else "current_cred()"


def edits_of(context: Context, loads: list[Load], hoist: Hoist) -> tuple[Edit, ...]:
    """The edits of a file that load these credentials once."""
    edits = []
    where = hoist.placement
    for load in loads:
        form = "{}" if hoist.accessor else load.form
        text = form.format(hoist.name)
        edits.append(Edit(load.start, load.end, text))
        edits += _joined(context, load, text, loads)
    line = declaration(loads, hoist.name, hoist.accessor, value=where.assigned is None)
    ending = "\n\n" if where.blank else "\n"
    edits.insert(0, Edit(where.declared, where.declared, where.indent + line + ending))
    if where.assigned is not None:
        indent = context.source.indent(where.assigned)
        value = f"{hoist.name} = {_value(loads, hoist.accessor)};\n{indent}"
        edits.append(Edit(where.assigned, where.assigned, value))
    return tuple(edits)


def _joined(context: Context, load: Load, text: str, loads: list[Load]) -> list[Edit]:
    """Join an argument that got shorter with the next line, if both fit on one."""
    source = context.source
    number = source.line_of(load.start)
    start = source.line_starts[number - 1]
    line = source.line(number)
    if source.line_of(load.end) != number or _others(context, loads, load, number):
        return []
    own = line[: load.start - start] + text + line[load.end - start :]
    above, below = source.line(number - 1), source.line(number + 1)
    ends = line[load.end - start :].strip() == ","
    leads = not line[: load.start - start].strip() and above.rstrip().endswith(",")
    for argument, edge, other, one, two in (
        (ends, number, number + 1, own, below),
        (leads, number - 1, number - 1, above, own),
    ):
        joins = argument or _is_statement(context, edge)
        if joins and not _others(context, loads, load, other) and _fits(one, two):
            end = source.line_starts[edge - 1] + len(source.line(edge).rstrip())
            return [Edit(end, _begins(context, edge + 1), " ")]
    return []


def _is_statement(context: Context, number: int) -> bool:
    """Whether a line and the next are a statement, or its head, broken after a comma, = or operator."""
    line = context.source.line
    before, first, second = (line(n).rstrip() for n in (number - 1, number, number + 1))
    whole = before.endswith((";", "{", "}", ":", "*/")) or not before
    broken = first.endswith((",", " =", "&&", "||"))
    return whole and broken and second.endswith((";", "{", ")"))


def _others(context: Context, loads: list[Load], load: Load, number: int) -> bool:
    return number in {context.line(o) for o in loads if o is not load}


def _fits(first: str, second: str) -> bool:
    both = f"{first.rstrip()} {second.strip()}"
    return columns(both) <= WIDTH and "/*" not in both and "//" not in both


def _begins(context: Context, number: int) -> int:
    line = context.source.line(number)
    return context.source.line_starts[number - 1] + len(line) - len(line.lstrip())


def is_stored(context: Context, first: Load, accessor: str | None) -> bool:
    """Whether the first load sets a local of the function: a second one for the same value would be confusing."""
    source = context.source
    if first.name not in ((accessor,) if accessor else _LOADING):
        return False
    before = source.code_between(context.body.start, first.start)[-2:]
    after = source.code_between(first.end, context.body.end)[:1]
    texts = [token.text for token in (*before[1:], *after)]
    return texts == ["=", ";"] and _declared_once(context, before[0].text)


def _declared_once(context: Context, name: str) -> bool:
    """Whether a name is declared once, as a pointer to credentials or to a namespace, or as an ID."""
    found = [
        d
        for d in context.declared
        for before, token in zip(d, d[1:])
        if token.text == name and before.text in ("*", "const", *_IDS)
    ]
    return len(found) == 1 and found[0][0].text in ("const", "struct", *_IDS)
