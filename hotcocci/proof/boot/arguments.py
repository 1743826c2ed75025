# SPDX-License-Identifier: GPL-2.0
"""Decide whether a function can be called with generated arguments, and generate them.

Kernel pointers get a struct filled with bytes. A function that follows a pointer in there oopses,
at the latest in its old version, and is then not proven.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c import types
from hotcocci.proof.boot.functions import Function, Parameter

SCALAR = "SCALAR"
USER = "USER"
RECORD = "RECORD"
# Size of a user buffer that is moved across page boundaries if the type has no size.
UNKNOWN_SIZE = 128
# The driver has room for this many arguments.
MOST = 8


@dataclass(frozen=True)
class Argument:
    """How the driver makes an argument.

    ``kind`` is one of the driver's kinds. ``size`` is a C expression for the size of what it points
    to, or of itself. ``type`` is the type that the passed word is cast to.
    """

    kind: str
    type: str
    size: str


class NotCallable(Exception):
    """A function that cannot be tested with generated arguments; the message says why."""


def arguments(root: Path, file: str, function: Function) -> tuple[Argument, ...]:
    """Describe the arguments of a function of this file.

    Raises NotCallable.
    """
    parameters = function.parameters
    if parameters is None:
        raise NotCallable("its parameter list cannot be parsed")
    if len(parameters) > MOST:
        raise NotCallable(f"it has more than {MOST} parameters")
    if "*" not in function.returns and re.search(
        r"\b(struct|union)\b", function.returns
    ):
        raise NotCallable("it returns a struct")
    return tuple(_argument(root, file, function, p) for p in parameters)


def collects(function: Function) -> bool:
    """Whether a function accumulates the errors of its accesses and so continues after a fault.

    Matches ``err |= put_user()`` and ``put_user() | put_user()``.
    """
    access = r"(?:__)?(?:get|put)_user|copy_(?:to|from)_user"
    return bool(
        re.search(rf"(?:\|=|\+=)[^;]*\b(?:{access})\b", function.reached)
        or re.search(
            rf"\b(?:{access})\s*\([^;]*\)\s*\|\s*(?:{access})\b", function.reached
        )
    )


def copies(function: Function) -> bool:
    """Whether a function copies to or from user memory, which a fault leaves partly done."""
    return bool(re.search(r"\b(?:__)?copy_(?:to|from)_user\b", function.reached))


def unchecked(function: Function) -> bool:
    """Whether a function has user accesses that do not check the address."""
    access = r"__(?:(?:get|put)_user|copy_(?:to|from)_user)"
    return bool(re.search(rf"\b{access}\b", function.reached))


def constants(function: Function) -> tuple[str, ...]:
    """Named constants that a function compares with, such as the cases of a switch."""
    found = re.findall(r"\bcase\s+([A-Z]\w*)\s*:", function.text)
    found += re.findall(r"[!=]=\s*([A-Z][A-Z0-9_]+)\b(?!\s*\()", function.text)
    return tuple(dict.fromkeys(found))


def _argument(
    root: Path, file: str, function: Function, parameter: Parameter
) -> Argument:
    type_, name = parameter.type, parameter.name
    stars = type_.count("*")
    if stars and "__user" in type_:
        plain = type_.replace("__user", "").split()
        known = [w for w in plain if w not in ("const", "volatile", "*")] != ["void"]
        size = f"sizeof(*({type_})0)" if known or stars > 1 else str(UNKNOWN_SIZE)
        return Argument(USER, type_, size)
    if stars > 1:
        raise NotCallable(f"{name} points to pointers")
    if stars:
        return Argument(RECORD, type_, f"sizeof(*({_pointed(function, parameter)})0)")
    cast = _user_cast(function, name)
    if cast is not None:
        return Argument(USER, type_, cast)
    kind = types.place(root, file, type_, []).kind
    if kind not in (types.SCALAR, types.WIDE):
        raise NotCallable(f"{name} has type {type_}, which may not be an integer")
    return Argument(SCALAR, type_, f"sizeof({type_})")


def _pointed(function: Function, parameter: Parameter) -> str:
    """The type a kernel pointer points to; for void * that of the variable it is assigned to."""
    if "void" not in parameter.type.split():
        return parameter.type
    local = re.search(rf"\b(struct \w+ \*) ?\w+ = {parameter.name};", function.text)
    if local is None:
        raise NotCallable(f"the type that {parameter.name} points to is not known")
    return local[1]


def _user_cast(function: Function, name: str) -> str | None:
    """The size of what an integer parameter points to if it is cast to a user pointer."""
    cast = re.search(
        rf"\(\s*((?:const\s+)?(?:struct\s+|union\s+)?\w+)\s+__user\s*\*\s*\)\s*{name}\b",
        function.text,
    )
    if cast and cast[1] not in ("void", "const void"):
        return f"sizeof({cast[1]})"
    if cast or re.search(rf"\bcompat_ptr\s*\(\s*{name}\s*\)", function.text):
        return str(UNKNOWN_SIZE)
    return None
