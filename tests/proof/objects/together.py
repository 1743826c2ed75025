# SPDX-License-Identifier: GPL-2.0
"""Many small cases compiled and compared as one file: its headers take most of the time of one case.

Names that a case defines or declares get a suffix. A case that such a file would change is alone:
what it does depends on conditions of the preprocessor, or it has data or changes literals.
"""

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from planted import FILE, Planted, run

from hotcocci.findings import Execution
from hotcocci.proof.changed import aligned
from hotcocci.proof.objects.variants import depends

# Cases of one file
SIZE = 32
TOP = re.compile(r"^[^\s}/{](?!\w*:$).*", re.MULTILINE)
NAMED = re.compile(
    r"(?:struct|union|enum) (\w+) \{|extern [\w ]*[ *](\w+);|DECLARE_PER_CPU\(\w+, (\w+)\);"
    r"|#define (\w+)(?:.*\\\n)*"
    r"|\w[\w *]*?(?:__attribute__\(\(\w+\)\)[\w *]*)?\b(?!__attribute__)(\w+)\([^;{]*\)[\w ()]*(?:;|\n\{)"
)
# Data, macros that define some, and what says where it is
ALONE = re.compile(
    r"^[ \t]*#(?!include|define)|^[ \t]+static\b|\bDEFINE_\w+\(|__func__", re.MULTILINE
)
LITERAL = re.compile(r'"[^"]*"')
# A structure that one case loses, a cast that it loses or gains, and pointers to functions count for the whole file.
TAG = re.compile(r"\bstruct (\w+)")
CAST = re.compile(r"\*\)")
POINTER = re.compile(r"\(\*\w+\)\(.*")
ASSEMBLY = re.compile(r"\basm\b[^;]*;")


@dataclass(frozen=True)
class _Side:
    includes: tuple[str, ...]
    names: frozenset[str]
    literals: frozenset[str]
    text: str


def _side(text: str) -> _Side | None:
    lines = text.splitlines()
    body = "\n".join(line for line in lines if not line.startswith(("#include", "// ")))
    # Not the lines of a macro after its first
    tops = [top.start() for top in TOP.finditer(body) if body[top.start() - 2] != "\\"]
    names = [NAMED.match(body, top) for top in tops]
    if ALONE.search(body) or None in names:
        return None
    return _Side(
        tuple(line for line in lines if line.startswith("#include")),
        frozenset(name[name.lastindex or 0] for name in names if name),
        frozenset(LITERAL.findall(ASSEMBLY.sub("", body))),
        body,
    )


@functools.cache
def _sides(case: Planted) -> tuple[_Side, _Side] | None:
    before, after = _side(case.before), _side(case.after)
    if before is None or after is None or replace(before, text=after.text) != after:
        return None
    if Counter(TAG.findall(case.before)) - Counter(TAG.findall(case.after)):
        return None
    for pattern in (CAST, POINTER):
        found = [Counter(pattern.findall(text)) for text in (case.before, case.after)]
        if found[0] != found[1]:
            return None
    return before, after


def files(cases: Sequence[Planted]) -> list[tuple[Planted, ...]]:
    """The cases of each file; all of a file have the same verdict, which limits the effort."""
    found: list[tuple[Planted, ...]] = []
    for verdict in dict.fromkeys(case.verdict for case in cases):
        same = [case for case in cases if case.verdict == verdict]
        small = [case for case in same if _sides(case)]
        # With other layouts of structures, a copy is not what stores of its members are.
        for asks in (False, True):
            some = [c for c in small if _asks(c) is asks]
            found += [tuple(some[n : n + SIZE]) for n in range(0, len(some), SIZE)]
        found += [(case,) for case in same if not _sides(case)]
    return found


def _asks(case: Planted) -> bool:
    return depends(aligned(FILE, case.before, case.after))


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
    linux_tree: Path, folder: Path, cases: tuple[Planted, ...], target: str = "x86-64"
) -> dict[Planted, tuple[Execution, ...]]:
    """The results of each case of a file."""
    if len(cases) == 1:
        return {cases[0]: run(linux_tree, folder, cases[0], target)}
    includes = dict.fromkeys(
        line for case in cases for side in _sides(case) or () for line in side.includes
    )
    texts = ["".join(f"{line}\n" for line in includes)] * 2
    # By case and side
    lines: dict[tuple[str, int], range] = {}
    for case in cases:
        for number, side in enumerate(_sides(case) or ()):
            names = rf"\b({'|'.join(side.names)})\b"
            first = texts[number].count("\n") + 1
            texts[number] += re.sub(names, rf"\1{_suffix(case)}", side.text) + "\n"
            lines[case.name, number] = range(first, texts[number].count("\n") + 1)
    before, after = texts
    case = Planted("together", before, after, cases[0].verdict, ours=cases[0].ours)
    every = run(linux_tree, folder, case, target)
    found = {
        case: tuple(
            replace(
                each,
                function=each.function.removesuffix(_suffix(case)),
                detail=each.detail.replace(_suffix(case), ""),
            )
            for each in every
            if _is_of(each, case, lines)
        )
        for case in cases
    }
    assert sum(map(len, found.values())) == len(every), every
    return found


def _suffix(case: Planted) -> str:
    return f"__of_{case.name.replace('-', '_')}"


def _is_of(
    execution: Execution, case: Planted, lines: dict[tuple[str, int], range]
) -> bool:
    line = execution.unseen
    if line:
        return line.number in lines[case.name, 0 if line.before else 1]
    said = execution.function or execution.detail
    return re.search(rf"{_suffix(case)}\b", said) is not None
