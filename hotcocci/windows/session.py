# SPDX-License-Identifier: GPL-2.0
"""The side of cocci/user_access_window.cocci that is Python: spatch calls these functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c import seen
from hotcocci.c.seen import source_of
from hotcocci.rules.windows import WINDOW_RULES
from hotcocci.tree.kernel import find_root, probe
from hotcocci.windows.check import Options, check

_ON_REQUEST = frozenset(rule.code for rule in WINDOW_RULES if rule.on_request)


@dataclass(frozen=True)
class Place:
    """A line as spatch's reports want a position."""

    file: str
    line: str
    column: str
    line_end: str
    column_end: str
    current_element: str


@lru_cache(maxsize=4)
def options_for(root: Path) -> Options:
    """The options of a stand-alone run: what the tree offers."""
    return Options(root, not probe(root).masked_directed)


def judge_files(files: list[str]) -> list[tuple[Place, str]]:
    """The places to report in the files just processed, with messages."""
    reports = []
    for file in files:
        facts = seen.facts_of(file)
        root = find_root(Path(file))
        if root is None or not facts.accesses:
            continue
        relative = str(Path(file).resolve().relative_to(root))
        source = source_of(file)
        found, _ = check(source.text, replace(facts, file=relative), options_for(root))
        for report in found:
            if report.rule in _ON_REQUEST:
                continue
            line = source.line(report.line)
            column = str(len(line) - len(line.lstrip()))
            number = str(report.line)
            place = Place(
                file, number, column, number, str(len(line)), report.function or ""
            )
            reports.append((place, f"{report.rule} {report.message}"))
    seen.forget()
    return reports
