# SPDX-License-Identifier: GPL-2.0
"""Compile the changed functions that can be called, and say why others cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from hotcocci.proof.boot.arguments import NotCallable, arguments
from hotcocci.proof.boot.functions import Function, changed
from hotcocci.proof.boot.subject import Caller, NotCompiled, Subject, compile_both
from hotcocci.proof.gate import Change
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import foreign, units
from hotcocci.tree.source import decode, read


@dataclass(frozen=True)
class Refused:
    """A function that is not called, and why; ``compiled`` is False if it was not compiled."""

    file: str
    unit: str
    function: str
    why: str
    compiled: bool = True


@dataclass(frozen=True)
class _Unit:
    """One compilation that includes a change; ``command`` is None if kbuild has no rule."""

    change: Change
    file: str
    command: Command | None
    functions: tuple[tuple[Function, Function], ...]
    # A folder with a unique name
    place: Path


def subjects(
    tree: Path, build: Build, changes: Sequence[Change], place: Path, jobs: int
) -> list[Subject | Refused]:
    """Compile every function that the changes touch, ``jobs`` files at a time.

    A function in a file that several others include appears once for each that compiles. ``place``
    is a folder for the objects. Raises BuildError if a program is missing, OSError if there is no
    room.
    """
    several = list(_units(tree, build, changes, place))
    pool = ThreadPoolExecutor(max_workers=max(jobs, 1))
    try:
        done = list(pool.map(lambda unit: _made(tree, build, unit), several))
    finally:
        pool.shutdown(cancel_futures=True)
    found = [made for several in done for made in several]
    seen = {_function(made) for made in found if _was_compiled(made)}
    return [m for m in found if _was_compiled(m) or _function(m) not in seen]


def _was_compiled(made: Subject | Refused) -> bool:
    return isinstance(made, Subject) or made.compiled


def _function(made: Subject | Refused) -> tuple[str, str]:
    if isinstance(made, Subject):
        return made.file, made.caller.function.name
    return made.file, made.function


def _units(
    tree: Path, build: Build, changes: Sequence[Change], place: Path
) -> Iterator[_Unit]:
    folder = build.target.folder
    files = {
        c.file: [u for u in units(tree, c.file, folder) if not foreign(u, folder)]
        for c in changes
    }
    known = commands(build, {unit for several in files.values() for unit in several})
    number = 0
    for change in changes:
        touched = tuple(changed(change.old, change.new))
        for unit in files[change.file] or [change.file]:
            number += 1
            own = place / f"u{number}"
            yield _Unit(change, unit, known.get(unit), touched, own)


def _made(tree: Path, build: Build, unit: _Unit) -> list[Subject | Refused]:
    """The results for the functions of one compilation."""
    found: list[Subject | Refused] = []
    callers: list[Caller] = []
    for number, (before, after) in enumerate(unit.functions):
        try:
            if unit.command is None:
                raise NotCallable("kbuild has no rule for its file")
            if _signature(before) != _signature(after):
                raise NotCallable("its parameters changed")
            made = arguments(tree, unit.file, before)
            symbol = f"hotcocci_{unit.place.name}_{number}"
            callers.append(Caller(before, made, symbol))
        except NotCallable as error:
            found.append(Refused(unit.change.file, unit.file, before.name, str(error)))
    if unit.command is not None and callers:
        found += _compiled(tree, build, unit, unit.command, callers)
    return found


def _compiled(
    tree: Path, build: Build, unit: _Unit, command: Command, callers: Sequence[Caller]
) -> list[Subject | Refused]:
    """Compile all functions together; on failure halve them to find those that cannot be called."""
    change = unit.change
    own = decode(read(tree / unit.file))
    texts: list[Mapping[str, str]] = [
        {unit.file: own, change.file: text} for text in (change.old, change.new)
    ]
    place = unit.place / callers[0].symbol / str(len(callers))
    try:
        objects = compile_both(build, command, texts, callers, place)
    except NotCallable as error:
        if len(callers) == 1 or _fails(build, command, texts, place / "alone"):
            compiled = not isinstance(error, NotCompiled)
            names = [caller.function.name for caller in callers]
            return [
                Refused(change.file, unit.file, name, str(error), compiled)
                for name in names
            ]
        half = len(callers) // 2
        return [
            *_compiled(tree, build, unit, command, callers[:half]),
            *_compiled(tree, build, unit, command, callers[half:]),
        ]
    return [Subject(change.file, unit.file, caller, objects) for caller in callers]


def _fails(
    build: Build, command: Command, texts: Sequence[Mapping[str, str]], place: Path
) -> bool:
    """Whether a file does not compile even without callers."""
    try:
        compile_both(build, command, texts, (), place)
    except NotCompiled:
        return True
    except NotCallable:
        return False
    return False


def _signature(function: Function) -> tuple[object, ...]:
    """The part of a function's type that callers depend on."""
    parameters = function.parameters
    types = None if parameters is None else [p.type for p in parameters]
    return function.returns, types
