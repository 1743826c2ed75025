# SPDX-License-Identifier: GPL-2.0
"""The cases of kernel-fixtures/proofs, and those of runs and loops, as pairs to run."""

import re
import zlib
from dataclasses import dataclass
from pathlib import Path

from hotcocci.findings import NOT_PROVEN, PROVEN, Execution
from hotcocci.proof.changed import changed_lines
from hotcocci.proof.compiled_task import compiled_file, processor_for
from hotcocci.proof.objects.compiled import Compilation
from hotcocci.proof.symbolic.prover import EFFORT
from hotcocci.proof.task import nowhere
from hotcocci.proof.work import compared
from hotcocci.tree.command import Command, commands
from hotcocci.tree.source import ENCODING, lay
from tests.shared import FIXTURES, build_of

PROOFS = FIXTURES / "proofs"
HEADER = re.compile(r"/\*\n.*?\n \*/\n", re.DOTALL)
MARK = re.compile(r"\s*/\* want[^*]*\*/")
# The verdict of a case that is different or not proven
REFUSED = "refused"
# Included by all of them, and its path in a tree.
HEADERS = ("include/fixture/arguments.h", "include/fixture/macros.h")
FILE = "hotcocci/subject.c"


@dataclass(frozen=True)
class Planted:
    """A function before and after, and what is expected of the comparison.

    ``says`` is a pattern for the message, ``permits`` and ``assumes`` are what a proof lists. Of ``ours`` prove
    asks no other layouts.
    """

    name: str
    before: str
    after: str
    verdict: str
    says: str = ""
    permits: str = ""
    assumes: str = ""
    ours: bool = False


def is_drawn(case: Planted, every: int) -> bool:
    """Whether this is one of every so many cases, chosen by name: a new case changes no other's turn."""
    return zlib.crc32(case.name.encode()) % every == 0


def planted(folder: str = ".") -> list[Planted]:
    """Read the cases with a verdict in their header."""
    return [_planted(path) for path in sorted((PROOFS / folder).glob("*.c"))]


def rewritten() -> list[Planted]:
    """Read the cases of rewrites that can be proven, as classic windows; all of these are correct."""
    return [
        Planted(
            path.stem,
            _bare(path),
            _read(after),
            NOT_PROVEN if "\n * Unproven: " in _read(path) else PROVEN,
            ours=True,
        )
        for path in sorted(FIXTURES.glob("UA10*/*.c"), key=lambda p: p.name)
        for after in (path.with_suffix(".after"), path.with_suffix(".classic.after"))
        if after.exists()
    ]


def run(
    linux_tree: Path, folder: Path, case: Planted, target: str = "x86-64"
) -> tuple[Execution, ...]:
    """Compile both sides of a case as a kernel file, and compare them."""
    build = build_of(linux_tree, target)
    places = (folder / "before", folder / "after")
    headers = {name: _read(FIXTURES / "classic" / name) for name in HEADERS}
    changed = changed_lines(FILE, case.before, case.after)
    for place, text in zip(places, changed.aligned.texts, strict=True):
        lay(linux_tree, {FILE: text, **headers}, place)
    argv = commands(build, ["init/main.c"])["init/main.c"].argv
    processor = processor_for(build)
    assert processor is not None
    command = Command(FILE, argv)
    how = Compilation(build, command, places, folder, processor, changed)
    # Some loops that cannot be proven take any effort.
    limit = EFFORT // 5 if case.verdict in (NOT_PROVEN, REFUSED) else EFFORT
    made = compiled_file(how.alone(), not case.ours)
    several, otherwise = compared(made, changed, limit)
    return (*nowhere(FILE, several), *otherwise)


def _planted(path: Path) -> Planted:
    text = _read(path)
    header = HEADER.search(text)
    assert header, f"{path.name} does not begin with a comment that describes it"
    fields = dict(
        line.removeprefix(" * ").split(": ", 1)
        for line in header[0].splitlines()
        if ": " in line
    )
    after = _read(path.with_suffix(".after"))
    return Planted(
        path.stem,
        _bare(path),
        after,
        fields["Verdict"],
        *(fields.get(name, "") for name in ("Says", "Permits", "Assumes")),
    )


def _bare(path: Path) -> str:
    """Strip the header comment and the marks; line numbers stay the same."""
    return MARK.sub("", HEADER.sub("", _read(path), count=1))


def _read(path: Path) -> str:
    return path.read_text(encoding=ENCODING)
