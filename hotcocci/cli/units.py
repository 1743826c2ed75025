# SPDX-License-Identifier: GPL-2.0
"""The engines that look at a file as a compiler does, on many files, remembered."""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
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


Seen = tuple[tuple[Report, ...], tuple[Skip, ...]]


@dataclass(frozen=True)
class UnitEngine:
    """An engine that needs a compiler's command.

    ``targets`` are the kernels for which it looks at a file of that name: at the first for which
    the file is compiled, or with ``every`` at all of them. ``program`` names what it runs, for the
    key under which answers are remembered, and raises EngineMissing if there is none.
    """

    name: str
    module: str
    targets: Callable[[str], Sequence[Target]]
    every: bool
    look: Callable[[Unit, Path], Seen]
    program: Callable[[], bytes]


def _with_objtool(file: str) -> Sequence[Target]:
    return [target for target in compiled_for(file) if target.objtool]


def _source(
    check: Callable[[Unit], tuple[Report, ...]],
) -> Callable[[Unit, Path], Seen]:
    """An engine that reads the source and writes nothing."""
    return lambda unit, _: (check(unit), ())


def _objtool(unit: Unit, scratch: Path) -> Seen:
    return objtool.check(unit, scratch), ()


def _objects(unit: Unit, scratch: Path) -> Seen:
    looked = objects.look(unit, scratch)
    return looked.reports, looked.skipped


ENGINES = {
    engine.name: engine
    for engine in (
        UnitEngine(
            SMATCH,
            smatch.__file__,
            compiled_for,
            False,
            _source(smatch.check),
            smatch.program,
        ),
        UnitEngine(
            CLANG_TIDY,
            clang_tidy.__file__,
            clang_for,
            False,
            _source(clang_tidy.check),
            clang_tidy.program,
        ),
        UnitEngine(
            SPARSE,
            sparse.__file__,
            compiled_for,
            False,
            _source(sparse.check),
            sparse.program,
        ),
        # Their program is the build's compiler, which is part of the build's name.
        UnitEngine(OBJTOOL, objtool.__file__, _with_objtool, True, _objtool, bytes),
        UnitEngine(OBJECTS, objects.__file__, compiled_for, True, _objects, bytes),
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
        own, missed = _tasks(tree, texts, engine, common, builds, args)
        tasks += own
        skipped += missed
    known = cache.answers([task.key for task in tasks])
    made = {task.key: _from_json(known.get(task.key)) for task in tasks}
    todo = [task for task in tasks if made[task.key] is None]
    with progress("engines") as show:
        for done, (task, seen) in enumerate(_run(todo, args.jobs), 1):
            made[task.key] = seen
            cache.remember(
                {task.key: [[asdict(part) for part in parts] for parts in seen]}
            )
            if show:
                show(done, len(todo))
    found = [seen for seen in made.values() if seen is not None]
    reports = [report for seen in found for report in seen[0]]
    return reports, [*skipped, *(skip for seen in found for skip in seen[1])]


def _tasks(
    tree: Tree,
    texts: dict[str, str],
    engine: UnitEngine,
    common: bytes,
    builds: dict[str, Build | str],
    args: argparse.Namespace,
) -> tuple[list[_Task], list[Skip]]:
    """The tasks of one engine, and the files that no kernel it looks at compiles."""
    skipped: list[Skip] = []
    tasks: list[_Task] = []
    sources = [file for file in texts if file.endswith(".c")]
    targets = {file: tuple(engine.targets(file)) for file in sources}
    said: dict[str, list[str]] = {file: [] for file in sources}
    done: set[str] = set()
    for target in dict.fromkeys(t for several in targets.values() for t in several):
        files = [
            file
            for file in sources
            if target in targets[file] and (engine.every or file not in done)
        ]
        build = _build(tree, target, builds, args) if files else ""
        told = commands(build, files) if isinstance(build, Build) else {}
        for file in files:
            if isinstance(build, str):
                said[file].append(build)
            elif file not in told:
                said[file].append(f"kbuild does not compile it for {target.name}")
            else:
                unit = Unit(build, told[file], tree.root / file, tree.root)
                tasks.append(_Task(engine, unit, _key(common, unit, texts[file])))
                done.add(file)
    for file in sources:
        if file not in done:
            why = "; ".join(said[file]) or "it knows no kernel for this architecture"
            skipped.append(Skip(file, f"{engine.name}: {why}"))
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


def _run(tasks: Sequence[_Task], jobs: int) -> Iterator[tuple[_Task, Seen]]:
    """Every task with what came of it, as each is done."""
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        running = {pool.submit(_one, task): task for task in tasks}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _one(task: _Task) -> Seen:
    file = task.unit.command.file
    try:
        with tempfile.TemporaryDirectory(prefix="hotcocci-check-") as folder:
            reports, skips = task.engine.look(task.unit, Path(folder))
    except (EngineError, BuildError) as error:
        return (), (Skip(file, f"{task.engine.name}: {error}"),)
    except OSError as error:
        raise UserError(
            f"cannot check: {error.filename or tempfile.gettempdir()}: {error.strerror}: "
            "free some space there, or name another folder in TMPDIR"
        ) from error
    named = tuple(Skip(s.file, f"{task.engine.name}: {s.reason}") for s in skips)
    return reports, named


def _from_json(data: object) -> Seen | None:
    if not isinstance(data, list):
        return None
    reports, skips = data
    return tuple(map(report_from, reports)), tuple(Skip(**skip) for skip in skips)


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
