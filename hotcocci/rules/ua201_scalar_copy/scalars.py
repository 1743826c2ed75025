# SPDX-License-Identifier: GPL-2.0
"""Replace a copy of one scalar by get_user() or put_user()."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Cast,
    Conditional,
    Expr,
    calls,
    uncast,
)
from hotcocci.c.model import BOOL, INTEGER, POINTER, Layout
from hotcocci.c.syntax import innermost
from hotcocci.c.text import layout
from hotcocci.c.typed import plain, record
from hotcocci.findings import READ
from hotcocci.rewrite.copies.calls import Copy, lvalue, without_user_casts
from hotcocci.rewrite.copies.in_runs import dies_on_fault, may_be_cold
from hotcocci.rewrite.copies.instead import instead, is_unaligned, stays
from hotcocci.rewrite.declarations import is_changed
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.ranges import fetches_eight
from hotcocci.rewrite.window import Instead, Refusal

_CAST = re.compile(r"\((?P<type>[\w ]+ __user \*)\)(?P<name>[A-Za-z_]\w*)")
# Not the name of one argument, as in drivers/vhost/scsi.c: u32 __user *eventsp = argp
_GENERAL = re.compile(r"[a-z]{1,3}\d*|\w*(?:arg|user|ptr)\w*")
UNTYPED = (
    "the type of {} does not promise an alignment to {} bytes: a machine without unaligned"
    " accesses may fault where user space passes an odd address"
)
PARTLY = (
    "where it faults half-way the copy leaves what it had loaded, get_user() zeroes"
)
# Only copy_from_user() zeroes the bytes it did not copy (include/linux/uaccess.h).
OLD = "on a fault __copy_from_user() leaves the old value, __get_user() zeroes"
UNKNOWN = (
    "no header that was found tells what {} points to: the cast goes where that has {} bytes"
    " already; where not, a machine without unaligned accesses may fault where user space"
    " passes an odd address"
)


@dataclass(frozen=True)
class PointerCast:
    """A variable, and the type that it is cast to, up to the star; ``sizes`` are those of what it points to."""

    type: str
    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Scalar(Instead):
    """The access that replaces a copy, and the cast of its pointer if it needs one."""

    cast: PointerCast | None = None


def judge_scalar(copy: Copy, local: str | None = None) -> Scalar | Refusal:
    """Return the access for a copy of a scalar's size, or the first condition it fails.

    ``local`` is used in place of a pointer that needs a cast.
    """
    size = copy.size_layout
    assert size is not None
    reason = _object(copy, size)
    if reason is None and calls(copy.kernel):
        reason = "side-effect-argument"
    if reason is not None:
        return Refusal(reason, copy.line)
    refusal = stays(copy, copy.user, max(size.sizes))
    if refusal is not None:
        return refusal
    if copy.direction == READ and is_wide(copy) and not fetches_eight(copy.context):
        return Refusal("u64-arm32", copy.line)
    pointer, notes = _pointer(copy)
    if pointer.startswith("(") and isinstance(copy.user, (Binary, Conditional)):
        if pointer != copy.text(copy.user):
            return Refusal("untyped-sum", copy.line)
    if copy.direction == READ and not dies_on_fault(copy):
        if copy.access.name.startswith("__"):
            notes += (OLD,)
        elif max(size.sizes) > 1:
            notes += (PARTLY,)
    match = _CAST.fullmatch(pointer)
    cast = PointerCast(match["type"], match["name"], size.sizes) if match else None
    arguments = squeeze(lvalue(copy)), local or squeeze(pointer)
    made = instead(copy, _name(copy), *arguments, notes=notes)
    return Scalar(**vars(made), cast=cast)


def _object(copy: Copy, size: Layout) -> str | None:
    """Refuse unless the kernel object is a scalar of the copied size."""
    object_ = copy.kernel_layout
    if object_ is None:
        return _without_layout(copy)
    if object_.kind == BOOL:
        return "bool"
    if object_.kind == POINTER:
        return "pointer-value"
    if object_.kind != INTEGER or object_.sizes != size.sizes:
        return "size-differs"
    return None


def _without_layout(copy: Copy) -> str:
    """Why an object of unknown layout is not copied as a scalar."""
    type_ = copy.kernel_type
    if type_ == "void":
        return "untyped"
    if type_ is None:
        return "type-unknown"
    root, file = copy.context.where
    part = type_.endswith("]") or record(root, file, type_) is not None
    return "size-differs" if part else "type-unknown"


def is_wide(copy: Copy) -> bool:
    """Whether eight bytes are copied, on processors of 32 bits as well."""
    return copy.size_layout is not None and min(copy.size_layout.sizes) == 8


def _name(copy: Copy) -> str:
    """The accessor: checked if the copy was, inline if a profile has the function and the tree has it.

    Its kernel-doc asks for a demonstrable performance reason (include/linux/uaccess.h).
    """
    reads = copy.direction == READ
    base = "get_user" if reads else "put_user"
    if copy.access.name.startswith("__"):
        return f"__{base}"
    options = copy.context.options
    if options.hot is None or not (copy.context.hot and options.features.user_inline):
        return base
    # On a fault get_user_inline() stores nothing; the copy and get_user() store zeroes.
    if may_be_cold(copy) or reads and not dies_on_fault(copy):
        return base
    return f"{base}_inline"


def _pointer(copy: Copy) -> tuple[str, tuple[str, ...]]:
    """The user pointer with a type of the right width, and notes on it."""
    object_, place = copy.kernel_layout, copy.user_layout
    assert object_ is not None and copy.kernel_type is not None
    width = max(object_.sizes)
    aligned = width == 1 or is_unaligned(copy)
    known = (
        copy.user_type is not None or calls(copy.user) or isinstance(copy.user, Cast)
    )
    note = UNTYPED if known else UNKNOWN
    user = squeeze(copy.text(uncast(copy.user)))
    notes = () if aligned else (note.format(user, width),)
    if place is not None and place.kind == INTEGER and place.sizes == object_.sizes:
        return copy.text(copy.user), ()
    pointer = without_user_casts(copy.user)
    typed = _typed_local(copy, pointer)
    if typed is not None:
        return typed, notes
    const = "const " if "const" in (copy.user_type or "").split() else ""
    type_ = copy.kernel_type.removeprefix("const ")
    if type_ in ("unsigned", "signed"):
        type_ += " int"  # checkpatch.pl asks for "int".
    return f"({const}{type_} __user *){copy.text(pointer)}", notes


def _typed_local(copy: Copy, pointer: Expr) -> str | None:
    """A local that is declared as this pointer, cast to one to integers of the right size: ``int __user *ip = p``."""
    context, object_ = copy.context, copy.kernel_layout
    root, file = context.where
    known = context.variables
    for local in known:
        words = [token.text for token in local.value]
        if words[:1] == ["("] and ")" in words:
            words = words[words.index(")") + 1 :]
        target = plain(local.type)
        if words != [copy.text(pointer)] or not target.endswith(" *"):
            continue
        if not _GENERAL.fullmatch(local.name.text):
            continue
        found = layout(root, file, target.removesuffix(" *"))
        alone = sum(v.name.text == local.name.text for v in known) == 1
        names = (local.name.text, copy.text(pointer))
        fixed = alone and not any(is_changed(name, context.tokens) for name in names)
        if found and object_ and fixed:
            if found.kind == INTEGER and found.sizes == object_.sizes:
                if (
                    local.name.start
                    < copy.start
                    < innermost(context.function, local.name.start).end
                ):
                    return local.name.text
    return None
