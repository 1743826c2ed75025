# SPDX-License-Identifier: GPL-2.0
"""Notes and questions for the reviewer of a window: accesses and checks next to it, the loop around it."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from hotcocci.c.conditionals import guards_around
from hotcocci.c.expression import Binary, Index, Member, Name, Unary, canonical, walk
from hotcocci.c.model import integer
from hotcocci.c.source import closing, split
from hotcocci.c.syntax import Statement, block_of, enclosing, innermost
from hotcocci.findings import READ, WRITE
from hotcocci.rewrite.base import ADVANCED
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.declarations import is_changed
from hotcocci.rewrite.liveness import dies
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.ranges import architecture
from hotcocci.rewrite.runs import Loop, Run, accesses_of
from hotcocci.rewrite.statements import RunStatement, UserAccess, fits_window
from hotcocci.rewrite.window import Exits, Judged, Window, each_window
from hotcocci.tree.kconfig import with_code
from hotcocci.tree.targets import ARM_32

_CHECKS = ("access_ok", "__access_ok")

# More lines than fit on a screen between a case and its label
_FAR = 40


def with_decisions(
    judged: Judged, loops: list[Loop], rounds: list[Statement], context: Context
) -> Judged:
    """Ask about a check before a window, about what is beside it, and about one for all iterations of a loop.

    ``rounds`` are the loops that become windows. What is beside a window is of the same
    kind, through the same base, and in the same block.
    """
    windows = [run for run, verdict in judged if isinstance(verdict, Window)]
    taken = {access.start for run in windows for access in run.accesses}
    left = [
        access
        for access in accesses_of(context)
        if access.start not in taken
        and not any(r.start < access.start < r.end for r in rounds)
    ]

    def asking(run: Run, window: Window) -> Window:
        beside = chain(
            _beside(run, left, context),
            _copied_beside(run, taken, context),
            _other_windows(run, windows, context),
        )
        asked = (
            *_sums(window, context),
            *_fetched_again(run, context),
            *_cast_copies(run),
            *_label_left(window, context),
            *islice(_checked_before(window, context), 1),
            *islice(beside, 1),
            *islice(_loops(run, loops, rounds, context), 1),
        )
        return window.asking(asked)

    return _together(each_window(judged, asking), context)


def label_elsewhere(
    window: Window, context: Context, loop: bool = False
) -> Iterator[str]:
    """Ask about a label that is in an #if, that is far from the case or loop it is for, or that jumps back.

    A scope needs no label of its own to jump back: its accesses can.
    """
    run, guards, edits = window.run, window.exits.guards, window.label.edits
    if context.options.api == SCOPED:
        for edit in edits:
            jump = re.search(r"[ \t]goto (\w+);\n", edit.text)
            if jump is not None:
                yield f"the label jumps back to {jump[1]}: acceptable?"
        return
    if not edits:
        return
    line_of = context.source.line_of
    far = line_of(context.body.end) - line_of(run.accesses[-1].end) > _FAR
    case = any(s.kind == "switch" for s in enclosing(run.statements[0].syntax))
    if guards:
        yield f"the label is in {guards[0]}: consider a function for that code"
    elif far and (loop or case):
        what = "loop" if loop else "case"
        yield f"the label is far from the {what}: consider a function for the {what}"


def _sums(window: Window, context: Context) -> Iterator[str]:
    """Ask about casts of sums, as in binder's commands: in a scope the pointer cannot move."""
    base = window.run.accesses[0].base
    if context.options.api == SCOPED and base.place == ADVANCED:
        yield f"consider a structure for what {base.key} moves over"


def _fetched_again(run: Run, context: Context) -> Iterator[str]:
    """Ask about a variable that several reads share, each followed by what is made of it."""
    values = [a.value for a in run.accesses if a.direction == READ]
    keys = [context.key(value) for value in values]
    again = (value for value, key in zip(values, keys) if keys.count(key) > 1)
    for value in islice(again, 1):
        text = " ".join(context.of(value).split())
        yield f"consider a variable for each value of {text}"


def _cast_copies(run: Run) -> Iterator[str]:
    """Ask about copies that unsafe_copy_to_user() needs casts for, as in put_v4l2_event32()."""
    copied = [a.copied for a in run.accesses if a.copied]
    plain = all(c.members or c.bytes for c in copied)
    if not plain and run.direction == WRITE:
        base = run.accesses[0].base.key
        yield f"consider filling all of *{base} on the stack, and one copy"


def _label_left(window: Window, context: Context) -> Iterator[str]:
    """Ask about a label of the function that only the begin would jump to, as in autofs_get_set_timeout()."""
    jump = re.fullmatch(r"goto (\w+);", " ".join(window.exits.on_fault))
    if jump is None or context.options.api == SCOPED:
        return
    body, place = context.body, context.labels.get(jump[1])
    needed = any(
        not window.start <= at.start < window.end and at.start != place
        for at in context.mentions(jump[1])
    )
    labels = (s for s in body.children if s.start == place)
    # It is there for nothing but a return.
    if not needed and any([c.kind for c in s.children] == ["return"] for s in labels):
        yield f"if nothing else needs the label {jump[1]}, drop it"


def _together(judged: Judged, context: Context) -> Judged:
    """Let the windows through one base ask if one of them does: half a function is not what they want."""
    asking = {
        run.accesses[0].base.key: run
        for run, verdict in judged
        if isinstance(verdict, Window) and verdict.decisions
    }

    def beside(run: Run, window: Window) -> Window:
        other = asking.get(run.accesses[0].base.key)
        if window.decisions or other is None:
            return window
        first = context.called_at(other.accesses[0])
        return window.asking([f"consider a window for {first}, too"])

    return each_window(judged, beside)


def _beside(run: Run, left: list[UserAccess], context: Context) -> Iterator[str]:
    low, high = _block(run)
    own = run.accesses[0].base.key, run.direction
    for a in left:
        if low < a.start < high and (a.base.key, a.direction) == own:
            yield f"consider moving {context.called_at(a)} into the window"


def _other_windows(run: Run, windows: list[Run], context: Context) -> Iterator[str]:
    """Ask about another window of the block, and about one anywhere that has the same accesses."""
    low, high = _block(run)
    own = run.accesses[0].base.key, run.direction
    for other in windows:
        first = other.accesses[0]
        if other is run or (first.base.key, other.direction) != own:
            continue
        if low < first.start < high:
            yield f"consider one window with {context.called_at(first)}"
        elif _pointers(other, context) == _pointers(run, context):
            yield f"consider one helper with {context.called_at(first)}"


def _pointers(run: Run, context: Context) -> list[str]:
    return [context.key(access.pointer) for access in run.accesses]


def _loops(
    run: Run, loops: list[Loop], rounds: list[Statement], context: Context
) -> Iterator[str]:
    """Ask about a loop around the run, and about another one of the function that stays as it is."""
    for loop in loops:
        line = context.line(loop.statement)
        if loop.body.start <= run.accesses[0].start < loop.body.end:
            if all(map(_is_like, loop.run.sequence)) and not _moves(run, loop, context):
                yield f"consider one window around the loop at line {line}"
        elif loop.statement not in rounds:
            yield f"consider a window for the loop at line {line}, too"


def _checked_before(window: Window, context: Context) -> Iterator[str]:
    """Ask about a check of the base before the window, which checks it again or masks it.

    Its exit returns what a fault does.
    """
    source, base = context.source, window.run.accesses[0].base
    code = source.code_between(context.body.start, window.start)
    for name, opening, first, comma in zip(code, code[1:], code[2:], code[3:]):
        called = opening.text, first.text, comma.text
        if name.text in _CHECKS and called == ("(", base.key, ","):
            test = innermost(context.function, name.start)
            start = test.children[0].start if test.children else test.end
            left = canonical(source.text[start : test.end])
            if left == canonical(window.exits.on_fault[-1]):
                which = context.called_at(name)
                yield f"if the check of the window is enough, drop {which}"


def _copied_beside(run: Run, taken: set[int], context: Context) -> Iterator[str]:
    """Ask about a copy of the object or a part of it, in a statement of the run or beside it."""
    base = re.escape(run.accesses[0].base.key)
    element = re.compile(rf"&?{base}|{base}\+.*|&{base}(?:\[|->|\.).*")
    way, of = ("to", 0) if run.direction == WRITE else ("from", 1)
    around = run.sequence[max(run.first - 1, 0) : run.last + 2]
    code = context.source.code_between(around[0].start, around[-1].end)
    for at, name in enumerate(code):
        last = closing(code, at + 1) if name.text.endswith(f"copy_{way}_user") else None
        if last is None or name.start in taken:
            continue
        arguments = split(code[at + 2 : last], ",")
        texts = ["".join(token.text for token in argument) for argument in arguments]
        if len(texts) == 3 and element.fullmatch(texts[of]):
            if way == "to":
                yield f"consider moving {context.called_at(name)} into the window"
            else:
                line = context.line(name)
                yield f"consider one {name.text}() for all instead of the one at line {line}"


def _moves(run: Run, loop: Loop, context: Context) -> bool:
    """Whether a loop goes on to other objects, as along a list."""
    code = context.source.code_between(loop.statement.start, loop.statement.end)
    return is_changed(run.accesses[0].base.key, code)


def _is_like(statement: RunStatement) -> bool:
    """Whether a statement of a loop may be in a window."""
    if statement.accesses:
        return all(operand.access for operand in statement.operands)
    return fits_window(statement)


def _block(run: Run) -> tuple[int, int]:
    """The block of a run; in a switch without braces only the case that it is in."""
    first = run.statements[0].syntax
    block = block_of(first)
    if block.kind != "switch":
        return block.start, block.end
    labels = [c.start for c in block.children if c.kind in ("case", "default")]
    low = max((at for at in labels if at <= first.start), default=block.start)
    return low, min((at for at in labels if at > first.start), default=block.end)


def differences(run: Run, context: Context, exits: Exits) -> Iterator[str]:
    """Notes on what a run stores otherwise on a fault, what it does not read any more, and on copies."""
    yield from on_fault(run, context)
    for copied in (a.copied for a in run.accesses if a.copied):
        unread = [f"{copied.object}{member}" for member in copied.unread]
        if unread:
            are = "is" if len(unread) == 1 else "are"
            yield f"{', '.join(unread)} {are} not used, and not read any more"
    yield from opened_apart(run, context)
    yield from _copies(run, context, exits)


def opened_apart(run: Run, context: Context) -> Iterator[str]:
    """Say so if 32-bit ARM, which is not in the range of cycles, opens user access more often than before."""
    members = (len(a.copied.members) if a.copied else 1 for a in run.accesses)
    before, after = len(run.accesses), sum(max(number, 1) for number in members)
    options = context.options
    if after == before or "arm" not in options.arches - options.features.gain_arches:
        return
    file, text = context.source.file, context.source.text
    guards = guards_around(text, run.accesses[0].start)
    if architecture(context) is None and with_code(
        options.root, file, guards, [ARM_32]
    ):
        times = "once" if before == 1 else f"{before} times"
        yield f"32-bit ARM has no windows, and opens user access {after} times instead of {times}"


def on_fault(run: Run, context: Context) -> Iterator[str]:
    """Notes on variables that were set to 0 on a fault, as unsafe_get_user() does not, and on copies in part."""
    kept = {
        context.key(a.value): " ".join(context.of(a.value).split())
        for a in run.accesses
        if a.direction == READ and not dies(a, context)
    }
    if kept:
        verb = "keeps" if len(kept) == 1 else "keep"
        what = ", ".join(kept.values())
        yield f"on a fault {what} {verb} the old value instead of 0"
    if any(a.copied and a.direction == WRITE for a in run.accesses):
        yield "on a fault only whole members are stored; the copy may have stored part of one"


# Of no structure
_SCALARS = frozenset(("true", "false", "NULL"))


def _copies(run: Run, context: Context, exits: Exits) -> Iterator[str]:
    """Name plain assignments of structures between accesses: they may call memcpy() (W8)."""
    scalars = {
        t.text
        for d in context.declared
        if any(integer(t.text) for t in d[:3])
        for t in d
        if declares(d, t.text)
    }
    for _, trees in run.between(exits.dropped):
        for part in (part for tree in trees for part in walk(tree)):
            if not isinstance(part, Binary) or part.operator != "=":
                continue
            known = any(e.name in scalars | _SCALARS for e in (part.left, part.right))
            if not known and isinstance(part.right, (Name, Member, Index, Unary)):
                if not isinstance(part.right, Unary) or part.right.operator == "*":
                    yield f"{context.of(part)} must not copy a structure in the window"
