# SPDX-License-Identifier: GPL-2.0
"""Combine what several compilations do not see of a change: a line that one of them sees is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from hotcocci.findings import Execution, Line


def nowhere(file: str, compiled: Sequence[Sequence[Execution]]) -> list[Execution]:
    """All results of some compilations of a changed file, but only lines that none of them sees.

    Lines of other files, which use a macro of the changed one, belong to one compilation each.
    """
    lines = [{each.unseen for each in several} for several in compiled]
    never = set[Line | None].intersection(*lines) if lines else set()
    named: set[Line] = set()
    found: list[Execution] = []
    for each in (each for several in compiled for each in several):
        line = each.unseen
        if line is not None:
            if line in named or (line.file == file and line not in never):
                continue
            named.add(line)
        found.append(each)
    return found


def grouped(file: str, executions: Sequence[Execution]) -> list[Execution]:
    """The results with one for all unseen lines of a function that have the same reason."""
    unseen = [each for each in executions if each.unseen is not None]
    found = []
    for _, several in groupby(sorted(unseen, key=_key), key=_key):
        first, *more = several
        lines = [each.unseen.number for each in (first, *more) if each.unseen]
        line = first.unseen
        assert line is not None, "only unseen lines are grouped"
        of = "" if line.file == file else f" of {line.file}"
        when = " before the change" if line.before else ""
        verb = "are" if more else "is"
        where = f"{_listed(lines)}{of}{when} {verb} not compared"
        found.append(replace(first, detail=f"{where}: {first.detail}"))
    return [*found, *(each for each in executions if each.unseen is None)]


def _key(each: Execution) -> tuple[str, str, str, str, bool, str]:
    assert each.unseen is not None, "only unseen lines are grouped"
    line = each.unseen
    return (
        each.target,
        each.unit,
        line.file,
        each.function,
        not line.before,
        each.detail,
    )


def _listed(lines: Sequence[int]) -> str:
    """The numbers of lines, those that follow each other as a range."""
    ranges: list[list[int]] = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][-1] + 1:
            ranges[-1].append(line)
        else:
            ranges.append([line])
    parts = [
        f"{one[0]}" if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in ranges
    ]
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(parts)}"
