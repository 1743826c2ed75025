# SPDX-License-Identifier: GPL-2.0
"""Expressions that may be evaluated inside a window: calls that only compute, and indexes that nothing checks."""

from __future__ import annotations


from hotcocci.c.expression import Call, Expr, Index, Member, Name, Opaque, calls, walk
from hotcocci.c.source import called, tokenize
from hotcocci.c.typed import field_of, type_of
from hotcocci.rewrite.base import constant
from hotcocci.rewrite.context import Context
from hotcocci.tree.uaccess_safe import PRECEDENTED

# No configuration calls anything for these macros.
_COMPUTE = PRECEDENTED | frozenset(
    (
        "READ_ONCE ARRAY_SIZE BIT BIT_ULL IS_ENABLED"
        " upper_32_bits lower_32_bits upper_16_bits lower_16_bits"
        " min max min_t max_t min3 max3 clamp clamp_t clamp_val"
        " u64_to_user_ptr"
        " cpu_to_le16 cpu_to_le32 cpu_to_le64 le16_to_cpu le32_to_cpu le64_to_cpu"
        " cpu_to_be16 cpu_to_be32 cpu_to_be64 be16_to_cpu be32_to_cpu be64_to_cpu"
        " htons htonl ntohs ntohl"
    ).split()
)

_CHANGES = frozenset(("=", "+=", "-=", "|=", "&=", "++", "--", "[", "{", "*"))


def only_computes(name: str) -> bool:
    """Whether a macro or function is known to only compute."""
    return name in _COMPUTE


def outside_calls(expr: Expr) -> tuple[Call | Opaque, ...]:
    """The calls in an expression that may do more than compute."""
    found = calls(expr)
    computing = [call for call in found if _computes(call)]
    # min_t(unsigned int, a, b) is not parsed: its first argument is a type.
    plain = {id(a) for call in computing for a in call.children() if _is_plain(a)}
    return tuple(c for c in found if c not in computing and id(c) not in plain)


def _computes(call: Call | Opaque) -> bool:
    if not isinstance(call, Call) or not isinstance(call.function, Name):
        return False
    return only_computes(call.function.text)


def _is_plain(argument: Expr) -> bool:
    """Whether the text of arguments calls, assigns and indexes nothing."""
    if not isinstance(argument, Opaque):
        return False
    tokens = tokenize(argument.text)
    if any(token.text in _CHANGES for token in tokens):
        return False
    return all(only_computes(token.text) for token in called(tokens))


def variable_indexes(expr: Expr) -> list[Index]:
    """Every ``a[i]`` in an expression whose index is not a constant."""
    return [
        e
        for e in walk(expr)
        if isinstance(e, Index)
        and constant(e.index) is None
        and not (e.index.name.isupper())
    ]


def has_checked_index(expr: Expr, context: Context) -> bool:
    """Whether the index of what may be an array is variable: UBSAN_BOUNDS would add a call.

    It adds none for a pointer, nor for a flexible array without __counted_by().
    """
    indexes = variable_indexes(expr)
    if not indexes:
        return False
    known = context.types
    return any(_may_be_checked(e.object, known, context) for e in indexes)


def _may_be_checked(indexed: Expr, known: dict[str, str], context: Context) -> bool:
    root, file = context.where
    if not isinstance(indexed, Member):
        return not (type_of(root, file, indexed, known) or "").endswith("*")
    found = field_of(root, file, indexed, known)
    if found is None:
        return True
    counted = any(word.startswith("__counted_by") for word in found.attributes)
    if found.bounds:
        return counted or found.bounds != ("",)
    return counted or not found.stars
