# SPDX-License-Identifier: GPL-2.0
"""Window rule cases in kernel-fixtures/UW* and windows/: expected reports by line and engine.

kernel-fixtures/README.md describes the format.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from hotcocci.findings import ENGINES
from hotcocci.rules.rulebook import rule
from tests.shared import FIXTURES

WINDOWS = FIXTURES / "windows"
INCLUDE = WINDOWS / "include"
SCOPED_HEADER = INCLUDE / "fixture/scoped.h"
LOCAL_LABELS = INCLUDE / "fixture/local_labels.h"

MARK = re.compile(r"/\* want(?:\[(?P<engines>[^\]]+)\])?: (?P<codes>[^*]+?) \*/")
HEADER = re.compile(r"\A// SPDX[^\n]*\n/\*\n(.*?)\n \*/\n", re.DOTALL)
KEYS = {"Title", "Rule", "Known", "Tree", "Arch", "Build", "Unseen"}


@dataclass(frozen=True)
class WindowCase:
    """A case: the expected reports, and known misses.

    ``marks`` are (line, code, engines); engines is None for those in the rulebook. ``unseen`` are
    (engine, code) pairs of known misses.
    """

    name: str
    path: Path
    title: str
    rules: tuple[str, ...]
    known: str | None
    tree: str
    arch: str | None
    marks: tuple[tuple[int, str, tuple[str, ...] | None], ...]
    unseen: frozenset[tuple[str, str]]
    builds: bool

    @property
    def file(self):
        """Path below kernel-fixtures/."""
        return str(self.path.relative_to(FIXTURES))

    def wanted(self, engine, target=""):
        """Lines and codes that an engine must report when compiling for ``target``, and no others."""
        found = set()
        eyes = (engine, f"{engine}@{target}")
        blind = {code for who, code in self.unseen if who in eyes}
        for line, code, engines in self.marks:
            named = rule(code).engines if engines is None else engines
            if engine in named and code not in blind:
                found.add((line, code))
        return found


def _names(text):
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _unseen(path, notes):
    pairs = set()
    for sentence in notes:
        what, _, why = sentence.partition(":")
        engine, *codes = what.split()
        if engine.partition("@")[0] not in ENGINES or not codes or not why.strip():
            raise ValueError(f"{path}: 'Unseen: ENGINE CODE…: why', not {sentence!r}")
        pairs |= {(engine, rule(code).code) for code in codes}
    return frozenset(pairs)


def read_window_case(path):
    """Parse a case file; raises ValueError if the format is violated."""
    text = path.read_text(encoding="utf-8")
    header = HEADER.match(text)
    if not header:
        raise ValueError(f"{path} does not begin with a header")
    notes = {}
    for line in header[1].splitlines():
        key, _, value = line.removeprefix(" * ").partition(":")
        if key not in KEYS:
            raise ValueError(f"{path}: unknown key {key!r}")
        notes.setdefault(key, []).append(value.strip())
    marks = []
    for number, line in enumerate(text.splitlines(), 1):
        for mark in MARK.finditer(line):
            engines = _names(mark["engines"]) if mark["engines"] else None
            for engine in engines or ():
                if engine not in ENGINES:
                    raise ValueError(f"{path}:{number}: there is no engine {engine}")
            marks += [
                (number, rule(code).code, engines) for code in _names(mark["codes"])
            ]
    return WindowCase(
        name=path.stem,
        path=path,
        title=notes["Title"][0],
        rules=_names(notes.get("Rule", [""])[0]),
        known=notes.get("Known", [None])[0],
        tree=notes.get("Tree", ["both"])[0],
        arch=notes.get("Arch", [None])[0],
        marks=tuple(marks),
        unseen=_unseen(path, notes.get("Unseen", [])),
        builds="Build" not in notes,
    )


def read_window_cases(compiling=True):
    """Read the cases by name: those that compile, or all of them."""
    paths = [*FIXTURES.glob("UW*/*.c"), *WINDOWS.glob("*.c")]
    cases = [read_window_case(path) for path in sorted(paths, key=lambda p: p.name)]
    return [case for case in cases if case.builds or not compiling]
