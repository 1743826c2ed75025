# SPDX-License-Identifier: GPL-2.0
"""The constants that callers pass for a size parameter."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import evaluate
from hotcocci.c.functions import head
from hotcocci.c.source import COMMENT, closing, split, tokenize
from hotcocci.c.text import size_of
from hotcocci.tree.stamps import entries

# Maps a file, an argument in it, and the text of its function before the call to a
# number.
Value = Callable[[str, str, str], int | None]

# Maximum number of functions followed that pass their caller's size on.
_MOST = 12
_PARAMETER = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\])?\s*$")


def given_sizes(
    root: Path, texts: Mapping[str, str], function: str, place: int
) -> list[int | None]:
    """The constants that calls in some files pass for a parameter.

    None for each call with an unknown value; see `callers_values`.
    """
    return callers_values(texts, function, place, lambda *given: constant(root, *given))


def callers_values(
    texts: Mapping[str, str], function: str, place: int, value: Value
) -> list[int | None]:
    """``value`` of each argument that calls in some files pass for a parameter.

    A caller that passes a parameter of its own counts as its callers do. ``texts`` are
    the files by their names in the tree.
    """
    found: list[int | None] = []
    waiting, seen = [(function, place)], {(function, place)}
    while waiting:
        name, index = waiting.pop()
        for file, text in texts.items():
            for call in _calls(text, name):
                size = call.arguments[index] if len(call.arguments) > index else ""
                passed = _passed_on(text, call, size)
                if passed is None or len(seen) > _MOST:
                    found.append(value(file, size, text[call.header : call.start]))
                elif passed not in seen:
                    seen.add(passed)
                    waiting.append(passed)
    return found


@dataclass(frozen=True)
class _Call:
    """A call in a text: the start of the function around it, its body, and the call itself."""

    header: int
    body: int
    start: int
    arguments: tuple[str, ...]


def _calls(text: str, function: str) -> Iterator[_Call]:
    if function not in text:
        return
    for match in re.finditer(rf"{function}(?<!\w{function})\s*\(", text):
        around = head(text, match.start())
        if around is not None:  # not a prototype, nor the definition itself
            arguments = _arguments(text, match.end() - 1)
            yield _Call(*around, match.start(), arguments)


def in_folder(root: Path, file: str) -> list[Path]:
    """The C files that belong to a file's subsystem.

    They are in its directory, and in architecture directories of the same name:
    virt/kvm and arch/x86/kvm.
    """
    folder = (root / file).parent
    others = (arch for arch in _in_arches(root, folder.name) if arch != folder)
    return [path for each in (folder, *others) for path in _files(each)]


def searched(root: Path, file: str) -> Iterator[tuple[str, ...]]:
    """The files that are searched for the callers and commands of a file, relative to the tree.

    These are the files of its subsystem, and all headers of the user interface.
    """
    folder = (root / file).parent
    for place in (folder, *_in_arches(root, folder.name)):
        yield _relative(root, _files(place))
    yield _interface(root)


@lru_cache(maxsize=256)
def _in_arches(root: Path, name: str) -> tuple[Path, ...]:
    """The architecture directories of a name."""
    places = (f"{arch}/{name}" for arch in entries(f"{root}/arch", ""))
    return tuple(Path(place) for place in places if os.path.isdir(place))


@lru_cache(maxsize=256)
def _files(folder: Path) -> tuple[Path, ...]:
    return tuple(map(Path, entries(str(folder), ".c")))


@lru_cache(maxsize=256)
def _relative(root: Path, files: tuple[Path, ...]) -> tuple[str, ...]:
    return tuple(str(file.relative_to(root)) for file in files)


@lru_cache(maxsize=1)
def _interface(root: Path) -> tuple[str, ...]:
    """All headers of the user interface."""
    tops = (root / "include", *(arch / "include" for arch in (root / "arch").glob("*")))
    found = (
        Path(folder) / name
        for top in sorted(tops)
        for folder, _, names in sorted(os.walk(top / "uapi"))
        for name in sorted(names)
    )
    return _relative(root, tuple(found))


def _arguments(text: str, opening: int) -> tuple[str, ...]:
    """The arguments between the parentheses of a call; none if they are unbalanced."""
    tokens = tuple(
        t
        for t in tokenize(text, opening, min(len(text), opening + 4000))
        if t.kind != COMMENT
    )
    last = closing(tokens, 0)
    if last is None:
        return ()
    return tuple(" ".join(t.text for t in p) for p in split(tokens[1:last], ","))


def _passed_on(text: str, call: _Call, size: str) -> tuple[str, int] | None:
    """The function around a call and the parameter that it passes as size, None for none."""
    header = text[call.header : call.body]
    opening = header.find("(")
    name = re.search(r"(\w+)\s*$", header[:opening]) if opening >= 0 else None
    if name is None or not size.isidentifier():
        return None
    for index, part in enumerate(header[opening:].split(",")):
        found = _PARAMETER.search(part.rstrip(") \t\n"))
        if found and found[1] == size:
            return name[1], index
    return None


def constant(root: Path, file: str, size: str, before: str) -> int | None:
    """The value of a constant; variables' types are searched in the text of its function."""
    return evaluate(root, file, size, lambda o: measured(root, file, o, before))


def measured(root: Path, file: str, operand: str, before: str) -> int | None:
    """The size of the operand of ``sizeof``, given the function's text up to it."""
    known = size_of(root, file, operand)
    return known if known is not None else _variable(root, file, operand, before)


def _variable(root: Path, file: str, operand: str, before: str) -> int | None:
    """The size of a variable, or of what a pointer points to, by its only declaration."""
    pointer = operand.startswith("*")
    name = operand.lstrip("* ")
    if not name.isidentifier():
        return None
    found = re.findall(
        r"(?:^[ \t]+|[(,]\s*)(?:static\s+|const\s+)*((?:struct|union|unsigned)\s+\w+|\w+)\s+"
        rf"(?:[\w\s,*=]*,\s*)?(\**)\s*{name}\s*(\[[^\]]*\])?\s*[;,=)]",
        before,
        re.MULTILINE,
    )
    if len(found) != 1 or found[0][0] in ("return", "goto", "else"):
        return None
    type_, stars, bounds = found[0]
    if pointer:
        return size_of(root, file, type_) if stars == "*" and not bounds else None
    return size_of(root, file, f"{type_} {stars}{bounds}")
