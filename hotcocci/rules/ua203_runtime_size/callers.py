# SPDX-License-Identifier: GPL-2.0
"""The sizes that callers give: constants that they pass, and what the source shows about a count or a length.

There is no table of lengths, so nothing to switch on. They are reported in hot functions,
as most are small: select() of 64 descriptors copies 8 bytes, so does poll() of one, an
IPv4 address has 16. read() and write() are called with any size."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from pathlib import Path

from hotcocci.c.constants import evaluate, macro_of, view
from hotcocci.c.expression import Binary, Call, Cast, Expr, Literal, Name, SizeOf
from hotcocci.c.functions import head
from hotcocci.c.parsing import parse, parse_text
from hotcocci.c.source import COMMENT, Token, closing, split, tokenize
from hotcocci.c.text import size_of
from hotcocci.rewrite.calls import Copy
from hotcocci.rewrite.copies import address_taken, assignments, parameter_of, switched
from hotcocci.rewrite.prefilter import FILE_OPERATION, is_constant
from hotcocci.tree.source import entries, text_beside

# Maps a file, an argument in it, and the text of its function before the call to a number.
Value = Callable[[str, str, str], int | None]

# Maximum number of functions followed that pass their caller's size on.
_MOST = 12
_PARAMETER = re.compile(r"\b(\w+)\s*(?:\[[^\]]*\])?\s*$")
# Maximum number of variables to follow through assignments.
_MOST_VARIABLES = 4
# The largest value for the smallest constant to choose from: a cache line.
_LARGEST_REPORTED = 64
_PRODUCTS = frozenset({"array_size", "size_mul"})

# Finds the files that may have calls of a function, by their names in the tree, with their texts.
Naming = Callable[[str], Iterable[tuple[str, str]]]

# Maps the operand of sizeof to its size in bytes, None if unknown.
Measure = Callable[[str], int | None]


def callers_values(
    naming: Naming, function: str, place: int, value: Value
) -> list[int | None]:
    """``value`` of each argument that calls in some files pass for a parameter.

    A caller that passes a parameter of its own counts as its callers do.
    """
    found: list[int | None] = []
    waiting, seen = [(function, place)], {(function, place)}
    while waiting:
        name, index = waiting.pop()
        for file, text in naming(name):
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
    for match in re.finditer(rf"{function}(?<!\w{function})\s*\(", text):
        around = head(text, match.start())
        if around is not None:  # not a prototype, nor the definition itself
            yield _Call(*around, match.start(), _arguments(text, match.end() - 1))


def is_static(copy: Copy) -> bool:
    return any(t.text == "static" for t in copy.context.header)


def callers(copy: Copy, text: str) -> Naming:
    """Finds the files that name a function, of those that may call a copy's function."""
    root, file = copy.context.where
    others = [] if is_static(copy) else in_folder(root, file)

    def naming(function: str) -> Iterator[tuple[str, str]]:
        if function in text:
            yield file, text
        for other in others:
            # Most name few of the functions that are looked for, and a view takes long.
            if other != root / file and function in _text(other):
                yield str(other.relative_to(root)), view(other).text

    return naming


@lru_cache(maxsize=256)
def _text(path: Path) -> str:
    return text_beside(path)


def in_folder(root: Path, file: str) -> list[Path]:
    """The C files that belong to a file's subsystem.

    They are in its directory, and in architecture directories of the same name: virt/kvm and arch/x86/kvm.
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


def length_of(copy: Copy, text: str) -> str | None:
    """Who gives a size that is a count or a length, and what it is a multiple of; None if it is neither.

    ``text`` is that of the file.
    """
    if is_constant(copy.text(copy.size)) or switched(copy):
        return None
    unit = _unit(copy, copy.size, _MOST_VARIABLES)
    if unit is not None:
        return _multiple(unit)
    name = copy.text(copy.size)
    if not name.isidentifier():
        return None
    words = {t.text for t in copy.context.header}
    if words & FILE_OPERATION:
        return None
    chosen = _chosen(copy)
    if chosen:
        said = f"{' or '.join(map(str, chosen))} bytes"
        return said if min(chosen) <= _LARGEST_REPORTED else None
    parameter = parameter_of(name, copy.context)
    if parameter is not None:
        if any("SYSCALL_DEFINE" in word for word in words):
            return None
        unit = _of_callers(copy, text, parameter)
        more = f", {_multiple(unit)}" if unit is not None else ""
        return f"a length that the caller gives{more}"
    before = copy.context.source.text[copy.context.body.start : copy.start]
    if re.search(rf"\bget_user\s*\(\s*{name}\s*,", before):
        return "a length that user space gives"
    return None


def _chosen(copy: Copy) -> tuple[int, ...]:
    """The constants that a local variable may have, smallest first; empty if there are other values."""
    context = copy.context
    if address_taken(copy.text(copy.size), context):
        return ()
    root, file = context.where
    before = context.source.text[context.function.start : copy.start]
    sizes = [
        constant(root, file, " ".join(t.text for t in value), before) if value else None
        for value in assignments(copy.text(copy.size), context)
    ]
    known = {size for size in sizes if size is not None}
    given = parameter_of(copy.text(copy.size), context) is not None
    return tuple(sorted(known)) if None not in sizes and not given else ()


def _multiple(unit: int) -> str:
    return f"a multiple of {unit} byte{'s' if unit > 1 else ''}"


def _of_callers(copy: Copy, text: str, place: int) -> int | None:
    """The common factor of the sizes in all calls of the function."""
    root = copy.context.options.root

    def unit(file: str, size: str, before: str) -> int | None:
        known = constant(root, file, size, before)
        return known or _product(
            parse_text(size), lambda operand: measured(root, file, operand, before)
        )

    found = callers_values(callers(copy, text), copy.context.function.name, place, unit)
    return _common(found)


def _common(units: list[int | None]) -> int | None:
    """The common factor; None if there is none, or one is unknown."""
    known = [unit for unit in units if unit is not None]
    return gcd(*known) if known and len(known) == len(units) else None


def _unit(copy: Copy, expr: Expr, left: int) -> int | None:
    """The factor in bytes that an expression of the function is a multiple of."""
    root, file = copy.context.where

    def measure(operand: str) -> int | None:
        type_ = copy.operand_type(operand)
        return size_of(root, file, type_) if type_ is not None else None

    if isinstance(expr, Name) and address_taken(expr.text, copy.context):
        return None
    if isinstance(expr, Name) and left:
        values = assignments(expr.text, copy.context)
        given = parameter_of(expr.text, copy.context) is not None
        if given and not any(value and _always_set(copy, value) for value in values):
            return None
        source = copy.context.source.text
        return _common(
            [_unit(copy, parse(source, v), left - 1) if v else None for v in values]
        )
    if expr.callee:
        macro = macro_of(root, file, expr.callee)
        if macro is not None and macro.parameters is not None:
            return _product(parse_text(macro.body), measure)
    return _product(expr, measure)


def _always_set(copy: Copy, value: tuple[Token, ...]) -> bool:
    """Whether a variable is assigned this value on every path to the copy."""
    context = copy.context
    before = context.source.code_between(context.body.start, value[0].start)
    depth = sum((t.text == "{") - (t.text == "}") for t in before)
    alone = len(before) > 2 and before[-3].text in ("{", "}", ";")
    return depth == 1 and alone and value[0].start < copy.start


def _product(expr: Expr, measure: Measure) -> int | None:
    """The size of the element in ``count * sizeof(element)``."""
    if isinstance(expr, Cast):
        return _product(expr.operand, measure)
    sides: tuple[Expr, ...] = ()
    if isinstance(expr, Binary) and expr.operator == "*":
        sides = (expr.left, expr.right)
    if isinstance(expr, Call) and expr.callee in _PRODUCTS:
        sides = expr.arguments
    for side in sides:
        fixed = all(isinstance(each, (SizeOf, Literal)) for each in sides)
        if isinstance(side, SizeOf) and not fixed:
            return measure(side.text.removeprefix("sizeof").strip(" ()"))
    return None
