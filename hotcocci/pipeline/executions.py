# SPDX-License-Identifier: GPL-2.0
"""Run the code of many changes, in this process or in a booted kernel, with cached verdicts."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from hotcocci.errors import EngineError, UserError
from hotcocci.findings import Execution
from hotcocci.pipeline.fingerprint import fingerprint
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import task as module
from hotcocci.proof.boot import run
from hotcocci.proof.gate import Change
from hotcocci.proof.symbolic.prover import LIBRARIES, version
from hotcocci.proof.task import NO_WORKER, Task, execution
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode

Runner = Callable[[Sequence[Task]], Iterator[tuple[Task, tuple[Execution, ...]]]]


def executions(
    tasks: Sequence[Task], runner: Runner, settings: Settings
) -> dict[tuple[str, str], tuple[Execution, ...]]:
    """Return the verdicts on each task, by file and target; ``runner`` runs those that are not cached.

    Raises UserError if there is no room for temporary files.
    """
    found: dict[tuple[str, str], tuple[Execution, ...]] = {}
    common: dict[Path, bytes] = {}
    try:
        with settings.open_cache() as cache, settings.observer.progress("runs") as show:
            keys = {_name(task): _key(task, common) for task in tasks}
            known = cache.answers(list(keys.values()))
            for name, key in keys.items():
                data = known.get(key)
                if isinstance(data, list):
                    found[name] = tuple(execution(**each) for each in data)
            todo = [task for task in tasks if _name(task) not in found]
            for task, made in runner(todo):
                found[_name(task)] = made
                # Do not cache this: it may work on another machine.
                if not any(each.detail.startswith(NO_WORKER) for each in made):
                    cache.remember({keys[_name(task)]: [asdict(each) for each in made]})
                if show:
                    show(len(found), len(tasks))
    except OSError as error:
        raise UserError(
            f"cannot run the code: {error.filename or tempfile.gettempdir()}: "
            f"{error.strerror}: free some space there, or set TMPDIR to another directory"
        ) from error
    # In task order, not in order of completion.
    return {_name(task): found[_name(task)] for task in tasks}


def boot_executions(
    tree: Tree, changes: Sequence[Change], settings: Settings
) -> dict[str, tuple[Execution, ...]]:
    """Return the verdicts on each change from a booted kernel of this tree, by file.

    Raises UserError if it cannot be built or booted here.
    """
    key = _boot_key(tree, changes)
    with settings.open_cache() as cache:
        known = cache.answers([key]).get(key)
        if isinstance(known, dict):
            return {
                file: tuple(execution(**each) for each in made)
                for file, made in known.items()
            }
        try:
            found = run.boot(tree, changes, settings.cache_dir, settings.jobs)
        except EngineError as error:
            raise UserError(f"--boot: {error}") from error
        plain = {f: [asdict(each) for each in made] for f, made in found.items()}
        cache.remember({key: plain})
    return found


def _boot_key(tree: Tree, changes: Sequence[Change]) -> str:
    """Hash what the outcome depends on: one kernel calls the functions of all changes."""
    asked = f"booted {tree.root}"
    digest = hashlib.sha256(fingerprint(asked, tree.root, Path(run.__file__)))
    digest.update(run.fingerprint())
    for change in changes:
        for text in (change.file, change.old, change.new):
            digest.update(hashlib.sha256(encode(text)).digest())
    return digest.hexdigest()


def _name(task: Task) -> tuple[str, str]:
    return task.file, task.build.target.name


def _key(task: Task, common: dict[Path, bytes]) -> str:
    """A hash of all that the outcome depends on."""
    build = task.build
    if build.out not in common:
        # Without a library there is no proof for all inputs.
        libraries = [version(name) for name in LIBRARIES]
        asked = f"executions {build.out} {libraries}"
        common[build.out] = fingerprint(asked, build.tree, Path(module.__file__))
    digest = hashlib.sha256(common[build.out])
    for text in (task.file, task.old, task.new):
        digest.update(hashlib.sha256(encode(text)).digest())
    for command in task.commands:
        if command.file != task.file:
            data = (build.tree / command.file).read_bytes()
            digest.update(hashlib.sha256(data).digest())
    return digest.hexdigest()
