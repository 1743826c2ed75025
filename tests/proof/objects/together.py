# SPDX-License-Identifier: GPL-2.0
"""Many small cases compiled and compared as one file: its headers take most of the time of one case.

Names that a case defines or declares get a suffix. A case that such a file would change is alone:
what it does depends on preprocessor lines, or it changes data, or more than the bodies of functions.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from planted import Planted, run

from hotcocci.findings import Execution

# Cases of one file
SIZE = 32
TOP = re.compile(r"^[^\s}/{](?!\w*:$).*", re.MULTILINE)
NAMED = re.compile(
    r"(?:struct|union|enum) (\w+) \{|\w[\w *]*?\b(\w+)\([^;{]*\)[\w ()]*(?:;|\n\{)"
)
# Data, and what says where it is
ALONE = re.compile(r"^\s*#(?!include)|^\s+static\b|__func__", re.MULTILINE)
LITERAL = re.compile(r'"[^"]*"')
BODY = re.compile(r"\n\{\n.*?\n\}", re.DOTALL)
ASSEMBLY = re.compile(r"\basm\b[^;]*;")


@dataclass(frozen=True)
class _Side:
    includes: tuple[str, ...]
    names: frozenset[str]
    literals: frozenset[str]
    outside: str
    text: str


def _side(text: str) -> _Side | None:
    lines = text.splitlines()
    body = "\n".join(line for line in lines if not line.startswith(("#include", "// ")))
    names = [NAMED.match(body, top.start()) for top in TOP.finditer(body)]
    if ALONE.search(body) or None in names:
        return None
    return _Side(
        tuple(line for line in lines if line.startswith("#include")),
        frozenset(name[1] or name[2] for name in names if name),
        frozenset(LITERAL.findall(ASSEMBLY.sub("", body))),
        BODY.sub("", body),
        body,
    )


@functools.cache
def _sides(case: Planted) -> tuple[_Side, _Side] | None:
    before, after = _side(case.before), _side(case.after)
    if before is None or after is None or replace(before, text=after.text) != after:
        return None
    return before, after


def files(cases: Sequence[Planted]) -> list[tuple[Planted, ...]]:
    """The cases of each file; all of a file have the same verdict, which limits the effort."""
    found: list[tuple[Planted, ...]] = []
    for verdict in dict.fromkeys(case.verdict for case in cases):
        same = [case for case in cases if case.verdict == verdict]
        small = [case for case in same if _sides(case)]
        found += [tuple(small[n : n + SIZE]) for n in range(0, len(small), SIZE)]
        found += [(case,) for case in same if not _sides(case)]
    return found


def together(cases: Sequence[Planted], slow: bool = False) -> list[Any]:
    """The cases as parameters for tests that ask for ``found``; each file runs on one worker."""
    for some in files(cases):
        FILES.update(dict.fromkeys(some, some))
    parameters = []
    for case in cases:
        marks = [pytest.mark.xdist_group(f"file of {FILES[case][0].name}")]
        marks += [pytest.mark.slow] * slow
        parameters.append(pytest.param(case, id=case.name, marks=marks))
    return parameters


# By case
FILES: dict[Planted, tuple[Planted, ...]] = {}


@functools.cache
def results(
    linux_tree: Path,
    folder: Path,
    cases: tuple[Planted, ...],
    target: str = "x86-64",
) -> dict[Planted, tuple[Execution, ...]]:
    """The results of each case of a file."""
    if len(cases) == 1:
        return {cases[0]: run(linux_tree, folder, cases[0], target)}
    texts = ["", ""]
    for case in cases:
        for number, side in enumerate(_sides(case) or ()):
            names = rf"\b({'|'.join(side.names)})\b"
            texts[number] += re.sub(names, rf"\1{_suffix(case)}", side.text) + "\n"
    includes = dict.fromkeys(
        line for case in cases for side in _sides(case) or () for line in side.includes
    )
    before, after = ("\n".join([*includes, text]) for text in texts)
    case = Planted("together", before, after, cases[0].verdict)
    every = run(linux_tree, folder, case, target)
    found = {
        case: tuple(
            replace(
                each,
                function=each.function.removesuffix(_suffix(case)),
                detail=each.detail.replace(_suffix(case), ""),
            )
            for each in every
            if _is_of(each, case)
        )
        for case in cases
    }
    assert sum(map(len, found.values())) == len(every), every
    return found


def _suffix(case: Planted) -> str:
    return f"__of_{case.name.replace('-', '_')}"


def _is_of(execution: Execution, case: Planted) -> bool:
    said = execution.function or execution.detail
    return re.search(rf"{_suffix(case)}\b", said) is not None
