# SPDX-License-Identifier: GPL-2.0
"""Run sparse on one file, as make C=2 does, or with headers that show it the windows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hotcocci.engines.programs import PROGRAMS, look
from hotcocci.errors import EngineError, EngineMissing
from hotcocci.c.source import Source
from hotcocci.engines.blocks import END, Function, Imbalance, functions, imbalances
from hotcocci.engines.messages import ERROR, Message, parse
from hotcocci.findings import Note, Report, SPARSE
from hotcocci.layout import DATA
from hotcocci.tree.build import Build
from hotcocci.tree.process import MissingProgram, Outcome, run
from hotcocci.tree.source import decode
from hotcocci.tree.unit import Unit

TIMEOUT = 120.0
# The second line of a complaint about types: "f.c:1:2:    expected int *p".
CONTINUED = re.compile(r"\n[^\n:]+:\d+:\d+: {3,}(?=\S)")


# Errors that do not change the basic blocks of a function
TYPES = re.compile(
    r"incompatible types|address space|bad constant expression|redeclared with different type"
)
SHADOWS = DATA / "checkers/sparse"
# kbuild's flags on x86-64, for trees that reject sparse 0.6.4 because it lacks __typeof_unqual__
# (scripts/checker-valid.sh).
X86_64_FLAGS = (
    "-D__linux__ -Dlinux -D__STDC__ -Dunix -D__unix__ -D__x86_64__ --arch=x86 -m64 "
    "-mlittle-endian -D__typeof_unqual__=__typeof__"
).split()


class SparseError(EngineError):
    """sparse could not be run, or did not finish; the message says why."""


class SparseMissing(SparseError, EngineMissing):
    """There is no sparse; the message says what to do."""


def messages(
    build: Build, argv: Sequence[str], source: Path, root: Path
) -> tuple[Message, ...]:
    """sparse's messages about a source file below ``root``.

    ``argv`` is the compiler and its flags as they would compile the file. Raises
    SparseError.
    """
    if not build.checkflags:
        raise SparseError(
            "this tree's kbuild finds no sparse that is new enough for it"
        )
    # The default limit of 100 warnings may hide those for the changed lines.
    flags = ["-fmax-warnings=unlimited", *build.checkflags, *argv[1:]]
    outcome = _run(flags, source, build.out)
    return parse(CONTINUED.sub(" ", outcome.err), str(root))


def check(unit: Unit) -> tuple[Report, ...]:
    """Find windows of a unit that are not ended exactly once, sorted by file and line.

    Raises SparseError, also if sparse cannot parse the file.
    """
    build = unit.build
    flags = build.checkflags or X86_64_FLAGS
    if not build.checkflags and build.target.arch != "x86_64":
        raise SparseError(
            "this tree's kbuild finds no sparse that is new enough for it"
        )
    outcome = _run(
        [
            *("-w", "-vv", "-ventry"),
            *flags,
            f"-I{SHADOWS}",
            *unit.command.argv[1:],
        ],
        unit.source,
        build.out,
    )
    wrong = [
        message
        for message in parse(outcome.err, str(unit.root))
        if message.kind == ERROR and not TYPES.search(message.text)
    ]
    if wrong:
        raise SparseError(f"sparse cannot parse it: {wrong[0]}")
    source = Source(str(unit.source), decode(unit.source.read_bytes()))
    reports = [
        _report(unit, source, function, found)
        for function in functions(outcome.out)
        if function.entry.file == str(unit.source)
        for found in imbalances(
            function,
            _static(source, function.entry.line),
            lambda line: _brace(source, line),
        )
    ]
    return tuple(sorted(reports, key=lambda r: (r.file, r.line)))


def _report(unit: Unit, source: Source, function: Function, found: Imbalance) -> Report:
    file = str(unit.source.resolve().relative_to(unit.root.resolve()))
    notes = tuple(Note(file, n, "the window is opened here") for n in found.opened)
    if found.what == END:
        said = "user access is closed, but no window is open"
    else:
        said = "this return is reached with the window open"
    line = found.line or _brace(source, function.entry.line)
    return Report("UW02", file, line, function.name, said, SPARSE, notes)


def _static(source: Source, line: int) -> bool:
    """Whether a function is declared static on the line of its name or the one before."""
    lines = [source.line(number) for number in range(max(line - 1, 1), line + 1)]
    return any(re.match(r"(?:\w+\s+)*?static\b", text) for text in lines)


def _brace(source: Source, line: int) -> int:
    """The line of a function's closing brace, which kernel style puts in column 0."""
    end = source.text.find("\n}", source.line_starts[line - 1])
    return source.line_of(end + 1) if end >= 0 else line


def _run(flags: Sequence[str], source: Path, folder: Path) -> Outcome:
    try:
        outcome = run(["sparse", *flags, str(source)], folder, TIMEOUT)
    except MissingProgram as error:
        raise SparseError(
            "sparse is not installed (Debian: apt install sparse)"
        ) from error
    if outcome.status is None:
        raise SparseError(f"sparse took over {TIMEOUT:.0f} s")
    if outcome.status < 0:
        raise SparseError(f"sparse crashed with signal {-outcome.status}")
    return outcome


def program() -> bytes:
    """Identify the sparse in use, for cache keys. Raises SparseMissing."""
    (found,) = look([entry for entry in PROGRAMS if entry.name == "sparse"])
    if found.path is None:
        raise SparseMissing(f"sparse is not installed: {found.program.get}")
    headers = (header.read_bytes() for header in sorted(SHADOWS.rglob("*.h")))
    return f"{found.path} {found.version}".encode() + b"".join(headers)
