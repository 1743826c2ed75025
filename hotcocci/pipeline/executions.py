# SPDX-License-Identifier: GPL-2.0
"""Run the code of many changes, with cached verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import Execution
from hotcocci.memo import recalled
from hotcocci.pipeline.fingerprint import fingerprint
from hotcocci.pipeline.inputs import Inputs
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.task import WORK, Task, libraries
from hotcocci.records import rebuilt
from hotcocci.temporary import place
from hotcocci.tree.build import compiled_by
from hotcocci.tree.source import encode
from hotcocci.tree.source import read as contents


@dataclass(frozen=True)
class _Made:
    each: tuple[Execution, ...]


Runner = Callable[[Sequence[Task]], Iterator[tuple[Task, tuple[Execution, ...]]]]


def executions(
    tasks: Sequence[Task], runner: Runner, settings: Settings
) -> dict[tuple[str, str], tuple[Execution, ...]]:
    """Return the verdicts on each task, by file and target; ``runner`` runs those that are not cached.

    Raises UserError if there is no room for temporary files.
    """
    found: dict[tuple[str, str], tuple[Execution, ...]] = {}
    try:
        with (
            settings.open_cache() as cache,
            settings.observer.progress("comparing") as show,
        ):
            keys = _keys(tasks, cache, settings)
            found |= recalled(cache, keys, lambda _, data: rebuilt(_Made, data).each)
            todo = [task for task in tasks if _name(task) not in found]
            if show:
                show(len(found), len(tasks))
            for task, made in runner(todo):
                found[_name(task)] = made
                cache.remember({keys[_name(task)]: asdict(_Made(made))})
                if show:
                    show(len(found), len(tasks))
    except OSError as error:
        raise UserError(
            f"cannot run the code: {error.filename or place()}: "
            f"{error.strerror}: free some space there, or set TMPDIR to another directory"
        ) from error
    # In task order, not in order of completion.
    targets = {task.build.target for task in tasks}
    code = {target: compiled_by(target) for target in targets}
    return {
        _name(task): _named(found[_name(task)], code[task.build.target])
        for task in tasks
    }


def _named(made: Sequence[Execution], code: str) -> tuple[Execution, ...]:
    return tuple(replace(each, compiled=code) for each in made)


def _name(task: Task) -> tuple[str, str]:
    return task.file, task.build.target.name


def _keys(
    tasks: Sequence[Task], cache: Cache, settings: Settings
) -> dict[tuple[str, str], str]:
    """The key of each task's verdicts, by name."""
    trees = {task.build.tree for task in tasks}
    inputs = {tree: Inputs(tree, cache, settings.jobs) for tree in trees}
    for tree, own in inputs.items():
        several = [task for task in tasks if task.build.tree == tree]
        own.states([(t.build, command) for t in several for command in t.commands])
    return {_name(task): _key(task, inputs[task.build.tree]) for task in tasks}


def _key(task: Task, inputs: Inputs) -> str:
    """A hash of all that the outcome depends on."""
    build = task.build
    asked = f"executions {build.out} {libraries()}"
    digest = hashlib.sha256(fingerprint(asked, WORK))
    read = inputs.of_change(build, task.commands, task.old, task.new)
    others = [text for other in task.others for text in (other.file, other.new)]
    left = str(task.left)
    for text in (task.file, task.old, task.new, left, read, *others):
        digest.update(hashlib.sha256(encode(text)).digest())
    for command in task.commands:
        if command.file != task.file:
            data = contents(build.tree / command.file)
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()
