# SPDX-License-Identifier: GPL-2.0
"""The sizes that a copy is called with: how many ioctl commands, or callers, use each of them.

The commands are those that headers define."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

from hotcocci.c.constants import (
    Macro,
    View,
    evaluate,
    interface,
    macro_of,
    view,
    view_of,
)
from hotcocci.c.flow import closure
from hotcocci.c.functions import Functions
from hotcocci.c.headers import Header
from hotcocci.c.source import NAME, arguments_in, closing, split, tokenize
from hotcocci.c.text import size_of
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rewrite.calls import Copy
from hotcocci.rules.ua203_runtime_size.callers import (
    callers,
    callers_values,
    constant,
    in_folder,
    is_static,
)

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
    return tuple(h for h in interface(root, file) if "_IO" in h.text or h.path == path)


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


# Without a size this small, little more than a call is saved: __tun_chr_ioctl() in 7.2,
# which reads 32 or 40 bytes, went from 67 to 68 instructions.
SMALL_BYTES = 16
# Larger copies are what copy_from_user() is for.
MOST_BYTES = 64
# A size of fewer than one copy in so many is left to the general copy.
SHARE = 40
# Each size adds code.
MOST_SIZES = 6
# Maximum nesting of macros that paste a command's name.
_NESTED = 3

_TYPE_TEST = re.compile(
    r"\b_IOC_TYPE\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*[!=]=\s*('[^']+'|\w+)"
)
_EXPORT = re.compile(r"\bEXPORT_SYMBOL\w*\s*\(\s*(\w+)")


@dataclass(frozen=True)
class Histogram:
    """The number of uses of each size. ``unknown`` counts those whose size the headers do not define.

    ``of`` is what was counted.
    """

    sizes: tuple[tuple[int, int], ...]
    unknown: int
    of: str

    @property
    def total(self) -> int:
        """The number of uses with a known, nonzero size."""
        return sum(count for size, count in self.sizes if size)

    @property
    def frequent(self) -> tuple[int, ...]:
        """The sizes that deserve code of their own, smallest first.

        They are 4 bytes and multiples of 8 up to `MOST_BYTES`, each of one use in `SHARE` or more; the most
        frequent ones if there are more than `MOST_SIZES`.
        """
        fit = [
            (count, -size)
            for size, count in self.sizes
            if (size == 4 or 0 < size <= MOST_BYTES and size % 8 == 0)
            and count * SHARE >= self.total
        ]
        return tuple(sorted(-size for _, size in sorted(fit)[-MOST_SIZES:]))

    def mostly(self, copied: Collection[int]) -> bool:
        """Whether at least half of what was counted has one of these sizes."""
        inline = sum(count for size, count in self.sizes if size in copied)
        return 2 * inline >= self.total

    def __str__(self) -> str:
        listed = ", ".join(f"{size} ({count})" for size, count in self.sizes)
        more = f"; {self.unknown} of unknown size" if self.unknown else ""
        return f"bytes (how many of {self.of}): {listed or 'none'}{more}"


def of_commands(copy: Copy, text: str) -> Histogram | None:
    """The sizes of the commands handled by a dispatcher; None if none was found.

    These are the commands named in its file, in a table or in a switch. A dispatcher that is exported, or whose
    file names none, also gets other files' commands: all of the same type in the header directories, or those
    named by the callers in its directory.
    """
    root, file = copy.context.where
    seen = view_of(text)
    own = _named(_dispatching(seen.text, copy.context.function.name), root, file, seen)
    origin = f"commands that {Path(file).name} names"
    if own and _exported(copy.context.function.name, text):
        types = {each.type for each in own.values()} - {None}
        own |= _of_types(root, {c.header for c in own.values()}, types)
        origin = f"commands of type {_spelled(types)}"
    if not own:
        types = _tested(root, file, text)
        known = commands(root, file) if types else {}
        own = {n: c for n, c in known.items() if c.type in types}
        origin = f"commands of type {_spelled(types)}"
    if not own:
        own = _of_folder(copy)
        origin = f"commands that the callers of {copy.context.function.name}() name"
    fitting = [c for c in own.values() if c.direction in (copy.direction, READ_WRITE)]
    return _counted((c.size for c in fitting), origin) if fitting else None


def of_callers(copy: Copy, text: str, place: int) -> Histogram | None:
    """The sizes that callers pass for a parameter, None if none of them passes a constant."""
    function = copy.context.function.name
    of = partial(constant, copy.context.options.root)
    sizes = callers_values(callers(copy, text), function, place, of)
    if not any(sizes):
        return None
    return _counted(sizes, f"callers of {function}()")


def _counted(sizes: Iterable[int | None], of: str) -> Histogram:
    counted = Counter(sizes)
    unknown = counted.pop(None, 0)
    known = sorted((size, count) for size, count in counted.items() if size is not None)
    return Histogram(tuple(known), unknown, f"{counted.total() + unknown} {of}")


def _named(text: str, root: Path, file: str, own: View) -> dict[str, Command]:
    """The commands whose names are in a file's text, or are pasted together by its macros."""
    words = set(re.findall(r"\b[A-Za-z_]\w*\b", text))
    pasting = _pasting(own)
    tokens = tokenize(text) if pasting else []
    for index, token in enumerate(tokens[:-1]):
        prefixes = pasting.get(token.text, {}) if token.kind == NAME else {}
        last = closing(tokens, index + 1) if tokens[index + 1].text == "(" else None
        if not prefixes or last is None:
            continue
        pieces = split(tokens[index + 2 : last], ",")
        arguments = ["".join(t.text for t in piece) for piece in pieces]
        for place, before in prefixes.items():
            words.add(before + (arguments[place] if place < len(arguments) else ""))
    known = ((name, command(root, file, name)) for name in words)
    return {name: each for name, each in known if each is not None}


def _pasting(own: View) -> dict[str, dict[int, str]]:
    """The file's macros that paste a name: index of the argument, and the prefix."""
    found: dict[str, dict[int, str]] = {}
    for _ in range(_NESTED):
        for name, macros in own.macros.items():
            parameters = macros[0].parameters
            if len(macros) > 1 or not parameters:
                continue
            body = macros[0].body
            for before, pasted in re.findall(r"\b(\w+)\s*##\s*(\w+)", body):
                if pasted in parameters:
                    found.setdefault(name, {})[parameters.index(pasted)] = before
            for inner, prefixes in list(found.items()):
                for call in re.finditer(rf"\b{inner}\s*\(([^()]*)\)", body):
                    arguments = [a.strip() for a in call[1].split(",")]
                    for place, before in prefixes.items():
                        if place < len(arguments) and arguments[place] in parameters:
                            own_place = parameters.index(arguments[place])
                            found.setdefault(name, {}).setdefault(own_place, before)
    return found


def _dispatching(text: str, function: str) -> str:
    """The parts of a file that show the commands of a dispatcher.

    They are all code outside of functions (tables), the function itself, its callers and its callees.
    """
    bodies = Functions(text).bodies
    own = next((body.text for body in bodies if body.name == function), "")
    kept: list[str] = []
    done = 0
    for body in bodies:
        kept.append(text[done : body.start])
        done = body.end
        calls_it = re.search(rf"\b{function}\b", body.text)
        called = re.search(rf"\b{body.name}\s*\(", own)
        if body.name == function or calls_it or called:
            kept.append(text[body.start : body.end])
    return "".join([*kept, text[done:]])


def _exported(function: str, text: str) -> bool:
    """Whether other files can call a function: it, or a caller of it in this file, is exported."""
    exported = set(_EXPORT.findall(text))
    bodies = Functions(text).bodies

    def callers(name: str) -> list[str]:
        called = re.compile(rf"\b{name}\b")
        return [b.name for b in bodies if called.search(b.text)]

    reached = closure([function], callers)
    return not exported.isdisjoint(reached)


def _of_types(
    root: Path, headers: set[str], types: set[int | None]
) -> dict[str, Command]:
    """The commands of these types in the directories of uapi headers."""
    found: dict[str, Command] = {}
    for folder in sorted({Path(h).parent for h in headers if "uapi" in Path(h).parts}):
        for header in sorted((root / folder).glob("*.h")):
            if "_IO" in view(header).text:
                for name, command in defined(
                    root, str(header.relative_to(root))
                ).items():
                    if command.type in types:
                        found.setdefault(name, command)
    return found


def _tested(root: Path, file: str, text: str) -> set[int | None]:
    """The types that a file compares commands with."""
    values = {
        evaluate(root, file, word, lambda _: None) for word in _TYPE_TEST.findall(text)
    }
    return values - {None}


def _of_folder(copy: Copy) -> dict[str, Command]:
    """The commands named in the directory's files that call a non-static function."""
    if is_static(copy):
        return {}
    root, file = copy.context.where
    function = copy.context.function.name
    found: dict[str, Command] = {}
    for other in in_folder(root, file):
        seen = view(other)
        if re.search(rf"\b{function}\s*\(", seen.text):
            found |= _named(seen.text, root, str(other.relative_to(root)), seen)
    return found


def _spelled(types: Iterable[int | None]) -> str:
    return " and ".join(
        f"{chr(t)!r}" for t in sorted(t for t in types if t is not None)
    )
