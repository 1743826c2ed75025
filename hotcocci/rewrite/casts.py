# SPDX-License-Identifier: GPL-2.0
"""Accesses through a cast of a member's address: ``(__u64 __user *)&frame->uc.uc_sigmask``."""

from __future__ import annotations

from hotcocci.c.expression import Cast, Index, Unary, walk
from hotcocci.c.text import layout, size_of
from hotcocci.c.typed import type_of
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.statements import UserAccess


def stays_in_member(
    access: UserAccess, owner: str | None, only_arch: bool, context: Context
) -> bool:
    """Whether an access through a cast is no wider than the member whose address is cast.

    ``owner`` is the structure that the base points to. The sizes must be known on all machines,
    with ``only_arch`` on the file's own architecture.
    """
    type_, address = cast_to(access), access.pointer
    while isinstance(address, Cast):
        address = address.operand
    if type_ is None or owner is None or access.base.kind != bases.PLAIN:
        return False
    if not (isinstance(address, Unary) and address.operator == "&"):
        return False
    if any(isinstance(part, Index) for part in walk(address)):
        return False
    root, file = context.options.root, context.source.file
    known = {access.base.key: f"{_plain(owner)} *"}
    member = type_of(root, file, address.operand, known)
    if member is None:
        return False
    if only_arch:
        sizes = size_of(root, file, type_), size_of(root, file, member)
        return None not in sizes and (sizes[0] or 0) <= (sizes[1] or 0)
    own, around = layout(root, file, type_), layout(root, file, member)
    if own is None or around is None:
        return False
    return all(a <= b for a, b in zip(own.sizes, around.sizes, strict=True))


def cast_to(access: UserAccess) -> str | None:
    """The type of the object that an access through a cast is to."""
    if not isinstance(access.pointer, Cast) or access.pointer.type.count("*") != 1:
        return None
    return _plain(access.pointer.type.replace("*", " "))


def _plain(type_: str) -> str:
    return " ".join(w for w in type_.split() if w not in ("const", "__user"))
