# SPDX-License-Identifier: GPL-2.0
"""The engines that look at a file as a compiler does, on many files, remembered."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from hotcocci.cache import Cache
from hotcocci.engines import clang_tidy, objects, objtool, smatch, sparse
from hotcocci.errors import EngineError, EngineMissing, UserError
from hotcocci.findings import Report, Skip
from hotcocci.pipeline.fingerprint import fingerprint, included
from hotcocci.pipeline.settings import Settings
from hotcocci.pipeline.window_reports import report_from
from hotcocci.rules.entry import CLANG_TIDY, OBJECTS, OBJTOOL, SMATCH, SPARSE
from hotcocci.tree.build import Build, BuildError, prepare
from hotcocci.tree.command import commands
from hotcocci.tree.includes import units
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import decode
from hotcocci.tree.target import Target
from hotcocci.tree.targets import clang_for, compiled_for
from hotcocci.tree.unit import Unit

Seen = tuple[tuple[Report, ...], tuple[Skip, ...]]


NO_READER = "no .c file of this architecture includes it directly"
# Headers that define the API: what includes them says nothing about a window.
EVERYWHERE = frozenset({"uaccess.h", "uaccess_64.h", "uaccess_32.h"})


@dataclass(frozen=True)
class UnitEngine:
    """An engine that needs a compiler's command.

    ``targets`` are the kernels for which it looks at a file of that name: at the first for which
    the file compiles, or with ``every`` at all of them. ``program`` names what it runs, for the
    key under which answers are remembered, and raises EngineMissing if there is none. Those that
    ``compiles`` share the object. What it cannot look at is not missed where ``instead`` could.
    """

    name: str
    module: str
    targets: Callable[[str], Sequence[Target]]
    every: bool
    look: Callable[[Unit, Path], Seen]
    program: Callable[[], bytes]
    compiles: bool = False
    instead: str = ""


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
        UnitEngine(
            OBJTOOL,
            objtool.__file__,
            _with_objtool,
            True,
            _objtool,
            bytes,
            compiles=True,
            instead=OBJECTS,
        ),
        UnitEngine(
            OBJECTS,
            objects.__file__,
            compiled_for,
            True,
            _objects,
            bytes,
            compiles=True,
        ),
    )
}


@dataclass(frozen=True)
class _Task:
    """One file for one engine: to be looked at as the first of the units that compiles."""

    engine: UnitEngine
    file: str
    units: tuple[Unit, ...]
    key: str


@dataclass(frozen=True)
class _Done:
    """What came of a task. ``failure`` says why the file could not be looked at."""

    reports: tuple[Report, ...] = ()
    skipped: tuple[Skip, ...] = ()
    failure: str = ""


def unit_reports(
    tree: Tree,
    texts: dict[str, str],
    names: Sequence[str],
    cache: Cache,
    settings: Settings,
) -> tuple[list[Report], list[Skip]]:
    """What these engines say about each file, and what they could not look at, and why.

    A file that is not compiled by itself is looked at in those that include it. The reason of a
    skip begins with the names of the engines that it holds for. Raises UserError for an engine
    that was asked for by its name and is not there.
    """
    skipped: list[Skip] = []
    tasks: list[_Task] = []
    failures: dict[str, dict[str, str]] = {}
    builds: dict[str, Build | str] = {}
    readers = {file: _readers(tree, file) for file in texts}
    sources = sorted({source for several in readers.values() for source in several})
    for name in names:
        engine = ENGINES[name]
        try:
            common = _fingerprint(tree, engine)
        except EngineMissing as error:
            if name in settings.engines:
                raise UserError(str(error)) from error
            skipped.append(Skip(".", f"{name}: {error}"))
            continue
        own, failed = _tasks(tree, sources, engine, common, builds, settings)
        tasks += own
        failures[name] = failed
    made = _answers(tasks, cache, settings)
    looked = {(t.engine.name, t.file) for t, done in made if not done.failure}
    for task, done in made:
        skipped += done.skipped
        if done.failure:
            failures[task.engine.name].setdefault(task.file, done.failure)
    for file, several in readers.items():
        if Path(file).name in EVERYWHERE:
            continue
        whys = {
            name: next((failed[r] for r in several if r in failed), NO_READER)
            for name, failed in failures.items()
            if not any((name, reader) in looked for reader in several)
        }
        missed = [name for name in whys if ENGINES[name].instead in ("", *whys)]
        if missed:
            skipped.append(Skip(file, f"{', '.join(missed)}: {whys[missed[0]]}"))
    return [report for _, done in made for report in done.reports], skipped


def _readers(tree: Tree, file: str) -> tuple[str, ...]:
    """The files whose compilation shows a file: itself, and those that include it.

    Of the API's own headers, which everything includes, none.
    """
    if Path(file).name in EVERYWHERE:
        return ()
    folder = file.split("/")[1] if file.startswith("arch/") else "x86"
    return units(tree.root, file, folder)


def _answers(
    tasks: Sequence[_Task], cache: Cache, settings: Settings
) -> list[tuple[_Task, _Done]]:
    """What comes of each task, or came of it in an earlier run."""
    known = cache.answers([task.key for task in tasks])
    made = [(task, _from_json(known.get(task.key))) for task in tasks]
    todo = [task for task, done in made if done is None]
    found = [(task, done) for task, done in made if done is not None]
    with settings.observer.progress("engines") as show:
        for task, done in _run(todo, settings.jobs):
            found.append((task, done))
            cache.remember({task.key: asdict(done)})
            if show:
                show(len(found), len(tasks))
    return found


def _tasks(
    tree: Tree,
    sources: Sequence[str],
    engine: UnitEngine,
    common: bytes,
    builds: dict[str, Build | str],
    settings: Settings,
) -> tuple[list[_Task], dict[str, str]]:
    """The tasks of one engine, and why there is none for a file."""
    targets = {file: tuple(engine.targets(file)) for file in sources}
    units_of: dict[str, list[Unit]] = {file: [] for file in sources}
    said: dict[str, list[str]] = {file: [] for file in sources}
    for target in dict.fromkeys(t for several in targets.values() for t in several):
        files = [file for file in sources if target in targets[file]]
        build = _build(tree, target, builds, settings)
        told = commands(build, files) if isinstance(build, Build) else {}
        for file in files:
            if isinstance(build, str):
                said[file].append(build)
            elif file not in told:
                said[file].append(f"kbuild does not compile it for {target.name}")
            else:
                source = tree.root / file
                units_of[file].append(Unit(build, told[file], source, tree.root))
    tasks = []
    for file, several in units_of.items():
        split = [(unit,) for unit in several] if engine.every else [tuple(several)]
        tasks += [
            _Task(engine, file, some, _key(common, tree, some))
            for some in split
            if some
        ]
    failed = {
        file: "; ".join(said[file]) or "no kernel of this architecture is known to it"
        for file in sources
        if not units_of[file]
    }
    return tasks, failed


def _build(
    tree: Tree, target: Target, builds: dict[str, Build | str], settings: Settings
) -> Build | str:
    """A build of the tree, or why there is none."""
    if target.name not in builds:
        try:
            builds[target.name] = prepare(
                tree.root, target, settings.cache_dir, settings.jobs
            )
        except BuildError as error:
            builds[target.name] = str(error)
    return builds[target.name]


def _run(tasks: Sequence[_Task], jobs: int) -> Iterator[tuple[_Task, _Done]]:
    """Every task with what came of it, as each is done."""
    together: dict[object, list[_Task]] = {}
    for task in tasks:
        # One after the other in one folder, so that the second finds the object of the first.
        together.setdefault(
            task.units if task.engine.compiles else task.key, []
        ).append(task)
    # What takes longest first, or the other processors wait for it at the end.
    ordered = sorted(together.values(), key=lambda some: not some[0].engine.compiles)
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        running = {pool.submit(_several, some): some for some in ordered}
        try:
            for future in as_completed(running):
                yield from zip(running[future], future.result(), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _several(tasks: Sequence[_Task]) -> list[_Done]:
    try:
        with tempfile.TemporaryDirectory(prefix="hotcocci-check-") as folder:
            return [_one(task, Path(folder)) for task in tasks]
    except OSError as error:
        raise UserError(
            f"cannot check: {error.filename or tempfile.gettempdir()}: {error.strerror}: "
            "free some space there, or name another folder in TMPDIR"
        ) from error


def _one(task: _Task, folder: Path) -> _Done:
    failure = ""
    for unit in task.units:
        try:
            reports, skips = task.engine.look(unit, folder)
        except (EngineError, BuildError) as error:
            failure = failure or str(error)
            continue
        name = task.engine.name
        named = tuple(Skip(s.file, f"{name}: {s.reason}") for s in skips)
        return _Done(reports, named)
    return _Done(failure=failure)


def _from_json(data: object) -> _Done | None:
    if not isinstance(data, dict):
        return None
    return _Done(
        tuple(map(report_from, data["reports"])),
        tuple(Skip(**skip) for skip in data["skipped"]),
        data["failure"],
    )


def _fingerprint(tree: Tree, engine: UnitEngine) -> bytes:
    """A hash of all that an engine's answers depend on besides the file and its command."""
    asked = f"{engine.name} {tree.root} {hashlib.sha256(engine.program()).hexdigest()}"
    return fingerprint(asked, tree.root, Path(engine.module))


def _key(common: bytes, tree: Tree, several: Sequence[Unit]) -> str:
    digest = hashlib.sha256(common)
    file = several[0].command.file
    text = (tree.root / file).read_bytes()
    for part in (text, included(tree, file, decode(text))):
        digest.update(hashlib.sha256(part).digest())
    for unit in several:
        argv = "\0".join(unit.command.argv)
        for word in (unit.command.file, str(unit.build.out), argv):
            digest.update(hashlib.sha256(word.encode()).digest())
    return digest.hexdigest()
