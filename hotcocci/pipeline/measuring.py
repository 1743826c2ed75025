# SPDX-License-Identifier: GPL-2.0
"""Measure changes natively on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotcocci.errors import UserError
from hotcocci.pipeline.preparing import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import Change
from hotcocci.proof.libraries import require_emulator
from hotcocci.proof.measure.figures import Measured
from hotcocci.proof.measure.machine import Machine, machine
from hotcocci.proof.task import tasks
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import usual
from hotcocci.tree.targets.x86_64 import X86_64


def this_machine() -> Machine:
    """Describe this machine's processor.

    Raises UserError if it does not run x86-64 code, or there is no emulator to prepare runs in.
    """
    found = machine()
    if found is None:
        raise UserError(
            "measure runs x86-64 code natively: use an x86-64 Linux machine"
        )
    require_emulator()
    return found


def measure(
    tree: Tree,
    changes: Sequence[Change],
    functions: Sequence[str],
    on: Machine,
    settings: Settings,
) -> Iterator[Measured]:
    """Measure the functions that the changes touch, or only some of these.

    Raises UserError if nothing can be compiled.
    """
    if usual(tree.root) != X86_64:
        raise UserError(f"{tree.root} has no x86-64 code to measure")
    build = prepared(tree, X86_64, settings)
    others = {c.file: c.others for c in changes}
    todo = tasks(build, [(c.file, c.old, c.new) for c in changes], others)
    # Importing the emulator takes a second.
    from hotcocci.proof.measure.files import measure_file

    with settings.observer.progress("measuring") as show:
        for number, task in enumerate(todo):
            if show:
                show(number, len(todo))
            yield from measure_file(task, on, functions)
