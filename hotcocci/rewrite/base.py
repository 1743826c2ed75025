# SPDX-License-Identifier: GPL-2.0
"""The expressions of an access: its user pointer and the offset from it, and what may be evaluated inside a window.

The type of the leftmost object decides: a ``__user`` pointer is the base
itself; otherwise the object is in kernel memory and the user pointer is one of its
members."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import Macro, macros_named
from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Member,
    Name,
    Opaque,
    Postfix,
    Unary,
    assigned,
    calls,
    canonical,
    computed,
    names,
    uncast,
    walk,
)
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import called, tokenize
from hotcocci.c.typed import field_of, type_of
from hotcocci.rewrite.context import Context
from hotcocci.tree.kernel import PRECEDENTED

PLAIN = "plain"  # an identifier
MEMORY = "memory"  # a pointer kept in a structure or an array
CAST = "cast"  # cast from an integer or another pointer inside the access
INDEXED = "indexed"  # one array element with a variable index: &p->array[i]
CALL = "call"  # computed by a call: compat_ptr(x), u64_to_user_ptr(x)

FIELD = "field"  # &base->field
ELEMENT = "element"  # base, base + 2, &base[2], &base[2].field
STEP = "step"  # base++
ADVANCED = "advanced"  # (T *)base, and base += sizeof(T) after it


# No configuration calls anything for these macros.
COMPUTE = PRECEDENTED | frozenset(
    (
        "READ_ONCE ARRAY_SIZE BIT BIT_ULL IS_ENABLED"
        " upper_32_bits lower_32_bits upper_16_bits lower_16_bits"
        " min max min_t max_t min3 max3 clamp clamp_t clamp_val"
        " u64_to_user_ptr abs offsetof offsetofend sizeof_field"
        " cpu_to_le16 cpu_to_le32 cpu_to_le64 le16_to_cpu le32_to_cpu le64_to_cpu"
        " cpu_to_be16 cpu_to_be32 cpu_to_be64 be16_to_cpu be32_to_cpu be64_to_cpu"
        " htons htonl ntohs ntohl"
    ).split()
)

# Functions that may be out of line, and change nothing that anybody sees: one call more is not noticed.
READ = frozenset(
    (
        "current_cred current_user_ns current_uid current_gid current_euid current_egid current_fsuid"
        " current_fsgid from_kuid from_kuid_munged from_kgid from_kgid_munged from_kprojid"
        " from_kprojid_munged pid_nr pid_vnr pid_nr_ns task_pid_nr task_pid_vnr task_tgid_nr task_tgid_vnr"
        " ktime_to_ns ktime_to_us ktime_to_ms jiffies_to_msecs jiffies_to_usecs jiffies_to_clock_t"
        " jiffies_64_to_clock_t nsec_to_clock_t new_encode_dev old_encode_dev huge_encode_dev"
        " high2lowuid high2lowgid atomic_read atomic64_read atomic_long_read refcount_read test_bit"
    ).split()
)

_CHANGES = frozenset(("=", "+=", "-=", "|=", "&=", "++", "--", "[", "{", "*"))


# get_current() is inline and only loads.
_LOADS = frozenset(("current", "get_current"))
# Deeper nesting is a cycle.
_MOST = 8


@dataclass(frozen=True)
class Base:
    """The user pointer of one access.

    ``key`` is for comparing bases (casts removed), ``text`` is the source to emit.
    ``place`` is the kind of the access path; ``index`` is the element, below 0 if
    it is before the base, None if it is not a constant. ``through_cast`` is set if the address was cast after it was taken,
    so that the access width is not the field's. ``outer`` is the base that an indexed
    element belongs to. ``past`` are the sizes of the objects before an advanced one.
    """

    key: str
    text: str
    kind: str
    place: str
    index: int | None
    through_cast: bool
    expr: Expr
    outer: Base | None = None
    past: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """The variables that it is computed from."""
        return names(self.expr)


def _kind(expr: Expr) -> str:
    if isinstance(expr, Name):
        return PLAIN
    if isinstance(expr, Cast):
        return CAST
    if isinstance(expr, (Call, Opaque)):
        return CALL
    return MEMORY


def spine(expr: Expr) -> list[Expr]:
    """An lvalue and the objects that contain it: ``p->a.b[i]``, ``p->a.b``, …, ``p``."""
    chain = [expr]
    while isinstance(chain[-1], (Member, Index)):
        chain.append(chain[-1].object)
    return chain


def _cut(lvalue: Expr, kernel: frozenset[str]) -> Expr:
    """The part of ``&lvalue`` that is the user pointer; a name that is in doubt is one itself."""
    chain = spine(lvalue)
    origin = chain[-1]
    if isinstance(origin, Cast) and "__user" in origin.type:
        return origin
    arrows = [e for e in chain if isinstance(e, Member) and e.operator == "->"]
    if arrows and arrows[0].object is not origin:
        # Only the last dereference can be in user memory.
        return arrows[0].object
    if origin.name and origin.name not in kernel:
        return origin
    indexes = [e for e in chain if isinstance(e, Index)]
    if arrows and not indexes:
        return arrows[0].object
    if indexes and isinstance(origin, Name):
        # The object is in kernel memory: the base is the user pointer that is indexed.
        return indexes[-1].object
    return arrows[0].object if arrows else lvalue


def find_base(pointer: Expr, context: Context) -> Base:
    """Return the base of an access whose second argument is ``pointer``."""
    text, user = context.source.text, context.user

    def made(expr: Expr, place: str, index: int | None, through_cast: bool) -> Base:
        bare = uncast(expr)
        written = text[expr.start : expr.end]
        key = canonical(text[bare.start : bare.end])
        while (
            key.startswith("(")
            and key.endswith(")")
            and not isinstance(bare, (Call, Opaque))
        ):
            key = key[1:-1]
        return Base(key, written, _kind(expr), place, index, through_cast, expr)

    inner = uncast(pointer)
    cast = pointer is not inner
    if isinstance(inner, Unary) and inner.operator == "&":
        lvalue = inner.operand
        origin = spine(lvalue)[-1]
        if isinstance(origin, Unary) and origin.operator == "*":
            own, steps = origin.operand, spine(lvalue)
            arrows = [e for e in steps if isinstance(e, Member) and e.operator == "->"]
            if own.name in user and not arrows:
                return made(own, FIELD, 0, cast)  # &(*p)[i], &(*p).field
        cut = _cut(lvalue, context.kernel)
        below = [e for e in spine(lvalue) if e.start == cut.start and e.end > cut.end]
        if below and isinstance(below[-1], Index) and below[-1].object is cut:
            return made(cut, ELEMENT, computed(below[-1].index), cast)
        return made(cut, FIELD, 0, cast)
    if isinstance(inner, Postfix) or (
        isinstance(inner, Unary) and inner.operator in ("++", "--")
    ):
        return made(inner.operand, STEP, None, cast)
    if isinstance(inner, Binary) and inner.operator in ("+", "-"):
        left, index = inner.left, computed(inner.right)
        if inner.operator == "-" and index is not None:
            index = -index
        if isinstance(left, Postfix):
            return made(left.operand, STEP, None, cast)
        if (
            isinstance(left, Binary)
            and left.operator == "+"
            and left.right.name.isupper()
        ):
            return made(left.left, ELEMENT, None, cast)  # base + MACRO + 1
        return made(left, ELEMENT, index, cast)
    if isinstance(inner, (Member, Index)):
        origin = spine(inner)[-1]
        user_root = origin.name in user
        user_root = user_root or (isinstance(origin, Cast) and "__user" in origin.type)
        if user_root and len(spine(inner)) > 1:
            return made(origin, FIELD, 0, cast)  # an array member that decays
        return made(inner, ELEMENT, 0, cast)
    return made(pointer if cast else inner, ELEMENT, 0, False)


def outside_calls(expr: Expr) -> tuple[Call | Opaque, ...]:
    """The calls in an expression that may do more than compute."""
    found = calls(expr)
    computing = [call for call in found if call.callee in COMPUTE]
    # min_t(unsigned int, a, b) is not parsed: its first argument is a type.
    plain = {id(a) for call in computing for a in call.children() if _is_plain(a)}
    return tuple(c for c in found if c not in computing and id(c) not in plain)


def _is_plain(argument: Expr) -> bool:
    """Whether the text of arguments calls, assigns and indexes nothing."""
    if not isinstance(argument, Opaque):
        return False
    tokens = tokenize(argument.text)
    if any(token.text in _CHANGES for token in tokens):
        return False
    return all(token.text in COMPUTE for token in called(tokens))


def variable_indexes(expr: Expr) -> list[Index]:
    """Every ``a[i]`` in an expression whose index is not a constant."""
    return [
        e
        for e in walk(expr)
        if isinstance(e, Index)
        and computed(e.index) is None
        and not (e.index.name.isupper())
    ]


def has_checked_index(expr: Expr, context: Context) -> bool:
    """Whether the index of what may be an array is variable: UBSAN_BOUNDS would add a call.

    It adds none for a pointer, nor for a flexible array without __counted_by().
    """
    return any(_may_be_checked(e.object, context) for e in variable_indexes(expr))


def _may_be_checked(indexed: Expr, context: Context) -> bool:
    (root, file), known = context.where, context.types
    if not isinstance(indexed, Member):
        return not (type_of(root, file, indexed, known) or "").endswith("*")
    found = field_of(root, file, indexed, known)
    if found is None:
        return True
    counted = any(word.startswith("__counted_by") for word in found.attributes)
    if found.bounds:
        return counted or found.bounds != ("",)
    return counted or not found.stars


def acting(expr: Expr, context: Context) -> str | None:
    """The name of a macro in an expression that calls something or assigns, as ``#define NOW ktime_get()``."""
    for name in _plain_names(expr):
        if not context.owns(name) and _acts(*context.where, name, False, _MOST):
            return name
    return None


def is_constant(name: str, context: Context) -> bool:
    """Whether a name has one value, as an enumerator or a macro of numbers in capitals has."""
    return name.isupper() and not _varies(*context.where, name, _MOST)


def _plain_names(expr: Expr) -> list[str]:
    """The names in an expression that nothing calls."""
    called = {id(part.function) for part in walk(expr) if isinstance(part, Call)}
    return [part.name for part in walk(expr) if part.name and id(part) not in called]


def _bodies(root: Path, file: str, name: str, called: bool) -> tuple[Macro, ...]:
    """The definitions of a macro, with parameters if it is called."""
    found = set(macros_named(root, file, name))
    return tuple(m for m in found if called == (m.parameters is not None))


@lru_cache(maxsize=4096)
def _acts(root: Path, file: str, name: str, called: bool, left: int) -> bool:
    if name in _LOADS or name in COMPUTE or name.startswith("__builtin_"):
        return False
    found = _bodies(root, file, name, called)
    return (called and not found) or any(_does(root, file, m.body, left) for m in found)


def _does(root: Path, file: str, body: str, left: int) -> bool:
    """Whether the body of a macro calls a function or assigns; one that joins words makes a number, as UL(1)."""
    if not body or "##" in body:
        return False
    tree = parse_text(body)
    if not left or isinstance(tree, Opaque) or assigned(tree):
        return True
    callees = (part.callee for part in walk(tree) if isinstance(part, Call))
    return any(_acts(root, file, name, True, left - 1) for name in callees) or any(
        _acts(root, file, name, False, left - 1) for name in _plain_names(tree)
    )


@lru_cache(maxsize=4096)
def _varies(root: Path, file: str, name: str, left: int) -> bool:
    found = _bodies(root, file, name, False)
    return not left or any(_changes(root, file, m.body, left) for m in found)


def _changes(root: Path, file: str, body: str, left: int) -> bool:
    """Whether the body of a macro is made of more than numbers and other macros of numbers."""
    tree = parse_text(body)
    memory = any(isinstance(part, (Member, Index, Opaque)) for part in walk(tree))
    return (
        memory
        or _does(root, file, body, left)
        or any(
            not name.isupper() or _varies(root, file, name, left - 1)
            for name in _plain_names(tree)
        )
    )
