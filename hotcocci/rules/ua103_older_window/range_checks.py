# SPDX-License-Identifier: GPL-2.0
"""Find access_ok() in conditions, and drop it before accesses that check their range, or become accesses that do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Literal,
    Member,
    SizeOf,
    Unary,
    calls,
)
from hotcocci.c.source import COMMENT, NAME, closing
from hotcocci.c.syntax import Statement, condition, following
from hotcocci.findings import READ, READ_WRITE, WRITE, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.context_conditions import lock_held_at
from hotcocci.rewrite.exits import Exit, read_exit
from hotcocci.rewrite.layout import columns, padding, squeeze, without_lines
from hotcocci.rewrite.statements import range_check
from hotcocci.rewrite.window import Instead, Refusal, Subject
from hotcocci.rules.ua103_older_window.scope_pointers import elsewhere, unchecked_caller

_GET_PUT = re.compile(r"(?:__)?(?:get|put)_user")
_COPY = re.compile(r"(?:__)?copy_(from|to)_user")
LESS = "members that are not accessed are no longer checked"
CALLERS = "callers must not rely on the check"
ZEROED = "if the range is not in user space, {}() zeroes {}"


@dataclass(frozen=True)
class Access:
    """One access: its pointer, the kernel's side, and the size in bytes of a copy."""

    call: Call
    name: str
    pointer: Expr
    value: Expr
    size: Expr | None

    @property
    def direction(self) -> str:
        """Whether it reads or writes user memory."""
        return READ if "get" in self.name or "from" in self.name else WRITE

    @property
    def unchecked(self) -> bool:
        """Whether it does not check its range itself."""
        return self.name.startswith("__")


@dataclass(frozen=True)
class Check:
    """A range check at the start of an if statement, and the accesses right after it.

    ``operands`` are those of the condition's ``||`` chain, of which the first is the check; ``exit`` is that of
    the check and of the accesses. ``others`` are all other accesses through the pointer.
    """

    statement: Statement
    operands: tuple[Expr, ...]
    pointer: Expr
    size: Expr
    exit: Exit
    accesses: tuple[Access, ...]
    others: tuple[Access, ...]


def range_checks(context: Context) -> Iterator[Check]:
    """The range checks of a function that an access through the same pointer follows."""
    for statement in context.function.statements:
        found = _check(statement, context)
        if found is not None:
            yield found


def _check(statement: Statement, context: Context) -> Check | None:
    if statement.kind != "if" or len(statement.children) != 1:
        return None
    operands = tuple(_operands(condition(context.source, statement)))
    leave = read_exit(context.source, statement.children[0])
    checked = range_check(operands[0])
    if checked is None or leave is None:
        return None
    pointer, size = checked.arguments[-2:]
    own = [a for a in map(_access, operands[1:]) if a is not None]
    through = [a for a in own if _through(a, pointer, context)]
    if len(through) < len(operands) - 1:
        return None
    for after in following(statement):
        chained = _accesses_of(after, leave, context)
        if not chained or not all(_through(a, pointer, context) for a in chained):
            break
        through += chained
    starts = {a.call.start for a in through}
    every = [a for a in accesses(context) if _through(a, pointer, context)]
    others = [a for a in every if a.call.start not in starts]
    if not any(a.call.start > statement.start for a in every):
        return None
    return Check(
        statement, operands, pointer, size, leave, tuple(through), tuple(others)
    )


def accesses(context: Context) -> Iterator[Access]:
    """All accesses of a function, outside windows."""
    for _, part in context.graph.expressions():
        found = _access(part)
        if found is not None:
            yield found


def _unlike(check: Check, context: Context) -> Refusal:
    """Why none of the accesses right after a check relies on it."""
    for after in following(check.statement)[:1]:
        if after.kind == "if":
            found = map(_access, _operands(condition(context.source, after)))
            through = (a and _through(a, check.pointer, context) for a in found)
            if any(through):
                leave = read_exit(context.source, after.children[0])
                alike = leave is not None and leave.key == check.exit.key
                reason = "range-differs" if alike else "exit-differs"
                return Refusal(reason, context.line(after))
    return Refusal("check-not-first", context.line(check.statement))


def same(one: Expr, other: Expr, context: Context) -> bool:
    """Whether two expressions have the same text but for white space."""
    return context.key(one) == context.key(other)


def _operands(test: Expr) -> Iterator[Expr]:
    """The operands of a chain of ``||``."""
    if isinstance(test, Binary) and test.operator == "||":
        yield from _operands(test.left)
        yield from _operands(test.right)
    else:
        yield test


def _access(expr: Expr) -> Access | None:
    if not isinstance(expr, Call):
        return None
    name, arguments = expr.callee, expr.arguments
    if _GET_PUT.fullmatch(name) and len(arguments) == 2:
        return Access(expr, name, arguments[1], arguments[0], None)
    copy = _COPY.fullmatch(name)
    if copy is not None and len(arguments) == 3:
        user, kernel = (1, 0) if copy[1] == "from" else (0, 1)
        return Access(expr, name, arguments[user], arguments[kernel], arguments[2])
    return None


def _accesses_of(statement: Statement, leave: Exit, context: Context) -> list[Access]:
    """The accesses of ``if (A || B) leave;`` with this exit; none for any other statement."""
    if statement.kind != "if" or len(statement.children) != 1:
        return []
    own = read_exit(context.source, statement.children[0])
    if own is None or own.key != leave.key:
        return []
    tests = list(_operands(condition(context.source, statement)))
    found = [a for a in map(_access, tests) if a is not None]
    return found if len(found) == len(tests) else []


def _through(access: Access, pointer: Expr, context: Context) -> bool:
    """Whether an access is through a pointer ``p``, as ``p`` or as ``&p->m``."""
    place = access.pointer
    if same(place, pointer, context):
        return True
    if not (isinstance(place, Unary) and place.operator == "&"):
        return False
    place = place.operand
    while isinstance(place, Member):
        if place.operator == "->":
            return same(place.object, pointer, context)
        place = place.object
    return False


def renamed(at: int, new: str, context: Context) -> Edit:
    """Rename the call at an offset; arguments on further lines stay aligned with its parenthesis."""
    source = context.source
    tokens = source.code_between(at, context.body.end)
    name, last = tokens[0], closing(tokens, 1)
    end = tokens[last].end if last is not None else name.end
    first, *rest = source.text[at:end].split("\n")
    if not rest:
        return Edit(at, name.end, new)
    column = columns(source.text[source.text.rfind("\n", 0, at) + 1 : name.end]) + 1
    moved = [
        padding(column + len(new) - len(name.text)) + line.lstrip()
        if columns(line) - columns(line.lstrip()) == column
        else line
        for line in rest
    ]
    return Edit(at, end, "\n".join([new + first.removeprefix(name.text), *moved]))


def subject(check: Check, context: Context) -> Subject:
    """The subject of a finding: the check and the accesses after it."""
    every = (*check.accesses, *check.others)
    ways = {access.direction for access in every}
    after = [a for a in every if a.call.start > check.statement.start]
    first = min(after, key=lambda a: a.call.start)
    return Subject(
        context,
        check.statement.start,
        max(a.call.end for a in after),
        f"access_ok() before {first.name}() in {context.function.name}()",
        squeeze(context.of(check.pointer)),
        ways.pop() if len(ways) == 1 else READ_WRITE,
        len(check.accesses) or len(after),
    )


def without_check(check: Check, context: Context) -> Instead | Refusal:
    """Drop a range check, and make the accesses that rely on it check their own ranges."""
    source = context.source
    line = source.line_of(check.statement.start)
    end = max([check.statement.end, *(a.call.end for a in check.accesses)])
    if source.has_directive(check.statement.start, end):
        return Refusal("ifdef", line)
    dropped = _dropped(check, context)
    lost = source.tokens_between(dropped.start, dropped.end)
    if any(t.kind == COMMENT for t in lost):
        return Refusal("other-form", line)
    start = next(b for b in context.graph.blocks if b.holds(check.pointer.start))
    allowed = [
        (a.pointer.start, a.pointer.end) for a in (*check.accesses, *check.others)
    ]
    allowed.append((check.statement.start, check.operands[0].end))
    used = elsewhere(check.pointer, start, allowed, context)
    if used is None:
        used = unchecked_caller(context)
    if used is not None:
        return Refusal("pointer-elsewhere", source.line_of(used))
    if not check.accesses:
        return _unlike(check, context)
    if check.exit.value != "-EFAULT" and check.exit.target is None:
        return Refusal("other-form", line)
    if calls(check.pointer) or calls(check.size):
        return Refusal("side-effect-argument", line)
    if lock_held_at(check.statement.start, context) or any(
        t.kind == NAME and t.text.startswith("pagefault_") for t in context.tokens
    ):
        return Refusal("faults-disabled", line)
    for access in check.accesses:
        if not _covered(access, check, context):
            return Refusal("range-differs", source.line_of(access.call.start))
    if all(a.size is not None and not _is_constant(a.size) for a in check.accesses):
        return Refusal("maybe-empty", line)
    for access in check.others:
        known = any(
            same(access.pointer, a.pointer, context) and a.size is None
            for a in check.accesses
        )
        if access.unchecked and not known:
            return Refusal("range-differs", source.line_of(access.call.start))
    changed = [a for a in (*check.accesses, *check.others) if a.unchecked]
    edits = [dropped]
    edits += [renamed(a.call.start, _checking(a, context), context) for a in changed]
    names_ = dict.fromkeys(_checking(a, context) for a in changed)
    instead = f"use {' and '.join(f'{n}()' for n in names_)}" if names_ else "drop it"
    return Instead(instead, tuple(edits), tuple(_notes(check, context)), shape="check")


def _covered(access: Access, check: Check, context: Context) -> bool:
    """Whether the check is of the object that an access is part of, or of just its bytes."""
    if access.size is not None:
        return same(access.size, check.size, context) and same(
            access.pointer, check.pointer, context
        )
    pointer = context.key(check.pointer)
    return context.key(check.size) in (f"sizeof(*{pointer})", f"sizeof(*({pointer}))")


def _checking(access: Access, context: Context) -> str:
    """The name of the access that checks its range; inline where a profile has the function."""
    name = access.name.removeprefix("__")
    options = context.options
    if access.size is None and options.features.user_inline and options.hot is not None:
        return f"{name}_inline" if context.hot else name
    return name


def _dropped(check: Check, context: Context) -> Edit:
    """Remove the check's operand, or its statement with its lines."""
    text, statement = context.source.text, check.statement
    if len(check.operands) > 1:
        return Edit(text.index("(", statement.start) + 1, check.operands[1].start, "")
    return without_lines(statement.start, statement.end, context.source.text)


def _is_constant(size: Expr) -> bool:
    """Whether a size is a number or a sizeof: then it is not 0."""
    return isinstance(size, (Literal, SizeOf))


def _notes(check: Check, context: Context) -> Iterator[str]:
    if not any(same(a.pointer, check.pointer, context) for a in check.accesses):
        yield LESS
    yield CALLERS
    for access in check.accesses:
        if access.direction == READ and not context.is_local(access.value):
            value = squeeze(context.of(access.value))
            yield ZEROED.format(_checking(access, context), value)
            return
