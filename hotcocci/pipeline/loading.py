# SPDX-License-Identifier: GPL-2.0
"""Find the chains of dependent loads in the machine code of hot functions."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.engines.compiler import compile_file
from hotcocci.engines.perf_annotate import Annotated
from hotcocci.engines.perf_report import canonical
from hotcocci.errors import UserError
from hotcocci.machine.dwarf import Lines
from hotcocci.machine.elf import Address, ElfError, ObjectFile
from hotcocci.machine.callees import Callee, callees
from hotcocci.machine.loads import Loads, Reader, loads_of
from hotcocci.pipeline.analysis import options_for
from hotcocci.pipeline.inputs import prepared
from hotcocci.pipeline.ranking import UNKNOWN, heats_of
from hotcocci.pipeline.settings import Settings
from hotcocci.rewrite.options import Options, hot_files, is_hot
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands, odd_name
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode, read
from hotcocci.tree.targets import X86_64, usual

# Debug information changes no code. Location views are not read.
DEBUG = ("-g", "-gdwarf-4", "-gno-variable-location-views", "-w")


@dataclass(frozen=True)
class Outlined:
    """Calls of a small function, or of one that may return at once, at these lines.

    ``wasted`` are the values loaded for parameters that it does not need then, by parameter.
    """

    callee: Callee
    places: tuple[tuple[str, int], ...]
    wasted: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Loaded:
    """The loads of a function of a file, or why nothing is known of them.

    ``places`` are file and line of each load of each chain; ``outlined`` the calls that may be spared.
    """

    file: str
    found: Loads | None
    places: tuple[tuple[tuple[str, int], ...], ...] = ()
    outlined: tuple[Outlined, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class _Chosen:
    """Which functions to read, and what to print of them."""

    functions: Sequence[str]
    options: Options
    least: int
    annotated: Sequence[Annotated]

    def has(self, file: str, text: str, name: str) -> bool:
        """Whether to read a function of a file that no option names."""
        if self.options.hot is None and self.annotated:
            return canonical(name) in {each.name for each in self.annotated}
        return is_hot(self.options, file, text, name)


def loads(
    tree: Tree,
    paths: Sequence[Path],
    functions: Sequence[str],
    least: int,
    settings: Settings,
    annotated: Sequence[Annotated] = (),
) -> Iterator[Loaded]:
    """The loads of these functions, or of all hot ones, in files at and below the paths.

    Without a profile, only the annotated functions are read, if there are any.

    Raises UserError if nothing can be compiled, for a profile that cannot be read, or if it is not known what is hot.
    """
    if usual(tree.root) != X86_64:
        raise UserError(f"{tree.root} has no x86-64 code to read")
    named, inside = _files(tree, paths)
    options = options_for(tree, settings)
    names = frozenset(each.name for each in annotated)
    asked = frozenset(functions) or options.hot or names or None
    if asked is None:
        with settings.open_cache() as cache:
            known = heats_of(
                tree.root, [*named, *inside], cache, settings, bool(inside)
            )
        if known is UNKNOWN:
            said = (
                f"which functions are hot is not known yet: run `lint {tree.root}` once"
            )
            raise UserError(f"{said}, or name some with --function")
        options = replace(options, derived=known.hot())
    wanted = sorted({*named, *hot_files(replace(options, hot=asked), inside)})
    if not wanted:
        what = " or ".join(f"{name}()" for name in functions) or "hot function"
        raise UserError(f"no {what} there: name other files, or others with --function")
    build = prepared(tree, X86_64, settings)
    built = commands(build, wanted)
    with settings.observer.progress("reading loads") as show:
        for number, file in enumerate(wanted):
            if show:
                show(number, len(wanted))
            if file not in built:
                yield Loaded(
                    file, None, why=odd_name(file) or "kbuild does not compile it"
                )
                continue
            text = decode(read(tree.root / file))
            chosen = _Chosen(functions, options, least, annotated)
            yield from _of_file(build, built[file], text, chosen)


def _files(tree: Tree, paths: Sequence[Path]) -> tuple[list[str], list[str]]:
    """The files that are named, which may have functions of headers in their code, and those in folders."""
    named, inside = set(), set()
    for path in (p.resolve() for p in paths):
        if path.is_file():
            named.add(str(path.relative_to(tree.root)))
        else:
            inside |= {str(p.relative_to(tree.root)) for p in path.rglob("*.c")}
    return sorted(named), sorted(inside)


def _of_file(
    build: Build, command: Command, text: str, chosen: _Chosen
) -> Iterator[Loaded]:
    file = command.file
    with tempfile.TemporaryDirectory(prefix="hotcocci-loads-") as folder:
        made = compile_file(build, command, build.tree, Path(folder) / "a.o", (), DEBUG)
        if made.object is None:
            yield Loaded(file, None, why=f"it does not compile: {made.error}")
            return
        try:
            obj = ObjectFile(made.object)
            reader, lines = Reader(obj), Lines(obj)
        except ElfError as error:
            yield Loaded(file, None, why=str(error))
            return
    wanted = chosen.functions or [
        name
        for name in sorted(lines.written(frozenset({str(made.source)})))
        if chosen.has(file, text, name)
    ]
    found = [
        (
            function,
            list(loads_of(reader, lines, function, chosen.least, chosen.annotated)),
        )
        for function in wanted
    ]
    names = {call.callee for _, some in found for each in some for call in each.calls}
    known = callees(build.tree, file, names) if names else {}
    for function, some in found:
        if not some:
            yield Loaded(file, None, why=f"{function}() has no code there")
        for each in some:
            places = tuple(
                tuple(_place(lines, load.address, build) for load in chain.loads)
                for chain in each.chains
            )
            yield Loaded(
                file, each, places, tuple(_outlined(each, known, lines, build))
            )


def _outlined(
    found: Loads, known: Mapping[str, Callee], lines: Lines, build: Build
) -> Iterator[Outlined]:
    """The calls of a function for a few loads, and its loads for a callee that may not need them."""
    for name in dict.fromkeys(call.callee for call in found.calls):
        callee = known.get(name)
        if callee is None:
            continue
        calls = [call for call in found.calls if call.callee == name]
        places = tuple(dict.fromkeys(_place(lines, c.address, build) for c in calls))
        wasted = dict.fromkeys(
            (callee.parameters[number], call.arguments[number].name)
            for call in calls
            for number in callee.unused
            if number < len(call.arguments) and call.arguments[number].loads
        )
        if callee.small or wasted:
            yield Outlined(callee, places, tuple(wasted))


def _place(lines: Lines, address: Address, build: Build) -> tuple[str, int]:
    """The place of an instruction in the source; the file is empty if that is not known."""
    frames = lines.frames(address)
    file = frames[0].file.removeprefix(f"{build.tree}/") if frames else ""
    return file, frames[0].line if frames else 0
