# SPDX-License-Identifier: GPL-2.0
"""Small copies as accesses of a run: alone, or joined to the accesses to the same user object beside them.

Beside a window a copy would check the range and open user access again.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from hotcocci.c.expression import (
    Expr,
    Index,
    Name,
    Unary,
    assigned,
    calls,
    pointee,
    uncast,
    walk,
)
from hotcocci.c.model import BOOL, INTEGER, RECORD, Layout
from hotcocci.c.source import COMMENT, STRING, Token
from hotcocci.c.syntax import DECLARATION, condition, enclosing, innermost
from hotcocci.c.text import layout, size_of_object
from hotcocci.c.typed import plain
from hotcocci.findings import READ, Access
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.base import has_checked_index
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.context_conditions import targets
from hotcocci.rewrite.calls import COPIES, Called, Copy, call_of, in_packed, lvalue
from hotcocci.rewrite.copies import LARGEST, SCALARS, opens_more
from hotcocci.rewrite.exits import FAULT
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.ranges import fetches_eight
from hotcocci.rewrite.runs import Run, accesses_of, owner, sequences
from hotcocci.rewrite.shapes import exits_of
from hotcocci.rewrite.statements import ACCUMULATE, ASSIGN, CHAIN, Copied, UserAccess
from hotcocci.rewrite.window import COPY, Refusal

NAMED = "a nearby comment or message still says {}()"
# A comment up to this many lines above a copy may refer to it.
_NEAR = 4
# A cache line: unsafe_copy_to_user() of 64 bytes is eight stores.
MOST_WRITTEN = 64


def as_run(copy: Copy, members: tuple[str, ...] = ()) -> Run | None:
    """The copy as a run by itself; None if its statement is not understood.

    ``members`` are the paths of the members that are accessed one by one.
    """
    context = copy.context
    function = context.function
    base = bases.find_base(copy.user, context)
    value = pointee(uncast(copy.kernel))
    access = _as_access(copy, value, base, _copied(copy, members))
    if owner(function, copy.start).kind == DECLARATION:
        return None
    for sequence in sequences(function, [access]):
        for index, statement in enumerate(sequence):
            if access in statement.accesses:
                return Run(function, (access,), sequence, index, index)
    return None


def _copied(copy: Copy, members: tuple[str, ...]) -> Copied:
    kernel, size = squeeze(copy.text(copy.kernel)), squeeze(copy.text(copy.size))
    return Copied(squeeze(lvalue(copy)), kernel, size, members)


def _as_access(copy: Copy, value: Expr, base: bases.Base, copied: Copied) -> UserAccess:
    way, user = copy.direction, copy.user
    return UserAccess(copy.access, copy.start, copy.end, way, value, user, base, copied)


def dies_on_fault(copy: Copy) -> bool:
    """Whether the kernel object is dead after a fault."""
    run = as_run(copy)
    if run is None or not copy.context.is_local(run.accesses[0].value):
        return False
    exits = exits_of(run, copy.context)
    return not isinstance(exits, Refusal) and targets(run, copy.context, exits) is None


def may_be_cold(copy: Copy) -> bool:
    """Whether a copy may be cold although its function is hot.

    Neither a function profile nor the hot lists distinguish the cases of a dispatcher; for other branches,
    likely() and unlikely() do, here or on the same variable elsewhere in the file.
    """
    context = copy.context
    statement = innermost(context.function, copy.start)
    for parent in enclosing(statement):
        if parent.kind == "switch":
            return True
        if parent.kind == "if":
            test = condition(context.source, parent)
            word = "unlikely" if statement is parent.children[0] else "likely"
            if test.callee == word:
                return True
            if isinstance(test, Name) and statement is parent.children[0]:
                if _is_unlikely(test.text, context):
                    return True
        statement = parent
    return False


def _is_unlikely(variable: str, context: Context) -> bool:
    """Whether a file says that a pointer is seldom set, in another function or branch."""
    said = rf"\bunlikely\(\s*{re.escape(variable)}\s*(?:!=\s*NULL\s*)?\)"
    return re.search(said, context.source.text) is not None


def name_notes(
    copy: Called, kinds: tuple[str, ...] = (COMMENT, STRING)
) -> tuple[str, ...]:
    """A note if a nearby comment or message names the function that is no longer called."""
    name = copy.access.name
    mentioned = any(
        t.kind in kinds and re.search(rf"\b{name}\b", t.text) for t in nearby(copy)
    )
    return (NAMED.format(name),) if mentioned else ()


def nearby(copy: Called) -> list[Token]:
    """The tokens of a copy's statement and the lines above it, with all of a comment that begins before."""
    source, body = copy.context.source, copy.context.body
    first = source.line_starts[max(copy.line - _NEAR, 1) - 1]
    end = innermost(copy.context.function, copy.start).end
    return [t for t in source.tokens_between(body.start, end) if t.end > first]


def joining_copies(context: Context) -> list[UserAccess]:
    """The copies of a function that may be part of a run with other accesses.

    SmPL matches get_user() and put_user() here; copies are found in the text.
    """
    found = (call_of(context, access) for access in _copies(context))
    copies = [copy for copy in found if isinstance(copy, Copy)]
    objects = {bases.find_base(copy.user, context).key for copy in copies}
    # Their types take long, and most are of objects that no access is to.
    if not copies or objects.isdisjoint(a.base.key for a in accesses_of(context)):
        return []
    return [access for access in map(_joining, copies) if access is not None]


def copied_in(context: Context, direction: str) -> frozenset[str]:
    """The user pointers of the copies of a function in a direction."""
    copies = (call_of(context, access) for access in _copies(context))
    return frozenset(
        context.key(c.user) for c in copies if c and c.direction == direction
    )


def joins(run: Run) -> bool:
    """Whether a run has copies and other accesses, and the copies' results are only tested."""
    copied = [access.copied is not None for access in run.accesses]
    if run.split is not None or not any(copied) or all(copied):
        return False
    return all(
        _is_only_tested(run, index)
        for index in range(run.first, run.last + 1)
        if any(access.copied for access in run.sequence[index].accesses)
    )


def _is_only_tested(run: Run, index: int) -> bool:
    """Whether a statement leaves with -EFAULT, and not with the number of bytes of a copy."""
    statement = run.sequence[index]
    if statement.form == CHAIN:
        return statement.variable is None
    if statement.form not in (ASSIGN, ACCUMULATE):
        return False
    following = run.sequence[run.last + 1 : run.last + 2]
    exit_ = following[0].exit if following else None
    return exit_ is not None and exit_.value == FAULT and exit_.variable is None


def _copies(context: Context) -> Iterator[Access]:
    """The calls of copies in the text of a function."""
    source = context.source
    known = context.function.accesses[0]
    tokens = source.code_between(context.body.start, context.body.end)
    for token, follower in zip(tokens, tokens[1:]):
        if token.text in COPIES and follower.text == "(":
            line = source.line_of(token.start)
            column = source.column(token.start)
            yield Access(token.text, known.function, known.end_line, line, column)


def _joining(copy: Copy) -> UserAccess | None:
    """The copy as an access, None if it cannot become accesses in a window."""
    if any(assigned(side) or calls(side) for side in (copy.kernel, copy.user)):
        return None
    context = copy.context
    base = bases.find_base(copy.user, context)
    whole = copy.user is base.expr
    if base.kind != bases.PLAIN or not (whole or base.place == bases.FIELD):
        return None
    # The range of the window is that of the base's type: no casts, no elements.
    if base.through_cast or any(isinstance(e, Index) for e in walk(copy.user)):
        return None
    value = pointee(copy.kernel)
    if has_checked_index(value, context):
        return None
    members = _members(copy)
    if members is None and (copy.direction == READ or not _is_bounded(copy)):
        return None
    if members is None and COPY not in context.options.features.window_names:
        return None
    unread = _unread(copy, members or ())
    accessed = tuple(m for m in members or () if m not in unread)
    if len(accessed) > 1 and opens_more(copy):
        return None
    copied = replace(
        _copied(copy, accessed),
        part=not whole,
        bytes=_are_bytes(copy, copy.user) and _are_bytes(copy, copy.kernel),
        unread=unread,
    )
    return _as_access(copy, value, base, copied)


def _members(copy: Copy) -> tuple[str, ...] | None:
    """The members that are accessed one by one; None unless these are all of the copied bytes."""
    size, object_, place = copy.size_layout, copy.kernel_layout, copy.user_layout
    if size is None or object_ is None or place is None:
        return None
    if (copy.type(copy.user) or "").endswith("]"):
        return None  # a flexible array is not part of the size
    if copy.kernel_type is None or plain(copy.kernel_type) != plain(
        copy.user_type or ""
    ):
        return None
    if not size.sizes == object_.sizes == place.sizes or max(size.sizes) > LARGEST:
        return None
    if object_.kind != RECORD or object_.members is None or object_.padding:
        return None
    if any(m.kind == BOOL for m in object_.members) or in_packed(copy, copy.user):
        return None
    if copy.direction == READ and has_wide(object_) and not fetches_eight(copy.context):
        return None
    return tuple(member.path for member in object_.members)


def _unread(copy: Copy, members: tuple[str, ...]) -> tuple[str, ...]:
    """The members that a local structure is read into, of which nothing uses the value."""
    context, kernel = copy.context, copy.kernel
    if (
        copy.direction != READ
        or not isinstance(kernel, Unary)
        or kernel.operator != "&"
    ):
        return ()
    local = kernel.operand
    if not isinstance(local, Name) or not any(
        declares(d, local.text) for d in context.declared
    ):
        return ()
    used = set()
    code = context.source.code_between(context.body.start, context.body.end)
    for token, dot, field in zip(code, code[1:], code[2:]):
        own = any(d[0].start <= token.start < d[-1].end for d in context.declared)
        if token.text != local.text or own or copy.start <= token.start < copy.end:
            continue
        if dot.text != ".":
            return ()
        used.add(field.text)
    unread = tuple(m for m in members if re.findall(r"\w+", m)[0] not in used)
    return unread if len(unread) < len(members) else ()


def has_wide(object_: Layout) -> bool:
    """Whether a member has eight bytes on some processor of 32 bits."""
    return any(8 in member.sizes[:2] for member in object_.members or ())


def _is_bounded(copy: Copy) -> bool:
    """Whether a small member is written from its start, and not beyond its end."""
    root, file = copy.context.where
    place = _object(copy, copy.user)
    # UA201 is for single scalars.
    single = copy.size_layout is not None and copy.size_layout.kind in SCALARS
    if place is None or single and not (copy.type(place) or "").endswith("]"):
        return False
    own = copy.object_bytes
    other = size_of_object(root, file, place, copy.variables)
    return (
        own is not None and other is not None and own <= other and own <= MOST_WRITTEN
    )


def _object(copy: Copy, pointer: Expr) -> Expr | None:
    """The object or array that a pointer is written with, None for the value of a pointer."""
    if isinstance(pointer, Unary) and pointer.operator == "&":
        return pointer.operand
    return pointer if (copy.type(pointer) or "").endswith("]") else None


def _are_bytes(copy: Copy, pointer: Expr) -> bool:
    """Whether a pointer is to an array of bytes."""
    place = _object(copy, pointer)
    element, bracket, _ = (copy.type(place) or "" if place else "").partition("[")
    if not bracket:
        return False
    found = layout(*copy.context.where, element)
    return found is not None and found.kind == INTEGER and found.size == 1
