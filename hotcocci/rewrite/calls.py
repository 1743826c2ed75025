# SPDX-License-Identifier: GPL-2.0
"""A call and its arguments, and of a copy: kernel pointer, user pointer and size."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from hotcocci.c.expression import (
    Cast,
    Expr,
    Literal,
    Member,
    Name,
    Unary,
    names,
    number,
    pointee,
    uncast,
    walk,
)
from hotcocci.c.model import BYTES, Layout
from hotcocci.c.parsing import parse_text
from hotcocci.c.text import layout, size_of, size_of_object
from hotcocci.c.typed import record, type_of, variable
from hotcocci.findings import READ, WRITE, Access
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.prefilter import operand_of
from hotcocci.rewrite.statements import read_call

# A type name with optional stars, not a computation nor a variable of unknown type.
_TYPE = re.compile(r"^[A-Za-z_]\w*(?:\s+\w+)*(?:\s*\*)*$")
# get_user(), copy_from_user(), strnlen_user()
_READS = re.compile(r"get_user|from_user|len_user")

COPIES = frozenset(
    {"copy_from_user", "copy_to_user", "__copy_from_user", "__copy_to_user"}
)


@dataclass(frozen=True)
class Called:
    """A call that a semantic patch found; ``start`` and ``end`` span it all.

    ``asked`` holds the compiler's answers for types that the headers' text does not resolve.
    """

    context: Context
    access: Access
    start: int
    end: int
    arguments: tuple[Expr, ...]
    asked: Mapping[str, Layout] = field(default_factory=dict, compare=False)

    @property
    def line(self) -> int:
        """The line of the call, counted from 1."""
        return self.context.line(self)

    @property
    def direction(self) -> str:
        """Whether it reads user memory or writes it, by its name."""
        return READ if _READS.search(self.access.name) else WRITE

    @cached_property
    def user(self) -> Expr:
        """The user pointer: the first argument with a variable that is declared as one or a cast to one."""
        known = self.context.user
        user = (
            each
            for each in self.arguments
            if "__user" in self.text(each) or not known.isdisjoint(names(each))
        )
        return next(user, self.arguments[0])

    @property
    def said(self) -> str:
        """The words for it in a message."""
        return squeeze(self.context.of(self))

    @cached_property
    def variables(self) -> dict[str, str]:
        """The types of the function's variables, and of those outside of it that the call mentions."""
        context = self.context
        used = frozenset[str]().union(*map(names, self.arguments)) - context.names
        outside = {name: context.type_outside(name) for name in used}
        known = {name: type_ for name, type_ in outside.items() if type_ is not None}
        return known | context.types_at(self.start)

    def text(self, expr: Expr) -> str:
        """An expression as written in the file."""
        return self.context.of(expr)

    def pointed(self, pointer: Expr) -> str | None:
        """The type that a pointer points to, None if it is unknown."""
        return self.type(pointee(pointer))

    def type(self, expr: Expr) -> str | None:
        """The type of an expression, None if it is unknown."""
        root, file = self.context.where
        found = type_of(root, file, expr, self.variables)
        if found is None and (declared := self._declared_in_headers(expr)):
            found = type_of(root, file, expr, {**declared, **self.variables})
        return found

    def _declared_in_headers(self, expr: Expr) -> dict[str, str]:
        """The types of variables in an expression that the file does not declare."""
        context = self.context
        unseen = names(expr) - self.variables.keys() - context.names
        root, file = context.where
        found = {name: variable(root, file, name) for name in unseen}
        return {name: type_ for name, type_ in found.items() if type_ is not None}

    def layout(self, type_: str | None) -> Layout | None:
        """The layout of a type, None if it is unknown."""
        if type_ is None:
            return None
        return layout(*self.context.where, type_) or self.asked.get(type_)

    def operand_type(self, operand: str | None) -> str | None:
        """The type of the operand of a ``sizeof``, None if it is unknown."""
        if operand is None:
            return None
        type_ = type_of(*self.context.where, parse_text(operand), self.variables)
        return type_ or (operand if _TYPE.match(operand) else None)

    def measured(self, size: Expr) -> Layout | None:
        """The layout of the type that a size is computed from; bytes without a type for a number."""
        text = self.text(size)
        tree = parse_text(text)
        count = number(text) if isinstance(tree, Literal) else None
        if count is not None:
            return Layout(BYTES, (count,) * 3, (1, 1, 1))
        return self.layout(self.operand_type(operand_of(text)))

    def bytes(self, size: Expr) -> tuple[int, ...]:
        """The number of bytes that a size is on each kind of machine, none if it is not known."""
        found = self.measured(size)
        return () if found is None else found.sizes


class Copy(Called):
    """One copy_{to,from}_user() of three arguments: the two pointers and the size."""

    @property
    def kernel(self) -> Expr:
        """The kernel's side."""
        return self.arguments[0 if self.direction == READ else 1]

    @cached_property
    def user(self) -> Expr:
        """The user's side."""
        return self.arguments[1 if self.direction == READ else 0]

    @property
    def size(self) -> Expr:
        """The number of bytes."""
        return self.arguments[2]

    @property
    def said(self) -> str:
        """The words for it in a message."""
        side = "from" if self.direction == READ else "to"
        base = squeeze(self.text(uncast(self.user)))
        return f"{self.access.name}() of {self._bytes} {side} {base}"

    @property
    def _bytes(self) -> str:
        size = self.size_layout
        if size is None and self.size_bytes:
            parts = self.context.source.file.split("/")
            where = parts[1] if parts[0] == "arch" and parts[1] != "x86" else "x86-64"
            return f"{self.size_bytes} byte{'s' * (self.size_bytes > 1)} on {where}"
        if size is None:
            return "unknown size"
        several = sorted(set(size.sizes))
        what = " or ".join(map(str, several))
        return f"{what} byte{'' if several == [1] else 's'}"

    @cached_property
    def kernel_type(self) -> str | None:
        """The type that the kernel pointer points to, None if it is unknown."""
        return self.pointed(self.kernel)

    @cached_property
    def user_type(self) -> str | None:
        """The type that the user pointer points to, None if it is unknown."""
        return self.pointed(self.user)

    @cached_property
    def kernel_layout(self) -> Layout | None:
        """The layout of the kernel object."""
        return self.layout(self.kernel_type)

    @cached_property
    def user_layout(self) -> Layout | None:
        """The layout of the user object."""
        return self.layout(self.user_type)

    @cached_property
    def size_layout(self) -> Layout | None:
        """The layout of the type that the size is computed from."""
        return self.measured(self.size)

    @property
    def _operand(self) -> str | None:
        """The operand of ``sizeof`` in its size."""
        return operand_of(self.text(self.size))

    @cached_property
    def size_bytes(self) -> int | None:
        """The size in bytes if there is no such layout, on x86-64 or on the file's own architecture."""
        type_ = self.operand_type(self._operand)
        return size_of(*self.context.where, type_) if type_ is not None else None

    @property
    def object_bytes(self) -> int | None:
        """The same, also if the type of the operand of ``sizeof`` has no name."""
        if self._operand is None:
            return None
        operand = parse_text(self._operand)
        known = size_of_object(*self.context.where, operand, self.variables)
        return known or self.size_bytes

    def unresolved_types(self) -> Iterator[str]:
        """The types in the copy that the headers' text does not resolve."""
        for type_ in (
            self.kernel_type,
            self.user_type,
            self.operand_type(self._operand),
        ):
            if type_ and self.layout(type_) is None and not set(type_) & set("*[("):
                yield type_


def copies_of(context: Context) -> list[Copy]:
    """The copies of a function in source order, except those inside macros."""
    return [call for call in calls_of(context) if isinstance(call, Copy)]


def calls_of(context: Context) -> list[Called]:
    """The calls that SmPL matched in a function, in source order, except those inside macros."""
    found = (call_of(context, access) for access in context.function.accesses)
    return sorted((call for call in found if call), key=lambda call: call.start)


def call_of(context: Context, access: Access) -> Called | None:
    """The call that an access is, None in a macro."""
    found = read_call(context.source, access)
    copies = access.name in COPIES
    if found is None or not found[2] or copies and len(found[2]) != 3:
        return None
    return (Copy if copies else Called)(context, access, *found)


def without_user_casts(expr: Expr) -> Expr:
    """A pointer without casts to user pointers."""
    while isinstance(expr, Cast) and "__user" in expr.type:
        expr = expr.operand
    return expr


def in_packed(copy: Called, pointer: Expr) -> bool:
    """Whether a pointer is to a member of a packed structure, at any depth."""
    root, file = copy.context.where
    owners = []
    for part in walk(pointer):
        if isinstance(part, Member):
            owner = type_of(root, file, part.object, copy.variables) or ""
            owners.append(record(root, file, owner.removesuffix("*").strip()))
    # An anonymous structure is part of its parent's text, attributes included.
    nameless = None in owners
    return any(
        "packed" in f"{o.attributes} {o.body * nameless}".lower() for o in owners if o
    )


def lvalue(copy: Copy) -> str:
    """The kernel object as an lvalue: ``x`` for ``&x``, ``*p`` for ``p``.

    A cast is kept if it changes the pointed-to type.
    """
    kernel = uncast(copy.kernel)
    if kernel is not copy.kernel and copy.pointed(kernel) != copy.kernel_type:
        return f"*{copy.text(copy.kernel)}"
    if isinstance(kernel, Unary) and kernel.operator == "&":
        text = copy.text(kernel.operand)
        # A member expression that ends in ")" is parenthesized as a whole.
        bracketed = isinstance(kernel.operand, Member) and text.endswith(")")
        return text[1:-1].strip() if bracketed else text
    text = copy.text(kernel)
    if isinstance(kernel, (Name, Member)) and (copy.type(kernel) or "").endswith("]"):
        return f"{text}[0]"
    return f"*{text}" if isinstance(kernel, Name) else f"*({text})"
