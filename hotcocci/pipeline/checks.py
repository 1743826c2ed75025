# SPDX-License-Identifier: GPL-2.0
"""Compile and check many changes on each of their targets, and run their code, with cached results.

Compiling a file twice takes seconds; the outcome depends on both texts, the files that
include it, the headers they include, the build, the programs and our own code.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from hotcocci.cache import Cache, recalled, remembered
from hotcocci.engines.programs import PROGRAMS
from hotcocci.engines.programs import look as find_programs
from hotcocci.findings import Change, Check, Execution, Proof
from hotcocci.machine import costs
from hotcocci.pipeline.fingerprint import fingerprint, key
from hotcocci.pipeline.inputs import Inputs, prepared
from hotcocci.pipeline.paths import needing_room
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.proof.task import WORK, Name, Task, is_refused, libraries
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build, BuildError, compiled_by
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import built_units, foreign
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import read as contents
from hotcocci.tree.source import stamp
from hotcocci.tree.targets import (
    CLANG,
    KERNELS,
    X86_64,
    Target,
    among,
    compiled_for,
    usual,
)

# gcc, binutils and make are part of the build's name.
ASKED = ("sparse", "perl", costs.llvm_mca() or "llvm-mca")

Executions = tuple[Execution, ...]
Runner = Callable[[Sequence[Task]], Iterator[tuple[Task, Executions]]]


def check_changes(
    tree: Tree, wanted: Sequence[Change], build: Build | None, settings: Settings
) -> dict[str, Proof]:
    """Return the checks and costs of each change, by file; no file may occur twice.

    Raises UserError if there is no room for temporary files.
    """
    proofs: dict[str, Proof] = {}
    keys: dict[str, str] = {}
    title = f"compiling for {build.target.name}" if build else "checking the style"
    with (
        needing_room("check the rewrites"),
        settings.open_cache() as cache,
        settings.observer.progress(title) as show,
    ):
        if build is not None and wanted:
            keys = _keys(tree, wanted, build, cache, settings)
        proofs |= recalled(cache, keys, lambda _, data: rebuilt(Proof, data))
        todo = [change for change in wanted if change.file not in proofs]
        if show:
            show(len(proofs), len(wanted))
        for proof in gate.check_all(tree.root, todo, build, settings.jobs):
            proofs[proof.file] = proof
            if proof.file in keys:
                cache.remember({keys[proof.file]: asdict(proof)})
            if show:
                show(len(proofs), len(wanted))
    return proofs


def _fingerprint(tree: Tree, build: Build) -> bytes:
    """Hash what a proof depends on, except for the change and the files that include it."""
    programs = find_programs([entry for entry in PROGRAMS if entry.name in ASKED])
    versions = [(found.path, found.version) for found in programs]
    style = tree.root / "scripts" / "checkpatch.pl"
    asked = f"proof {build.out} {versions}"
    others = [style] if style.exists() else []
    return fingerprint(asked, Path(gate.__file__), *others)


def _keys(
    tree: Tree, wanted: Sequence[Change], build: Build, cache: Cache, settings: Settings
) -> dict[str, str]:
    """The key of each change's proof, by file."""
    common = _fingerprint(tree, build)
    inputs = Inputs(tree.root, cache, settings.jobs)
    folder = build.target.folder
    compiled_as = {c.file: built_units(tree.root, c.file, folder) for c in wanted}
    known = commands(build, {unit for own in compiled_as.values() for unit in own})
    inputs.states([(build, command) for command in known.values()])
    keys = {}
    for change in wanted:
        own = compiled_as[change.file]
        compiled = [known[unit] for unit in own if unit in known]
        keys[change.file] = _key(common, inputs, build, compiled, change)
    return keys


def _key(
    common: bytes,
    inputs: Inputs,
    build: Build,
    compiled: Sequence[Command],
    change: Change | Task,
    *more: str,
) -> str:
    """A hash of all that the outcome of these compilations, before and after a change, depends on."""
    read = inputs.of_change(build, compiled, change.old, change.new)
    others = (text for other in change.others for text in (other.file, other.new))
    units = (c.file for c in compiled if c.file != change.file)
    included = (contents(build.tree / unit) for unit in units)
    texts = (change.file, change.old, change.new, *others)
    return key(common, *texts, read, *more, *included)


def with_extra_targets(
    tree: Tree, todo: Sequence[Change], proofs: Mapping[str, Proof], settings: Settings
) -> dict[str, Proof]:
    """Add the checks for the extra targets, and of a file of another architecture for that, to the proofs.

    Raises UserError if nothing can be compiled for a named target.
    """
    made = dict(proofs)
    if usual(tree.root) != X86_64:
        return made
    for target in KERNELS:
        wanted = [
            change
            for change in todo
            if target in among(settings.extra_targets, change.file)
            or foreign(change.file, X86_64.folder)
            and target in compiled_for(change.file)
        ]
        if target != X86_64:
            made = _with_target(tree, target, wanted, made, settings)
    return made


def _with_target(
    tree: Tree,
    target: Target,
    wanted: Sequence[Change],
    proofs: Mapping[str, Proof],
    settings: Settings,
) -> dict[str, Proof]:
    """Add the checks for one more target to the proofs.

    If nothing can be compiled for it, the check is skipped, or UserError raised if the user named it.
    """
    made = dict(proofs)
    if not wanted:
        return made
    try:
        build = prepared(tree, target, settings)
    except BuildError as error:
        if target.name in settings.extra_targets:
            raise
        missing = Check(f"compile {target.name}", gate.SKIPPED, str(error))
        return made | {
            c.file: _both(made[c.file], Proof(c.file, (missing,))) for c in wanted
        }
    more = check_changes(tree, wanted, build, settings)
    return made | {file: _both(made[file], proof) for file, proof in more.items()}


def _both(own: Proof, other: Proof) -> Proof:
    """Merge the checks of a file, which is not foreign once it is compiled for its own architecture."""
    known = [c for c in own.checks if not (other.compiled and gate.FOREIGN in c.detail)]
    checks = dict.fromkeys((*known, *other.checks))
    return replace(own, checks=tuple(checks), gains=(*own.gains, *other.gains))


def executions(
    tasks: Sequence[Task], runner: Runner, settings: Settings
) -> dict[Name, Executions]:
    """Return the verdicts on each task, by its name; ``runner`` runs those that are not cached.

    Once one refuses a change for a target, others of that are left out. Raises UserError if there is no room for
    temporary files.
    """
    named = {task.name: task for task in tasks}
    refused, several = set[Name](), dict[Name, Executions]()

    def noted(name: Name, made: Executions) -> Executions:
        several[name[:2]] = (*several.get(name[:2], ()), *made)
        if is_refused(several[name[:2]]):
            refused.add(name[:2])
        return made

    with (
        needing_room("run the code"),
        settings.open_cache() as cache,
        settings.observer.progress("comparing") as show,
    ):

        def make(todo: list[Name]) -> Iterator[tuple[Name, Executions]]:
            done = len(named) - len(todo)
            for wave in _waves(todo):
                left = [named[n] for n in wave if n[:2] not in refused]
                for task, made in runner(left) if left else ():
                    yield task.name, noted(task.name, made)
                    done += 1
                    if show:
                        show(done, len(named))

        found = remembered(
            cache,
            _execution_keys(tasks, cache, settings),
            lambda name, data: noted(name, rebuilt(Executions, data)),
            make,
            lambda made: list(map(asdict, made)),
        )
    # In task order, not in order of completion.
    targets = {task.build.target for task in tasks}
    code = {target: compiled_by(target) for target in targets}
    return {
        task.name: tuple(
            replace(each, compiled=code[task.build.target]) for each in found[task.name]
        )
        for task in tasks
        if task.name in found
    }


def _waves(names: Sequence[Name]) -> Iterator[list[Name]]:
    """Names, first one of each file and target, then one more, and as many as before: the first may show what others do."""
    several: dict[int, list[Name]] = {}
    before = Counter[Name]()
    for name in names:
        several.setdefault(before[name[:2]].bit_length(), []).append(name)
        before[name[:2]] += 1
    yield from (several[number] for number in sorted(several))


def _execution_keys(
    tasks: Sequence[Task], cache: Cache, settings: Settings
) -> dict[Name, str]:
    """The key of each task's verdicts, by name."""
    # Without clang, nothing that it says is refused.
    found = shutil.which(CLANG)
    clang = found and stamp(os.path.realpath(found))
    trees = {task.build.tree for task in tasks}
    inputs = {tree: Inputs(tree, cache, settings.jobs) for tree in trees}
    for tree, own in inputs.items():
        several = [task for task in tasks if task.build.tree == tree]
        own.states([(t.build, command) for t in several for command in t.commands])
    return {
        task.name: _key(
            fingerprint(f"executions {task.build.out} {libraries()} {clang}", WORK),
            inputs[task.build.tree],
            task.build,
            task.commands,
            task,
            f"{task.left} {task.spreads} {task.functions}",
        )
        for task in tasks
    }
