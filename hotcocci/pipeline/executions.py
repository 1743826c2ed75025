# SPDX-License-Identifier: GPL-2.0
"""Run the code of many changes, with cached verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from hotcocci.cache import Cache
from hotcocci.findings import Execution
from hotcocci.memo import remembered
from hotcocci.pipeline.fingerprint import fingerprint, key
from hotcocci.pipeline.inputs import Inputs
from hotcocci.pipeline.paths import needing_room
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.task import WORK, Task, libraries
from hotcocci.records import rebuilt
from hotcocci.tree.build import compiled_by
from hotcocci.tree.source import read as contents


@dataclass(frozen=True)
class _Made:
    each: tuple[Execution, ...]


# A task's file and target
Name = tuple[str, str]
Runner = Callable[[Sequence[Task]], Iterator[tuple[Task, tuple[Execution, ...]]]]


def executions(
    tasks: Sequence[Task], runner: Runner, settings: Settings
) -> dict[Name, tuple[Execution, ...]]:
    """Return the verdicts on each task, by file and target; ``runner`` runs those that are not cached.

    Raises UserError if there is no room for temporary files.
    """
    named = {_name(task): task for task in tasks}
    with (
        needing_room("run the code"),
        settings.open_cache() as cache,
        settings.observer.progress("comparing") as show,
    ):

        def make(todo: list[Name]) -> Iterator[tuple[Name, tuple[Execution, ...]]]:
            done = len(named) - len(todo)
            for number, (task, made) in enumerate(runner([named[n] for n in todo]), 1):
                yield _name(task), made
                if show:
                    show(done + number, len(named))

        found = remembered(
            cache,
            _keys(tasks, cache, settings),
            lambda _, data: rebuilt(_Made, data).each,
            make,
            lambda made: asdict(_Made(made)),
        )
    # In task order, not in order of completion.
    targets = {task.build.target for task in tasks}
    code = {target: compiled_by(target) for target in targets}
    return {
        _name(task): _named(found[_name(task)], code[task.build.target])
        for task in tasks
    }


def _named(made: Sequence[Execution], code: str) -> tuple[Execution, ...]:
    return tuple(replace(each, compiled=code) for each in made)


def _name(task: Task) -> Name:
    return task.file, task.build.target.name


def _keys(tasks: Sequence[Task], cache: Cache, settings: Settings) -> dict[Name, str]:
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
    common = fingerprint(f"executions {build.out} {libraries()}", WORK)
    read = inputs.of_change(build, task.commands, task.old, task.new)
    texts = (task.file, task.old, task.new, str(task.left), read)
    others = (text for other in task.others for text in (other.file, other.new))
    units = (c.file for c in task.commands if c.file != task.file)
    return key(common, *texts, *others, *(contents(build.tree / u) for u in units))
