# SPDX-License-Identifier: GPL-2.0
"""Judge a mutant: whether it compiles, changes the code, and is refused."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import compile_file
from hotcocci.findings import DIFFERENT, PROVEN
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.objects import marks
from hotcocci.proof.objects.compiled import FLAGS
from hotcocci.proof.task import Task, work_apart
from hotcocci.tree.source import decode, lay

DROPPED, SAME_CODE = "dropped", "same code"
REFUSED, UNPROVEN, SURVIVOR = "different", "not proven", "survivor"
OUTCOMES = (DROPPED, SAME_CODE, REFUSED, UNPROVEN, SURVIVOR)
# A mutant that takes longer counts as not proven.
SECONDS = 150.0
# Sections with line numbers: warnings, messages and branch profiling.
LINES = ("__bug_table", "__dyndbg", "_ftrace_", ".rodata._entry")

Code = tuple[tuple[str, object], ...]


def judged(mutant: Task, right: Task) -> tuple[str, str]:
    """Judge a mutant; returns one of OUTCOMES and the details."""
    code = compiled(mutant)
    if code is None:
        return DROPPED, ""
    if code in (compiled(right), compiled_before(right)):
        return SAME_CODE, ""
    return proven(mutant)


def proven(task: Task) -> tuple[str, str]:
    """Run the proof that ``prove --diff`` runs."""
    results = work_apart(task, SECONDS)
    details = "; ".join(
        f"{e.function}: {e.verdict} {e.detail}".strip() for e in results
    )
    if any(e.verdict == DIFFERENT for e in results):
        return REFUSED, details
    if not results or any(e.verdict != PROVEN for e in results):
        return UNPROVEN, details
    return SURVIVOR, details


@lru_cache(maxsize=4)
def compiled(task: Task) -> tuple[Code, ...] | None:
    """Compile every unit that contains the change; None if one does not compile."""
    return _compiled(task, task.new)


@lru_cache(maxsize=4)
def compiled_before(task: Task) -> tuple[Code, ...] | None:
    """Compile the same units before the change."""
    return _compiled(task, task.old)


def _compiled(task: Task, text: str) -> tuple[Code, ...] | None:
    tree = task.build.tree
    users = {c.file: decode((tree / c.file).read_bytes()) for c in task.commands}
    found = []
    with tempfile.TemporaryDirectory(prefix="hotcocci-mutant-") as folder:
        scratch = Path(folder)
        overlay, output = scratch / "tree", scratch / "new.o"
        lay(tree, {**users, task.file: text}, overlay)
        first, last = marks.flags(scratch, barriers=True), (*FLAGS, "-g0")
        for command in task.commands:
            results = compile_file(task.build, command, overlay, output, first, last)
            if results.object is None:
                return None
            found.append(_code(ObjectFile(results.object)))
    return tuple(found)


def _code(obj: ObjectFile) -> Code:
    """Extract the loaded sections of an object, and the targets of its relocations."""
    names = obj.section_names
    found: list[tuple[str, object]] = []
    for section in obj.loaded:
        if not names[section].startswith(LINES):
            named = tuple(
                (r.offset, r.kind, r.symbol.name, r.symbol.address, r.addend)
                for _, r in sorted(obj.relocations(section).items())
            )
            found.append((names[section], (obj.data(section), named)))
    return tuple(found)
