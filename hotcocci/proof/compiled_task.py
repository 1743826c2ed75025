# SPDX-License-Identifier: GPL-2.0
"""Compile the code of a task, so that any machine can compare it: no tree, no build, no compiler."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import Execution
from hotcocci.proof.changed import Changed, aligned, changed_lines
from hotcocci.proof.objects import marks
from hotcocci.proof.objects.compiled import (
    CompiledUnit,
    ExecutionError,
    compiled_unit,
)
from hotcocci.proof.objects.differing import Text, differing
from hotcocci.proof.objects.processors import processor_for
from hotcocci.proof.objects.seen import Compilation, unseen
from hotcocci.proof.task import Task
from hotcocci.tree.build import BuildError
from hotcocci.tree.command import Command
from hotcocci.tree.overlay import lay

# Why a file cannot be compared
Failure = EngineError | BuildError | TryAgain


@dataclass(frozen=True)
class Code:
    """One compilation of a file, and a NOT_PROVEN result for each changed line without code in it."""

    unit: CompiledUnit
    unseen: tuple[Execution, ...]


@dataclass(frozen=True)
class CompiledFile:
    """A .c file that is compiled with a change, or why it is not.

    ``classic`` is the same without masked user access, if only that has code for some lines.
    ``shifted`` moves each masked address, if both sides mask as many.
    """

    file: str
    code: Code | Failure
    classic: Code | None = None
    shifted: Code | None = None


@dataclass(frozen=True)
class CompiledTask:
    """A changed file, and each .c file that is compiled with it.

    ``missing`` are those for which kbuild has no rule; ``left`` counts users of what changes in a
    header that are not compiled.
    """

    target: str
    file: str
    old: str
    new: str
    files: tuple[CompiledFile, ...]
    missing: tuple[str, ...]
    left: int


def compiled_task(task: Task) -> CompiledTask:
    """Compile the files of a task before and after the change, unless only its layout differs.

    Raises OSError if there is no room for temporary files.
    """
    build = task.build
    changed = changed_lines(task.file, task.old, task.new)
    files: list[CompiledFile] = []
    if not is_layout(changed):
        with tempfile.TemporaryDirectory(prefix="hotcocci-run-") as folder:
            scratch = Path(folder)
            places = (scratch / "before", scratch / "after")
            # The including files are copied too, so that they find the changed file next to them.
            padded = [aligned(o.file, o.old, o.new) for o in task.others]
            for side, (place, texts) in enumerate(
                zip(places, task.texts(), strict=True)
            ):
                same = {e.file: e.texts[side] for e in (*padded, changed.aligned)}
                lay(build.tree, {**texts, **same}, place)
            files = [
                _compiled(task, command, places, scratch, changed)
                for command in task.commands
            ]
    return CompiledTask(
        *(build.target.name, task.file, task.old, task.new),
        *(tuple(files), task.missing, task.left),
    )


def is_layout(changed: Changed) -> bool:
    """Whether a compiler reads the same after a change."""
    texts = [Text(changed.file, text) for text in changed.aligned.texts]
    return not any(differing(texts[0], texts[1]))


def _compiled(
    task: Task,
    command: Command,
    places: tuple[Path, Path],
    scratch: Path,
    changed: Changed,
) -> CompiledFile:
    def code(*flags: str) -> Code:
        processor = processor_for(task.build)
        if processor is None:
            why = f"code for {task.build.target.name} is not compared"
            raise ExecutionError(why)
        own = replace(command, argv=(*command.argv, *flags))
        unit = compiled_unit(task.build, own, places, scratch, changed, processor)
        how = Compilation(task.build, own, places, scratch, processor)
        return Code(unit, tuple(unseen(how, changed, unit)))

    try:
        usual = code()
        masked = bool(usual.unseen) and marks.MASKED in task.new
        return CompiledFile(
            command.file,
            usual,
            code(marks.CLASSIC) if masked else None,
            code(marks.SHIFTED) if _has_masks(task) else None,
        )
    except (EngineError, BuildError, TryAgain) as error:
        return CompiledFile(command.file, error)


def _has_masks(task: Task) -> bool:
    """Whether both sides mask as many addresses.

    If the change brings masks, the addresses of the other side are not masked; UW14 compares the names.
    """
    old, new = (len(marks.MASKS.findall(text)) for text in (task.old, task.new))
    return 0 < old == new
