# SPDX-License-Identifier: GPL-2.0
"""Run the engines that need a compiler's command on many files, with cached results."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

from hotcocci.cache import remembered
from hotcocci.engines import clang_tidy, objtool, smatch
from hotcocci.errors import EngineError, EngineMissing, TryAgain, UserError
from hotcocci.findings import CLANG_TIDY, OBJECTS, OBJTOOL, SMATCH, Report, Seen, Skip
from hotcocci.pipeline.fingerprint import fingerprint, key
from hotcocci.pipeline.inputs import Compilation, Inputs, prepared
from hotcocci.pipeline.paths import needing_room
from hotcocci.pipeline.run import Run
from hotcocci.pipeline.settings import Settings
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.command import Unit, commands, odd_name
from hotcocci.tree.includes import units
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import read as contents
from hotcocci.tree.targets import Target, clang_for, compiled_for

Looked = tuple[tuple[Report, ...], tuple[Skip, ...]]
NO_READER = "no .c file of this architecture includes it directly"
# Headers that define the API: every file includes them, directly or indirectly.
EVERYWHERE = frozenset({"uaccess.h", "uaccess_64.h", "uaccess_32.h"})


@dataclass(frozen=True)
class UnitEngine:
    """An engine that needs a compiler's command.

    ``targets`` are the kernels to examine a file of that name for: the first of each architecture for
    which the file compiles, or with ``every`` all of them. ``program`` identifies what it runs, for the cache key, and
    raises EngineMissing if it is missing. Engines that ``compiles`` share the object. A file that it
    cannot examine is not reported as skipped if ``instead`` could examine it.
    """

    name: str
    module: str
    targets: Callable[[str], Sequence[Target]]
    every: bool
    look: Callable[[Unit, Path], Looked]
    program: Callable[[], bytes]
    compiles: bool = False
    instead: str = ""


ENGINES = {
    engine.name: engine
    for engine in (
        UnitEngine(
            SMATCH,
            smatch.__file__,
            compiled_for,
            False,
            lambda unit, _: (smatch.check(unit), ()),
            smatch.program,
        ),
        UnitEngine(
            CLANG_TIDY,
            clang_tidy.__file__,
            clang_for,
            True,
            lambda unit, _: (clang_tidy.check(unit), ()),
            clang_tidy.program,
        ),
        # They run the build's compiler, which is part of the build's name.
        UnitEngine(
            OBJTOOL,
            objtool.__file__,
            lambda file: [target for target in compiled_for(file) if target.objtool],
            True,
            lambda unit, scratch: (objtool.check(unit, scratch), ()),
            bytes,
            compiles=True,
            instead=OBJECTS,
        ),
        UnitEngine(
            OBJECTS,
            objtool.__file__,
            compiled_for,
            True,
            objtool.follow,
            bytes,
            compiles=True,
        ),
    )
}


@dataclass(frozen=True)
class _Task:
    """A file for an engine to examine, as the first of these units that compiles."""

    engine: UnitEngine
    file: str
    units: tuple[Unit, ...]
    key: str


def engines_there(
    run: Run, names: Sequence[str]
) -> tuple[dict[str, bytes], list[Skip]]:
    """The keys of the engines whose programs are there, and why the others are skipped.

    Raises UserError for a requested engine that is missing.
    """
    found: dict[str, bytes] = {}
    skipped = []
    for name in names:
        try:
            found[name] = _fingerprint(run.tree, ENGINES[name])
        except EngineMissing as error:
            if name in run.settings.engines:
                raise UserError(str(error)) from error
            skipped.append(Skip(".", f"{name}: {error}"))
    return found, skipped


def unit_reports(
    run: Run, texts: dict[str, str], engines: Mapping[str, bytes]
) -> tuple[list[Report], list[Skip]]:
    """Return the reports on each file of these engines, which have such keys, and what they skipped and why.

    A file that is not compiled by itself is examined as part of those that include it. The reason of a
    skip starts with the names of its engines.
    """
    tree, settings = run.tree, run.settings
    skipped: list[Skip] = []
    tasks: list[_Task] = []
    failures: dict[str, dict[str, str]] = {}
    builds: dict[str, Build | str] = {}
    inputs = Inputs(tree.root, run.cache, settings.jobs)
    readers = {file: _readers(tree, file) for file in texts}
    # A header of an architecture is compiled for it, whichever file includes it.
    named: dict[str, list[str]] = {}
    for file, several in readers.items():
        for source in several:
            own = [file] if file.startswith("arch/") else []
            named.setdefault(source, [source]).extend(own)
    for name, common in engines.items():
        engine = ENGINES[name]
        made_of, failed = _tasks(tree, named, engine, common, builds, inputs, settings)
        tasks += made_of
        failures[name] = failed
    made = _answers(run, tasks)
    checked = {(t.engine.name, t.file) for t, done in made if not done.failure}
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
            if not any((name, reader) in checked for reader in several)
        }
        examining = failures.keys() - whys.keys()
        missed = [name for name in whys if ENGINES[name].instead not in examining]
        if missed:
            skipped.append(Skip(file, f"{', '.join(missed)}: {whys[missed[0]]}"))
    return [report for _, done in made for report in done.reports], skipped


def _readers(tree: Tree, file: str) -> tuple[str, ...]:
    """Return the files whose compilation includes a file: itself, and those that include it.

    Empty for the API's own headers, which everything includes.
    """
    if Path(file).name in EVERYWHERE:
        return ()
    folder = file.split("/")[1] if file.startswith("arch/") else "x86"
    return units(tree.root, file, folder)


def _answers(run: Run, tasks: Sequence[_Task]) -> list[tuple[_Task, Seen]]:
    """Return the result of each task, from the cache if possible."""
    settings = run.settings

    def make(todo: list[int]) -> Iterator[tuple[int, Seen]]:
        numbers = {id(tasks[number]): number for number in todo}
        with settings.observer.progress("running the engines") as show:
            for task, done in _run([tasks[number] for number in todo], settings.jobs):
                yield numbers.pop(id(task)), done
                if show:
                    show(len(tasks) - len(numbers), len(tasks))

    keys = {number: task.key for number, task in enumerate(tasks)}
    made = remembered(
        run.cache, keys, lambda _, data: rebuilt(Seen, data), make, asdict
    )
    return [(tasks[number], done) for number, done in made.items()]


def _tasks(
    tree: Tree,
    sources: Mapping[str, Sequence[str]],
    engine: UnitEngine,
    common: bytes,
    builds: dict[str, Build | str],
    inputs: Inputs,
    settings: Settings,
) -> tuple[list[_Task], dict[str, str]]:
    """Return the tasks of one engine, and the reasons for files without one.

    ``sources`` are the files, each with those whose targets it is compiled for.
    """
    targets = {
        file: tuple(dict.fromkeys(t for name in names for t in engine.targets(name)))
        for file, names in sources.items()
    }
    units_of: dict[str, list[Unit]] = {file: [] for file in sources}
    said: dict[str, list[str]] = {file: [] for file in sources}
    for target in dict.fromkeys(t for several in targets.values() for t in several):
        files = [file for file in sources if target in targets[file]]
        build = _build(tree, target, builds, settings)
        found = commands(build, files) if isinstance(build, Build) else {}
        for file in files:
            if isinstance(build, str):
                said[file].append(build)
            elif file not in found:
                no_rule = f"kbuild does not compile it for {target.name}"
                said[file].append(odd_name(file) or no_rule)
            else:
                source = tree.root / file
                units_of[file].append(Unit(build, found[file], source, tree.root))
    read = inputs.states(
        [(u.build, u.command) for own in units_of.values() for u in own]
    )
    tasks = []
    for file, several in units_of.items():
        split: dict[str, list[Unit]] = {}
        for unit in several:
            target = unit.build.target
            split.setdefault(target.name if engine.every else target.folder, []).append(
                unit
            )
        tasks += [
            _Task(engine, file, tuple(some), _key(common, some, read))
            for some in split.values()
        ]
    failed = {
        file: "; ".join(said[file]) or "the engine does not support this architecture"
        for file in sources
        if not units_of[file]
    }
    return tasks, failed


def _build(
    tree: Tree, target: Target, builds: dict[str, Build | str], settings: Settings
) -> Build | str:
    """Return a build of the tree, or why there is none."""
    if target.name not in builds:
        try:
            builds[target.name] = prepared(tree, target, settings)
        except BuildError as error:
            builds[target.name] = str(error)
    return builds[target.name]


def _run(tasks: Sequence[_Task], jobs: int) -> Iterator[tuple[_Task, Seen]]:
    """Run all tasks; yields each with its result as it finishes."""
    together: dict[object, list[_Task]] = {}
    for task in tasks:
        # Run them in sequence in one directory, so that the second finds the object of the first.
        together.setdefault(
            task.units if task.engine.compiles else task.key, []
        ).append(task)
    # Start the longest tasks first, or the other CPUs wait for them at the end.
    ordered = sorted(together.values(), key=lambda some: not some[0].engine.compiles)
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        running = {pool.submit(_several, some): some for some in ordered}
        try:
            for future in as_completed(running):
                yield from zip(running[future], future.result(), strict=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _several(tasks: Sequence[_Task]) -> list[Seen]:
    with (
        needing_room("check"),
        tempfile.TemporaryDirectory(prefix="hotcocci-check-") as folder,
    ):
        return [_one(task, Path(folder)) for task in tasks]


def _one(task: _Task, folder: Path) -> Seen:
    failure = ""
    for unit in task.units:
        try:
            reports, skips = task.engine.look(unit, folder)
        except (EngineError, BuildError, TryAgain) as error:
            failure = failure or str(error)
            continue
        name = task.engine.name
        return Seen(reports, tuple(Skip(s.file, f"{name}: {s.reason}") for s in skips))
    return Seen(failure=failure)


def _fingerprint(tree: Tree, engine: UnitEngine) -> bytes:
    """Hash what an engine's reports depend on, except for the file and its command."""
    asked = f"{engine.name} {tree.root} {hashlib.sha256(engine.program()).hexdigest()}"
    return fingerprint(asked, Path(engine.module))


def _key(
    common: bytes, several: Sequence[Unit], read: Mapping[Compilation, str]
) -> str:
    parts = [contents(several[0].source)]
    for unit in several:
        state = read[unit.build, unit.command]
        argv = "\0".join(unit.command.argv)
        words = (unit.command.file, str(unit.build.out), argv, state)
        parts += [word.encode("utf-8", "surrogateescape") for word in words]
    return key(common, *parts)
