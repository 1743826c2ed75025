# SPDX-License-Identifier: GPL-2.0
"""The engines that look at a file as a compiler does, on many files, remembered."""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.cli.decisions import modules_of
from hotcocci.cli.progress import progress
from hotcocci.cli.shapes import report_from
from hotcocci.engines import clang_tidy, objects, objtool, smatch, sparse
from hotcocci.errors import EngineError, EngineMissing, UserError
from hotcocci.findings import Report, Skip
from hotcocci.rules.entry import CLANG_TIDY, OBJECTS, OBJTOOL, SMATCH, SPARSE
from hotcocci.tree.build import Build, BuildError, prepare
from hotcocci.tree.command import commands
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import headers_state
from hotcocci.tree.source import encode
from hotcocci.tree.target import Target
from hotcocci.tree.targets import clang_for, compiled_for
from hotcocci.tree.unit import Unit


@dataclass(frozen=True)
class UnitEngine:
    """An engine that needs a compiler's command.

    ``targets`` are the kernels for which it looks at a file of that name; ``program`` is what it
    runs, for the key under which answers are remembered, and raises EngineMissing.
    """

    name: str
    module: str
    targets: Callable[[str], Sequence[Target]]
    check: Callable[[Unit, Path], tuple[Report, ...]]
    program: Callable[[], bytes]


def _first(file: str) -> Sequence[Target]:
    return compiled_for(file)[:1]


def _with_objtool(file: str) -> Sequence[Target]:
    return [target for target in compiled_for(file) if target.objtool]


def _without_scratch(
    check: Callable[[Unit], tuple[Report, ...]],
) -> Callable[[Unit, Path], tuple[Report, ...]]:
    return lambda unit, _: check(unit)


ENGINES = {
    engine.name: engine
    for engine in (
        UnitEngine(
            SMATCH,
            str(smatch.__file__),
            _first,
            _without_scratch(smatch.check),
            smatch.program,
        ),
        UnitEngine(
            CLANG_TIDY,
            str(clang_tidy.__file__),
            clang_for,
            _without_scratch(clang_tidy.check),
            clang_tidy.program,
        ),
        UnitEngine(
            SPARSE,
            str(sparse.__file__),
            _first,
            _without_scratch(sparse.check),
            sparse.program,
        ),
        UnitEngine(OBJTOOL, str(objtool.__file__), _with_objtool, objtool.check, bytes),
        UnitEngine(OBJECTS, str(objects.__file__), compiled_for, objects.check, bytes),
    )
}


@dataclass(frozen=True)
class _Task:
    engine: UnitEngine
    unit: Unit
    key: str


def look_at_units(
    tree: Tree,
    texts: dict[str, str],
    names: Sequence[str],
    cache: Cache,
    args: argparse.Namespace,
) -> tuple[list[Report], list[Skip]]:
    """What these engines say about each file, and what they could not look at, and why.

    The reason of a skip begins with the engine's name.
    """
    skipped: list[Skip] = []
    tasks: list[_Task] = []
    builds: dict[str, Build | str] = {}
    for name in names:
        engine = ENGINES[name]
        try:
            common = _fingerprint(tree, engine)
        except EngineMissing as error:
            skipped.append(Skip(".", f"{name}: {error}"))
            continue
        made, missed = _tasks(tree, texts, engine, common, builds, args)
        tasks += made
        skipped += missed
    known = cache.answers([task.key for task in tasks])
    reports: list[Report] = []
    todo: list[_Task] = []
    for task in tasks:
        answer = known.get(task.key)
        if isinstance(answer, list):
            reports += [report_from(data) for data in answer]
        elif isinstance(answer, str):
            skipped.append(Skip(task.unit.command.file, answer))
        else:
            todo.append(task)
    with progress("engines") as show:
        for done, (task, outcome) in enumerate(_run(todo, args.jobs), 1):
            if isinstance(outcome, str):
                skipped.append(Skip(task.unit.command.file, outcome))
                cache.remember({task.key: outcome})
            else:
                reports += outcome
                cache.remember({task.key: [asdict(report) for report in outcome]})
            if show:
                show(done, len(todo))
    return reports, skipped


def _tasks(
    tree: Tree,
    texts: dict[str, str],
    engine: UnitEngine,
    common: bytes,
    builds: dict[str, Build | str],
    args: argparse.Namespace,
) -> tuple[list[_Task], list[Skip]]:
    """One task for each file and each kernel that it is compiled for."""
    skipped: list[Skip] = []
    tasks: list[_Task] = []
    by_target: dict[Target, list[str]] = {}
    for file in texts:
        if file.endswith(".c"):
            targets = engine.targets(file)
            if not targets:
                skipped.append(
                    Skip(
                        file, f"{engine.name}: it knows no kernel for this architecture"
                    )
                )
            for target in targets:
                by_target.setdefault(target, []).append(file)
    for target, files in by_target.items():
        build = _build(tree, target, builds, args)
        if isinstance(build, str):
            skipped += [Skip(file, f"{engine.name}: {build}") for file in files]
            continue
        told = commands(build, files)
        for file in files:
            if file not in told:
                why = f"{engine.name}: kbuild does not compile it for {target.name}"
                skipped.append(Skip(file, why))
                continue
            unit = Unit(build, told[file], tree.root / file, tree.root)
            tasks.append(_Task(engine, unit, _key(common, unit, texts[file])))
    return tasks, skipped


def _build(
    tree: Tree, target: Target, builds: dict[str, Build | str], args: argparse.Namespace
) -> Build | str:
    """A build of the tree, or why there is none."""
    if target.name not in builds:
        try:
            builds[target.name] = prepare(tree.root, target, args.cache_dir, args.jobs)
        except BuildError as error:
            builds[target.name] = str(error)
    return builds[target.name]


def _run(
    tasks: Sequence[_Task], jobs: int
) -> list[tuple[_Task, tuple[Report, ...] | str]]:
    """Every task with its reports, or why there are none."""
    if not tasks:
        return []
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        return list(zip(tasks, pool.map(_one, tasks), strict=True))


def _one(task: _Task) -> tuple[Report, ...] | str:
    try:
        with tempfile.TemporaryDirectory(prefix="hotcocci-check-") as folder:
            return task.engine.check(task.unit, Path(folder))
    except EngineError as error:
        return f"{task.engine.name}: {error}"
    except OSError as error:
        raise UserError(
            f"cannot check: {error.filename or tempfile.gettempdir()}: {error.strerror}: "
            "free some space there, or name another folder in TMPDIR"
        ) from error


def _fingerprint(tree: Tree, engine: UnitEngine) -> bytes:
    """A hash of all that an engine's answers depend on besides the file and its command."""
    digest = hashlib.sha256(f"{engine.name} {tree.root}".encode())
    digest.update(engine.program())
    digest.update(headers_state(tree.root))
    here = Path(engine.module)
    for module in [here, *modules_of(here)]:
        digest.update(hashlib.sha256(module.read_bytes()).digest())
    return digest.digest()


def _key(common: bytes, unit: Unit, text: str) -> str:
    digest = hashlib.sha256(common)
    argv = "\0".join(unit.command.argv)
    for part in (
        unit.command.file.encode(),
        str(unit.build.out).encode(),
        argv.encode(),
        encode(text),
    ):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()
