# SPDX-License-Identifier: GPL-2.0
"""Prove changes on every requested target: checks, costs and executions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import (
    NOT_PROVEN,
    PROVEN,
    STYLE,
    Execution,
    Other,
    Proof,
    Rewrite,
)
from hotcocci.memo import recalled
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.changes import changes, chosen_rewrites
from hotcocci.pipeline.checks import check_changes
from hotcocci.pipeline.fingerprint import fingerprint
from hotcocci.pipeline.gating import diffed
from hotcocci.pipeline.inputs import Inputs
from hotcocci.pipeline.preparing import prepared
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_checks import window_checks
from hotcocci.proof import cluster
from hotcocci.proof.gate import Change
from hotcocci.proof.task import Task, WORK, libraries, require_provers, run_all, tasks
from hotcocci.proof.unseen import grouped, nowhere
from hotcocci.records import rebuilt
from hotcocci.temporary import place
from hotcocci.tree.build import BuildError, compiled_by
from hotcocci.tree.incoming import Patch, changed, not_compared
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import encode, read as contents
from hotcocci.tree.targets import (
    ALL,
    TARGETS,
    X86_64,
    Target,
    among,
    compiled_for,
    usual,
)


@dataclass(frozen=True)
class Proposed:
    """Changes to prove; for our own rewrites, also the rewrites and their analysis.

    ``left`` are proofs of files that cannot be examined, with the reason.
    """

    changes: tuple[Change, ...]
    rewrites: tuple[Rewrite, ...] = ()
    analysis: Analysis | None = None
    left: tuple[Proof, ...] = ()


def propose(tree: Tree, paths: Sequence[Path], settings: Settings) -> Proposed:
    """Return the changes by our rewrites of files at and below the paths."""
    analysis = analyse(tree, paths, settings)
    rewrites = chosen_rewrites(analysis, settings)
    wanted = changes(rewrites, analysis.possible, analysis.texts)
    proposed = tuple(diffed(c.file, c.before, c.after, c.others) for c in wanted)
    return Proposed(proposed, tuple(rewrites), analysis)


def propose_patches(tree: Tree, patches: Sequence[Patch]) -> Proposed:
    """Return the changes by given patches; each file is compiled with all headers that they change."""
    made = changed(tree.root, patches)
    headers = [Other(c.file, c.old, c.new) for c in made if c.file.endswith(".h")]
    return Proposed(
        tuple(
            diffed(c.file, c.old, c.new, tuple(h for h in headers if h.file != c.file))
            for c in made
        ),
        left=tuple(
            _not_proven(file, "any target", why)
            for file, why in not_compared(tree.root, patches).items()
        ),
    )


def is_proven(proof: Proof, style: bool = False) -> bool:
    """Whether no check failed and all executions are proven.

    ``style`` also counts checkpatch, whose remarks say nothing about behaviour.
    """
    proven = all(e.verdict == PROVEN for e in proof.executions)
    failed = [check for check in proof.failed if style or check.name != STYLE]
    return bool(proof.executions) and proven and not failed


def prove(tree: Tree, wanted: Sequence[Change], settings: Settings) -> list[Proof]:
    """Prove each change; returns proofs in order.

    Raises UserError if nothing can be compiled for a named target, or if a library that proofs need is missing.
    """
    runner = _runner(settings)
    by_target: dict[Target, list[Change]] = {}
    for change in wanted:
        for target in _targets(tree, change.file, settings):
            by_target.setdefault(target, []).append(change)
    checked: dict[str, list[Proof]] = {change.file: [] for change in wanted}
    shapes = window_checks(tree, wanted, settings)
    for file, check in shapes.items():
        checked[file].append(Proof(file, (check,)))
    todo: list[Task] = []
    for target, own in by_target.items():
        try:
            build = prepared(tree, target, settings)
        except BuildError as error:
            if target.name in (*settings.targets, *settings.extra_targets):
                raise
            for change in own:
                checked[change.file].append(
                    _not_proven(change.file, target.name, str(error))
                )
            continue
        for file, proof in check_changes(tree, own, build, settings).items():
            checked[file].append(proof)
        others = {c.file: c.others for c in own}
        todo += tasks(build, [(c.file, c.old, c.new) for c in own], others)
    ran: dict[str, list[tuple[Execution, ...]]] = {}
    for (file, _), made in executions(todo, runner, settings).items():
        ran.setdefault(file, []).append(made)
    for file, several in ran.items():
        left = grouped(file, nowhere(file, several))
        checked[file].append(Proof(file, executions=tuple(left)))
    return [_merged(change.file, checked[change.file]) for change in wanted]


def _targets(tree: Tree, file: str, settings: Settings) -> Sequence[Target]:
    """Return the targets to prove a file for."""
    if usual(tree.root) != X86_64:
        return (usual(tree.root),)
    if ALL in settings.targets:
        return compiled_for(file, everywhere=True)
    named = [TARGETS[name] for name in settings.targets] or compiled_for(file)
    return tuple(dict.fromkeys([*named, *among(settings.extra_targets, file)]))


def _runner(settings: Settings) -> Runner:
    """Return a runner: local processes, or the workers of a scheduler."""
    require_provers()
    if settings.scheduler is None:
        return partial(run_all, jobs=settings.jobs)
    return partial(
        cluster.run_all,
        address=settings.scheduler,
        jobs=settings.jobs,
        insecure=settings.insecure,
    )


def _not_proven(file: str, target: str, why: str) -> Proof:
    return Proof(file, executions=(Execution(target, file, "", NOT_PROVEN, why),))


def _merged(file: str, parts: Sequence[Proof]) -> Proof:
    """Merge the proofs of one file; checks that do not depend on the target are kept once."""
    return Proof(
        file,
        tuple(dict.fromkeys(check for part in parts for check in part.checks)),
        tuple(gain for part in parts for gain in part.gains),
        tuple(execution for part in parts for execution in part.executions),
    )


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
