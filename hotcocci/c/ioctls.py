# SPDX-License-Identifier: GPL-2.0
"""Find the ioctl commands in headers: direction, type and size of their argument."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from hotcocci.c.constants import Macro, evaluate, interface, macro_of, view
from hotcocci.c.source import NAME, split, tokenize
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


@lru_cache(maxsize=64)
def commands(root: Path, file: str) -> dict[str, Command]:
    """All commands that a file and the headers it includes define, by name."""
    found: dict[str, Command] = {}
    for header in interface(root, file):
        if "_IO" in header.text or header.path == root / file:
            relative = str(header.path.relative_to(root))
            for name, command in defined(root, relative).items():
                found.setdefault(name, command)
    return found


@lru_cache(maxsize=1024)
def defined(root: Path, file: str) -> dict[str, Command]:
    """The commands that one file defines itself, by name."""
    found = {}
    for name, macros in view(root / file).macros.items():
        if len(macros) == 1 and macros[0].parameters is None and macros[0].body:
            command = _command(root, file, name, macros[0].body)
            if command is not None:
                found[name] = command
    return found


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
        called, arguments = match[1], _arguments(match[2])
        if called in _BASE:
            return _made(root, file, name, called, arguments)
        macro = macro_of(root, file, called)
        # All macros for commands expand to _IOC() in the end.
        if macro is None or "IO" not in macro.body:
            return None
        expanded = _expanded(macro, arguments)
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


def _arguments(text: str) -> list[str]:
    pieces = split(tokenize(text), ",")
    return [text[p[0].start : p[-1].end] if p else "" for p in pieces]
