# SPDX-License-Identifier: GPL-2.0
"""Choose where to load the credentials once and where to declare the local.

The block is the smallest one with all loads, or the one around the loop they are in;
the load goes before the first statement with one.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from hotcocci.c.flow_builder import is_scope
from hotcocci.c.source import COMMENT, Token
from hotcocci.c.syntax import (
    Statement,
    block_of,
    declarations,
    enclosing,
    innermost,
    unlabelled,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import columns, deeper
from hotcocci.rewrite.loads.credential_flow import evaluates
from hotcocci.rewrite.loads.credential_loads import Load

_LOOPS = ("for", "while", "do", "macro")
_LABELS = ("label", "case", "default")
_LEAVES = frozenset({"return", "goto", "break", "continue"})


@dataclass(frozen=True)
class Placement:
    """The offsets of the local's declaration and assignment.

    ``assigned`` is None if the declaration has an initializer. ``block`` is where it is declared,
    a statement of the function. ``blank`` asks for a blank line after it; ``always`` is
    set if the first load is made whenever this place is reached.
    """

    block: Statement
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
    if after[0].text in ("case", "default") or _labels(context, after):
        indent = deeper(source.indent(block.start), context.unit)

    def insertion(length: int) -> int:
        return _insertion_offset(context, block, leading, first, length, beginning)

    def blank(at: int) -> bool:
        """Whether an offset is followed by neither a declaration nor a blank line."""
        if not leading:
            return True
        last = at > leading[-1][0].start
        return last and bool(source.line(source.line_of(at)).strip())

    at = insertion(lengths[1])
    unbroken = common is block and _unbroken(context, block, anchor)
    if first is not None or anchor is None or unbroken:
        certain = first is not None or (
            anchor is not None
            and not looped
            and evaluates(source, anchor, loads[0].start)
        )
        return Placement(block, at, indent, blank(at), None, certain)
    target = unlabelled(anchor)
    if jumped_into(context, target.start, loads[-1].end):
        return Placement(block, at, indent, blank(at), None, False)
    certain = not looped and evaluates(source, target, loads[0].start)
    at = insertion(lengths[0])
    above = _with_comments(context, source.line_of(target.start))
    comment = source.tokens_between(above, target.start)[:1]
    assigned = comment[0].start if comment else target.start
    return Placement(block, at, indent, blank(at), assigned, certain)


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


def _labels(context: Context, after: tuple[Token, ...]) -> bool:
    return len(after) > 1 and after[1].text == ":"


def _anchor(
    context: Context, loads: list[Load], within: bool
) -> tuple[Statement, Statement | None, bool]:
    """The list of statements with all loads, the first one with a load, and whether a loop was left.

    The statement is None if the first load is in a declaration of the list.
    """
    low, high = loads[0].start, loads[-1].end
    inner = innermost(context.function, low)
    around = [s for s in (inner, *enclosing(inner)) if s.start <= low and high <= s.end]
    loops = [s for s in around if _is_loop(context, s)]
    if within:
        each = (not _in_each_iteration(context, loop, loads[0]) for loop in loops)
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


def _is_loop(context: Context, statement: Statement) -> bool:
    if statement.kind not in _LOOPS:
        return False
    word = context.source.code_between(statement.start, statement.end)[0].text
    return not is_scope(word)


def repeats(context: Context, load: Load) -> bool:
    """Whether each iteration of a loop makes a load."""
    inner = innermost(context.function, load.start)
    around = (inner, *enclosing(inner))
    loop = next((s for s in around if _is_loop(context, s)), None)
    return loop is not None and _in_each_iteration(context, loop, load)


def _in_each_iteration(context: Context, loop: Statement, load: Load) -> bool:
    """Whether a load is unconditional in the body of a loop."""
    statement = innermost(context.function, load.start)
    certain = evaluates(context.source, statement, load.start)
    if statement.kind not in ("block", "for") and not certain:
        return False
    between = takewhile(lambda s: s is not loop, enclosing(statement))
    return all(s.kind == "block" or _is_loop(context, s) for s in between)


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
    found = declarations(context.source, block)
    return [d for d in found if d[0].start < end]


def _insertion_offset(
    context: Context,
    block: Statement,
    leading: list[tuple[Token, ...]],
    first: tuple[Token, ...] | None,
    length: int,
    beginning: int,
) -> int:
    """Where to insert a declaration: longest first, and before its first use."""
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
    last = leading[-1][-1]
    return source.text.find("\n", last.end) + 1


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
    if anchor is None or anchor.kind in _LABELS:
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
