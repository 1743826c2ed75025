# SPDX-License-Identifier: GPL-2.0
"""The ioctl commands that headers define: direction, type and size of their argument."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from hotcocci.c.constants import Macro, evaluate, interface, macro_of, view
from hotcocci.c.headers import Header
from hotcocci.c.source import NAME, arguments_in, tokenize
from hotcocci.c.text import size_of
from hotcocci.findings import READ, READ_WRITE, WRITE

# include/uapi/asm-generic/ioctl.h. The kernel reads what _IOW names and writes what _IOR does.
_DIRECTIONS = {"_IO": "", "_IOR": WRITE, "_IOW": READ, "_IOWR": READ_WRITE}
_BASE = frozenset(
    [*_DIRECTIONS, *(f"{name}_BAD" for name in _DIRECTIONS if name != "_IO"), "_IOC"]
)
_BITS = {"_IOC_NONE": "", "_IOC_READ": WRITE, "_IOC_WRITE": READ}
_CALL = re.compile(r"\(?\s*(\w+)\s*\((.*)\)\s*\)?$", re.DOTALL)
_MOST = 8


@dataclass(frozen=True)
class Command:
    """An ioctl command.

    ``direction`` is what the kernel does with the argument: read, write, rw, or nothing. ``type`` is
    its magic number, None if unknown; ``header`` is where it is defined, relative to the tree ``root``.
    ``measured`` is the type of the argument, or in `_IOC` an expression of its size.
    """

    root: Path
    header: str
    name: str
    direction: str
    type: int | None
    measured: str
    is_type: bool

    @cached_property
    def size(self) -> int | None:
        """The argument's size in bytes on a 64-bit machine, None if unknown.

        A tree has thousands of commands, and few are asked for theirs.
        """
        if self.is_type:
            return size_of(self.root, self.header, self.measured)
        return _value(self.root, self.header, self.measured)


def _value(root: Path, file: str, text: str) -> int | None:
    return evaluate(root, file, text, lambda type_: size_of(root, file, type_))


def commands(root: Path, file: str) -> dict[str, Command]:
    """All commands that a file and the headers it includes define, by name."""
    found: dict[str, Command] = {}
    for header in _defining(root, file):
        for name, each in defined(root, _relative(root, header)).items():
            found.setdefault(name, each)
    return found


@lru_cache(maxsize=65536)
def command(root: Path, file: str, name: str) -> Command | None:
    """The command of this name that a file or a header it includes defines; None if there is none."""
    # There are thousands of commands, and few are named.
    for header in _defining(root, file):
        if name in header.defines:
            macros = view(header.path).definitions(name)
            found = _defined(root, _relative(root, header), name, macros)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=64)
def _defining(root: Path, file: str) -> tuple[Header, ...]:
    """A file, and the headers that it includes that may define commands."""
    path = root / file
    found = interface(root, file)
    return tuple(h for h in found if "_IO" in h.text or h.path == path)


def _relative(root: Path, header: Header) -> str:
    return str(header.path.relative_to(root))


@lru_cache(maxsize=1024)
def defined(root: Path, file: str) -> dict[str, Command]:
    """The commands that one file defines itself, by name."""
    every = view(root / file).macros.items()
    known = ((name, _defined(root, file, name, macros)) for name, macros in every)
    return {name: each for name, each in known if each is not None}


def _defined(
    root: Path, file: str, name: str, macros: Sequence[Macro]
) -> Command | None:
    """The command that a file defines by these macros of one name, if any."""
    if len(macros) != 1 or macros[0].parameters is not None or not macros[0].body:
        return None
    return _command(root, file, name, macros[0].body)


def _command(root: Path, file: str, name: str, body: str) -> Command | None:
    text = body
    for _ in range(_MOST):
        match = _CALL.match(text)
        if match is None:
            # An alias of another command
            macro = macro_of(root, file, text) if text.isidentifier() else None
            if macro is None or macro.parameters is not None:
                return None
            text = macro.body
            continue
        called, given = match[1], arguments_in(match[2])
        if called in _BASE:
            return _made(root, file, name, called, given)
        macro = macro_of(root, file, called)
        # All macros for commands expand to _IOC() in the end.
        if macro is None or "IO" not in macro.body:
            return None
        expanded = _expanded(macro, given)
        if expanded is None:
            return None
        text = expanded
    return None


def _expanded(macro: Macro, arguments: list[str]) -> str | None:
    """The expansion of a macro with these arguments; None if it pastes or their number differs."""
    if macro.parameters is None or len(macro.parameters) != len(arguments):
        return None
    if "##" in macro.body or "..." in macro.parameters:
        return None
    given = dict(zip(macro.parameters, arguments, strict=True))
    parts, done = [], 0
    for token in tokenize(macro.body):
        if token.kind == NAME and token.text in given:
            parts += [macro.body[done : token.start], given[token.text]]
            done = token.end
    return "".join(parts) + macro.body[done:]


def _made(
    root: Path, file: str, name: str, called: str, arguments: list[str]
) -> Command | None:
    if called == "_IOC":
        if len(arguments) != 4:
            return None
        bits = {b.strip(" ()") for b in arguments[0].split("|")}
        if not bits <= _BITS.keys():
            return None
        directions = {_BITS[bit] for bit in bits} - {""}
        direction = READ_WRITE if len(directions) > 1 else "".join(directions)
        type_ = _value(root, file, arguments[1])
        return Command(root, file, name, direction, type_, arguments[3], False)
    direction = _DIRECTIONS[called.removesuffix("_BAD")]
    if len(arguments) != (3 if direction else 2):
        return None
    type_ = _value(root, file, arguments[0])
    measured = arguments[2] if direction else "0"
    return Command(root, file, name, direction, type_, measured, bool(direction))
