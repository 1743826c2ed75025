# SPDX-License-Identifier: GPL-2.0
"""All that can be shown about some changes: checks, counts and runs, on every target asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from hotcocci.cli.booted import booted
from hotcocci.cli.executions import Runner, executions
from hotcocci.cli.proofs import prove
from hotcocci.cli.window_gate import window_checks
from hotcocci.findings import NOT_PROVEN, Execution, Proof
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.cluster import run as cluster
from hotcocci.proof.executions import run_all
from hotcocci.proof.gate import Change
from hotcocci.proof.task import Task, tasks
from hotcocci.tree.build import BuildError, prepare
from hotcocci.tree.kernel import Tree
from hotcocci.tree.target import Target
from hotcocci.tree.targets import ALL, TARGETS, among, compiled_for, usual
from hotcocci.tree.targets.x86_64 import X86_64


def evidence(tree: Tree, changes: Sequence[Change], settings: Settings) -> list[Proof]:
    """A proof of each change, in their order.

    Raises UserError if a target that was asked for by its name cannot be compiled for.
    """
    by_target: dict[Target, list[Change]] = {}
    for change in changes:
        for target in _targets(tree, change.file, settings):
            by_target.setdefault(target, []).append(change)
    checked: dict[str, list[Proof]] = {change.file: [] for change in changes}
    shapes = window_checks(tree, [(c.file, c.old, c.new) for c in changes], settings)
    for file, check in shapes.items():
        checked[file].append(Proof(file, (check,)))
    todo: list[Task] = []
    for target, wanted in by_target.items():
        try:
            build = prepare(tree.root, target, settings.cache_dir, settings.jobs)
        except BuildError as error:
            if target.name in (*settings.targets, *settings.extra_targets):
                raise
            for change in wanted:
                checked[change.file].append(_unbuilt(change.file, target, str(error)))
            continue
        for file, proof in prove(tree, wanted, build, settings).items():
            checked[file].append(proof)
        todo += tasks(build, [(c.file, c.old, c.new) for c in wanted])
    if settings.boot:
        for file, made in booted(tree, changes, settings).items():
            checked[file].append(Proof(file, executions=made))
    for (file, _), made in executions(todo, _runner(settings), settings).items():
        checked[file].append(Proof(file, executions=made))
    return [_merged(change.file, checked[change.file]) for change in changes]


def _targets(tree: Tree, file: str, settings: Settings) -> Sequence[Target]:
    """The targets that a file is to be proven on."""
    if usual(tree.root) != X86_64:
        return (usual(tree.root),)
    if ALL in settings.targets:
        return compiled_for(file, everywhere=True)
    named = [TARGETS[name] for name in settings.targets] or compiled_for(file)
    return tuple(dict.fromkeys([*named, *among(settings.extra_targets, file)]))


def _runner(settings: Settings) -> Runner:
    """Processes here, or the workers of a scheduler."""
    if settings.scheduler is None:
        return partial(run_all, jobs=settings.jobs)
    return partial(cluster.run_all, address=settings.scheduler)


def _unbuilt(file: str, target: Target, why: str) -> Proof:
    return Proof(file, executions=(Execution(target.name, file, "", NOT_PROVEN, why),))


def _merged(file: str, parts: Sequence[Proof]) -> Proof:
    """All that is known of one file; what does not depend on the target is told once."""
    return Proof(
        file,
        tuple(dict.fromkeys(check for part in parts for check in part.checks)),
        tuple(gain for part in parts for gain in part.gains),
        tuple(execution for part in parts for execution in part.executions),
    )
