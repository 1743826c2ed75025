# SPDX-License-Identifier: GPL-2.0
"""Whether a function can be called with made-up arguments, and with which.

A kernel pointer leads to a structure that is filled with bytes. A function that follows a pointer
in it ends in an Oops, in the text as it was at the latest, and then nothing is proven.
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
# Bytes that are slid over the edges where the type does not say how many count.
UNKNOWN_SIZE = 128
# As many as the driver has room for.
MOST = 8


@dataclass(frozen=True)
class Argument:
    """How one argument is made.

    ``kind`` is one of the driver's, ``size`` a C expression: the bytes it points to, or its
    own. ``type`` is what the word that is passed is cast to.
    """

    kind: str
    type: str
    size: str


class NotCallable(Exception):
    """A function that made-up arguments would not do justice to; the message says why."""


def arguments(root: Path, file: str, function: Function) -> tuple[Argument, ...]:
    """How the arguments of a function of this file are made; raises NotCallable."""
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
    """Whether a function adds up the errors of its accesses, and so goes on after a fault.

    Either ``err |= put_user()`` or ``put_user() | put_user()``.
    """
    access = r"(?:__)?(?:get|put)_user|copy_(?:to|from)_user"
    return bool(
        re.search(rf"(?:\|=|\+=)[^;]*\b(?:{access})\b", function.reached)
        or re.search(
            rf"\b(?:{access})\s*\([^;]*\)\s*\|\s*(?:{access})\b", function.reached
        )
    )


def copies(function: Function) -> bool:
    """Whether a function copies to or from user memory, of which a fault leaves a part."""
    return bool(re.search(r"\b(?:__)?copy_(?:to|from)_user\b", function.reached))


def unchecked(function: Function) -> bool:
    """Whether a function has accesses that do not check the address themselves."""
    access = r"__(?:(?:get|put)_user|copy_(?:to|from)_user)"
    return bool(re.search(rf"\b{access}\b", function.reached))


def constants(function: Function) -> tuple[str, ...]:
    """What a function compares with by name: the labels of its switches."""
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
    """The type of a kernel pointer; that of a void * is that of what it is assigned to."""
    if "void" not in parameter.type.split():
        return parameter.type
    local = re.search(rf"\b(struct \w+ \*) ?\w+ = {parameter.name};", function.text)
    if local is None:
        raise NotCallable(f"the type that {parameter.name} points to is not known")
    return local[1]


def _user_cast(function: Function, name: str) -> str | None:
    """The size behind a number that the function takes for a user address."""
    cast = re.search(
        rf"\(\s*((?:const\s+)?(?:struct\s+|union\s+)?\w+)\s+__user\s*\*\s*\)\s*{name}\b",
        function.text,
    )
    if cast and cast[1] not in ("void", "const void"):
        return f"sizeof({cast[1]})"
    if cast or re.search(rf"\bcompat_ptr\s*\(\s*{name}\s*\)", function.text):
        return str(UNKNOWN_SIZE)
    return None
