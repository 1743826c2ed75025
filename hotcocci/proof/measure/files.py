# SPDX-License-Identifier: GPL-2.0
"""Measure the functions that a change of one file touches, in each compilation of it."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from hotcocci.errors import EngineError, TryAgain
from hotcocci.proof import costs
from hotcocci.proof.execution.compiled import NotCompiledError
from hotcocci.proof.measure.figures import Measured
from hotcocci.proof.measure.machine import Machine
from hotcocci.proof.measure.measuring import Measurement
from hotcocci.proof.measure.runner import RunnerError
from hotcocci.proof.task import Task
from hotcocci.tree.build import BuildError
from hotcocci.tree.overlay import lay


def measure_file(
    task: Task, machine: Machine, wanted: Collection[str] = ()
) -> Iterator[Measured]:
    """Measure the functions of a changed file; only those in ``wanted`` if there are any.

    What cannot be measured has the reason. Raises OSError if there is no room for temporary files.
    """
    if not task.commands:
        where = ", ".join(task.missing) or "no .c file of this architecture includes it"
        yield Measured(task.file, "", why=f"kbuild does not compile it: {where}")
        return
    with tempfile.TemporaryDirectory(prefix="hotcocci-measure-") as folder:
        places = (Path(folder) / "before", Path(folder) / "after")
        for place, texts in zip(places, task.texts(), strict=True):
            lay(task.build.tree, texts, place)
        for number, command in enumerate(task.commands):
            scratch = Path(folder) / str(number)
            scratch.mkdir()
            try:
                made = Measurement(
                    task.build,
                    command,
                    task.file,
                    places,
                    costs.changed(task.old, task.new),
                    scratch,
                    machine,
                )
            except (EngineError, BuildError, TryAgain, RunnerError) as error:
                # A part of another file does not compile on its own.
                part = isinstance(error, NotCompiledError) and len(task.commands) > 1
                if not (part and command.file == task.file):
                    yield Measured(command.file, "", why=str(error))
                continue
            functions = made.functions()
            if not functions:
                why = "no function has code for the change on both sides"
                yield Measured(command.file, "", why=why)
            for function in functions:
                if not wanted or function in wanted:
                    yield made.measure(function)
