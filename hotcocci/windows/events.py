# SPDX-License-Identifier: GPL-2.0
"""The names in the user access API (include/linux/uaccess.h), and what an expression does to user access, in evaluation order."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hotcocci.c.expression import (
    ASSIGNMENTS,
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Opaque,
    Postfix,
    SizeOf,
    Unary,
    canonical,
)
from hotcocci.c.source import called, tokenize
from hotcocci.findings import READ, READ_WRITE, WRITE

_STATEMENTS = re.compile(r"\(\s*\{")
_ASM = re.compile(r"\b_*asm(?:_\w+)?\b")


@dataclass(frozen=True)
class Begin:
    """A function that opens a window of this flavour; ``masked`` ones cannot fail.

    A helper that ``stores`` the masked pointer through an argument has no result.
    """

    flavour: str
    masked: bool = False
    stores: bool = False


@dataclass(frozen=True)
class Accessor:
    """An access that is only allowed inside a window.

    ``pointer`` and ``label`` are argument indices, negative from the end. ``size`` is the index
    of the length in bytes, None if it takes none.
    """

    direction: str
    pointer: int
    label: int = -1
    size: int | None = None


BEGINS = {
    "user_access_begin": Begin(READ_WRITE),
    "user_rw_access_begin": Begin(READ_WRITE),
    "user_read_access_begin": Begin(READ),
    "user_write_access_begin": Begin(WRITE),
    "masked_user_access_begin": Begin(READ_WRITE, masked=True),
    "masked_user_rw_access_begin": Begin(READ_WRITE, masked=True),
    "masked_user_read_access_begin": Begin(READ, masked=True),
    "masked_user_write_access_begin": Begin(WRITE, masked=True),
}
ENDS = {
    "user_access_end": READ_WRITE,
    "user_rw_access_end": READ_WRITE,
    "user_read_access_end": READ,
    "user_write_access_end": WRITE,
}
SCOPES = {
    f"scoped_user_{word}_access{size}": flavour
    for word, flavour in (("read", READ), ("write", WRITE), ("rw", READ_WRITE))
    for size in ("", "_size")
}
ACCESSORS = {
    "unsafe_get_user": Accessor(READ, 1),
    "unsafe_put_user": Accessor(WRITE, 1),
    "arch_unsafe_get_user": Accessor(READ, 1),
    "arch_unsafe_put_user": Accessor(WRITE, 1),
    "unsafe_copy_from_user": Accessor(READ, 1, size=2),
    "unsafe_copy_to_user": Accessor(WRITE, 0, size=2),
    "unsafe_try_cmpxchg_user": Accessor(READ_WRITE, 0),
    "unsafe_atomic_store_release_user": Accessor(WRITE, 1),
}
RETURN = "return"
SAVE = "user_access_save"
RESTORE = "user_access_restore"
PRIMITIVES = frozenset({*ACCESSORS, *BEGINS, *ENDS, *SCOPES, SAVE, RESTORE})
END_OF = {
    READ: "user_read_access_end",
    WRITE: "user_write_access_end",
    READ_WRITE: "user_access_end",
}


def permits(flavour: str, direction: str) -> bool:
    """Whether a window of this flavour allows accesses in this direction."""
    return flavour in (READ_WRITE, direction)


@dataclass(frozen=True)
class Opened:
    """A begin. ``into`` is the variable that takes its result, ``when`` its value on success.

    If it fails, a macro may leave the function, or jump to one of ``labels``.
    """

    at: int
    name: str
    begin: Begin
    into: str | None = None
    when: bool | None = True
    returns: bool = False
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ended:
    """An end of the given flavour."""

    at: int
    name: str
    flavour: str


@dataclass(frozen=True)
class Saved:
    """user_access_save(), or user_access_restore() if ``restored``."""

    at: int
    restored: bool


@dataclass(frozen=True)
class Accessed:
    """An unsafe access. ``labels`` are its fault labels; a macro that ``returns`` may leave the function."""

    at: int
    name: str
    directions: tuple[str, ...]
    labels: tuple[str, ...]
    returns: bool = False


@dataclass(frozen=True)
class Called:
    """Any other call of a function or function-like macro.

    ``name`` is empty for a call through a pointer, RETURN for a return between the brackets of an expression. ``last`` is the last argument, which is the size
    in memcpy() and the like. ``labels`` are the labels a macro may jump to.
    """

    at: int
    name: str
    last: Expr | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Changed:
    """An assignment to a variable, or to an object reached through it if not ``direct``.

    ``value`` is the text of the constant assigned, None for anything else, ``copied`` that of the variable.
    """

    at: int
    name: str
    value: str | None
    direct: bool
    copied: str = ""


@dataclass(frozen=True)
class Hidden:
    """A macro or function that opens, uses or ends a window in a way that is not followed, and ``why``."""

    at: int
    why: str


Event = Opened | Ended | Saved | Accessed | Called | Changed | Hidden


@dataclass(frozen=True)
class Helper:
    """The effect of a macro or inline function outside the API on user access.

    ``directions`` are those of the accesses in a macro, ``label`` the index of its label
    parameter; ``accesses`` is true of a function that has some, for its caller's window. ``opens`` is true if it opens and ends a window of its own. If ``opened`` is set,
    it returns with a window open for its caller when its value is ``opened_when``, None for any value, as
    that of a masked begin. ``ends`` is
    the flavour of the end that it runs for its caller. ``returns`` is true of a macro that may
    return from the function using it, ``jumps`` are the labels named in its body, ``calls`` the
    other functions called there. ``lost`` tells why its effect is not known; ``plain`` ones take no parameters.
    """

    directions: tuple[str, ...] = ()
    label: int | None = None
    opens: bool = False
    opened: Begin | None = None
    opened_when: bool | None = True
    ends: str | None = None
    returns: bool = False
    jumps: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    lost: str = ""
    plain: bool = False
    accesses: bool = False


def events(expr: Expr, helpers: Mapping[str, Helper]) -> Iterator[Event]:
    """The events of evaluating an expression; branches inside it count as taken."""
    if isinstance(expr, Call):
        yield from _call(expr, helpers)
    elif isinstance(expr, Name) and helpers.get(expr.text, Helper()).plain:
        yield Called(expr.start, expr.text)
    elif isinstance(expr, Binary) and expr.operator in ASSIGNMENTS:
        yield from _assignment(expr, helpers)
    elif isinstance(expr, Postfix) or (
        isinstance(expr, Unary) and expr.operator in ("++", "--")
    ):
        yield from events(expr.operand, helpers)
        yield _changed(expr.operand, expr.start, None)
    elif isinstance(expr, SizeOf):
        return
    elif isinstance(expr, Opaque):
        yield from _opaque(expr, helpers)
    elif isinstance(expr, Conditional):
        yield from events(expr.condition, helpers)
        for child in (expr.then, expr.other):
            if child is not expr.condition:
                yield from _if_taken(child, helpers)
    elif isinstance(expr, Binary) and expr.operator in ("&&", "||"):
        yield from events(expr.left, helpers)
        yield from _if_taken(expr.right, helpers)
    else:
        for child in expr.children():
            yield from events(child, helpers)


def _if_taken(expr: Expr, helpers: Mapping[str, Helper]) -> Iterator[Event]:
    """The events of an expression that another one in its statement may skip."""
    for event in events(expr, helpers):
        yield event
        if isinstance(event, Ended | Saved):
            yield Hidden(event.at, "a condition in an expression decides that")


def _opaque(expr: Opaque, helpers: Mapping[str, Helper]) -> Iterator[Event]:
    """The calls in statements in brackets, which are not parsed."""
    if not _STATEMENTS.match(expr.text):
        return
    tokens = tokenize(expr.text)
    for token in tokens:
        if token.text == RETURN:
            yield Called(expr.start + token.start, RETURN)
    for token in called(tokens):
        at, helper = expr.start + token.start, helpers.get(token.text, Helper())
        if (
            token.text in PRIMITIVES
            or helper.opened
            or helper.ends
            or helper.directions
        ):
            yield Hidden(at, f"{token.text}() is in statements in brackets")
        elif not _ASM.search(expr.text):
            yield Called(at, token.text)


def begin_of(
    expr: Expr, helpers: Mapping[str, Helper]
) -> tuple[Call, Begin, bool] | None:
    """The begin whose result is the value of an expression, and that value on success."""
    when = True
    while True:
        if isinstance(expr, Unary) and expr.operator == "!":
            expr, when = expr.operand, not when
        elif isinstance(expr, Cast):
            expr = expr.operand
        elif isinstance(expr, Binary) and expr.operator == "&&" and when:
            expr = expr.right
        elif isinstance(expr, Binary) and expr.operator == "||" and not when:
            expr = expr.right
        elif isinstance(expr, Conditional) and _is_true(expr.then) is not None:
            if _is_true(expr.other) is not (not _is_true(expr.then)):
                return None
            when = when is _is_true(expr.then)
            expr = expr.condition
        elif (compared := tested(expr)) is not None:
            expr, when = compared[0], when is compared[1]
        else:
            break
    if isinstance(expr, Call):
        begin = BEGINS.get(expr.callee)
        if begin is not None and not begin.masked:
            return expr, begin, when
        helper = helpers.get(expr.callee)
        if helper is not None and helper.opened and helper.opened_when is not None:
            return expr, helper.opened, when is helper.opened_when
    return None


def tested(expr: Expr) -> tuple[Expr, bool] | None:
    """The expression whose truth a comparison tests, and the truth that makes it true; None if it tests none.

    Results of begins are 0 and 1, those of functions that return errors 0 and negative.
    """
    if not isinstance(expr, Binary):
        return None
    meant = {("<", "0"): True, (">=", "0"): False, (">", "0"): True}
    meant |= {("==", "1"): True, ("!=", "1"): False}
    meant |= {("==", "true"): True, ("!=", "true"): False}
    truth = meant.get((expr.operator, getattr(expr.right, "text", "")))
    return None if truth is None else (expr.left, truth)


def _is_true(value: Expr) -> bool | None:
    constant = constant_of(value)
    return None if constant is None else constant not in ("0", "false", "NULL")


def accessor_of(call: Call) -> Accessor | None:
    """The accessor that a call uses; None if it calls anything else."""
    return ACCESSORS.get(call.callee)


def argument(call: Call, place: int) -> Expr | None:
    """An argument by index, negative from the end; None if the call has no such argument."""
    if -len(call.arguments) <= place < len(call.arguments):
        return call.arguments[place]
    return None


def _call(call: Call, helpers: Mapping[str, Helper]) -> Iterator[Event]:
    name = _guard(call) or call.callee
    accessor = ACCESSORS.get(name)
    helper = helpers.get(name)
    if not name:
        yield from events(call.function, helpers)
    for child in call.arguments:
        yield from events(child, helpers)
    if name in BEGINS:
        yield Opened(call.start, name, BEGINS[name])
    elif name in ENDS:
        yield Ended(call.start, name, ENDS[name])
    elif name in (SAVE, RESTORE):
        yield Saved(call.start, name == RESTORE)
    elif accessor is not None:
        labels = _labels(call, Helper(label=accessor.label))
        yield Accessed(call.start, name, (accessor.direction,), labels)
        target = argument(call, 0)
        if target is not None and accessor.direction != "write":
            yield _changed(target, call.start, None)
    elif helper is not None and helper.directions:
        labels = _labels(call, helper)
        yield Accessed(call.start, name, helper.directions, labels, helper.returns)
    elif helper is not None and helper.opened is not None:
        leaving = helper.returns, _labels(call, helper)
        yield Opened(
            call.start, name, helper.opened, None, helper.opened_when, *leaving
        )
    elif helper is not None and helper.ends is not None:
        yield Ended(call.start, name, helper.ends)
    elif name or isinstance(call.function, (Member, Index, Unary)):
        yield Called(call.start, name, argument(call, -1), _labels(call, helper))
        for child in call.arguments:
            if isinstance(child, Unary) and child.operator == "&":
                yield _changed(child.operand, call.start, None)


def _guard(call: Call) -> str:
    """``guard(mutex)`` for ``guard(mutex)(&lock)`` and its scoped form; empty for any other call."""
    inner = call.function if isinstance(call.function, Call) else call
    if inner.callee != ("scoped_guard" if inner is call else "guard"):
        return ""
    kind = argument(inner, 0)
    return f"guard({kind.text})" if isinstance(kind, Name) else ""


def _labels(call: Call, helper: Helper | None) -> tuple[str, ...]:
    """The labels that a call may jump to, from its arguments and the macro's body."""
    if helper is None:
        return ()
    label = argument(call, helper.label) if helper.label is not None else None
    return (*helper.jumps, *((label.text,) if isinstance(label, Name) else ()))


def _assignment(expr: Binary, helpers: Mapping[str, Helper]) -> Iterator[Event]:
    begun = begin_of(expr.right, helpers) if expr.operator == "=" else None
    if begun is not None and isinstance(expr.left, Name):
        call, begin, when = begun
        for child in call.arguments:
            yield from events(child, helpers)
        yield _changed(expr.left, expr.start, None)
        yield Opened(call.start, call.callee, begin, expr.left.text, when)
        return
    yield from events(expr.right, helpers)
    if not isinstance(expr.left, Name):
        yield from events(expr.left, helpers)
    yield _changed(expr.left, expr.start, expr.right if expr.operator == "=" else None)


def _changed(target: Expr, at: int, value: Expr | None) -> Changed:
    direct = isinstance(target, Name)
    while not isinstance(target, Name) and target.children():
        target = target.children()[0]
    name = target.name
    constant = constant_of(value) if direct and value else None
    copied = value.name if value is not None else ""
    return Changed(at, name, constant, direct, copied)


def constant_of(value: Expr) -> str | None:
    """The text of a value that is a number or a named constant; None otherwise."""
    text = canonical(_spelled(value))
    return text or None


def _spelled(value: Expr) -> str:
    if isinstance(value, Literal):
        return value.text
    if isinstance(value, Name) and (
        value.text.isupper() or value.text in ("true", "false")
    ):
        return value.text
    if isinstance(value, Unary) and value.operator == "-":
        inner = _spelled(value.operand)
        return f"-{inner}" if inner else ""
    return ""
