# SPDX-License-Identifier: GPL-2.0
"""A changed file to compare on one target, and the process of its own that does it.

A crash or hang of z3 or the emulator is confined to that process, and other machines can do the same
work. Both are imported there (work.py) and not here: what only patches needs none.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import TryAgain
from hotcocci.findings import NOT_PROVEN, Execution, Other
from hotcocci.proof.users import Users, users
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import foreign, units
from hotcocci.tree.process import run
from hotcocci.tree.source import decode, read

PACKAGE = Path(__file__).resolve().parents[2]
# The module that compares the code.
WORK = Path(__file__).with_name("work.py")
# Limit on processor time for a file in seconds; proving a function may take a minute.
TIMEOUT = 600.0


@dataclass(frozen=True)
class Task:
    """A changed file, and the compile commands of the .c files that include it.

    ``missing`` are those for which kbuild has no rule. ``others`` are files that the change
    needs changed too. ``left`` counts users of what changes in a header that are not compiled.
    """

    build: Build
    file: str
    old: str
    new: str
    commands: tuple[Command, ...]
    missing: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: int = 0

    def texts(self) -> tuple[dict[str, str], dict[str, str]]:
        """The texts of all changed files and of the .c files to compile, before and after."""
        tree = self.build.tree
        users = {c.file: decode(read(tree / c.file)) for c in self.commands}
        old = {other.file: other.old for other in self.others}
        new = {other.file: other.new for other in self.others}
        return (
            {**users, **old, self.file: self.old},
            {**users, **new, self.file: self.new},
        )


def tasks(
    build: Build,
    changes: Iterable[tuple[str, str, str]],
    others: Mapping[str, tuple[Other, ...]] | None = None,
) -> list[Task]:
    """The tasks for some changes, each a file with its text before and after.

    ``others`` has the files that a change needs changed too, by the file that needs them.
    """
    folder = build.target.folder
    wanted = {change: _compiled_with(build.tree, *change, folder) for change in changes}
    known = commands(build, {file for users in wanted.values() for file in users.files})
    found = []
    for change, using in wanted.items():
        missing = tuple(file for file in using.files if file not in known)
        left = using.left + (len(missing) if change[0].endswith(".h") else 0)
        compiled = tuple(known[file] for file in using.files if file in known)
        more = (others or {}).get(change[0], ())
        found.append(Task(build, *change, compiled, missing, more, left))
    return found


def _compiled_with(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """The .c files to compile for a change."""
    using = users(tree, file, old, new, folder) if file.endswith(".h") else Users((), 0)
    if using != Users((), 0):
        return using
    own = (user for user in units(tree, file, folder) if not foreign(user, folder))
    return Users(tuple(own), 0)


def work_apart(task: Task, timeout: float = TIMEOUT) -> tuple[Execution, ...]:
    """Compare the code in a child process, which may crash or exceed ``timeout`` seconds (process.py)."""
    return compare_apart(pickle.dumps(task), task.build.target.name, task.file, timeout)


def compare_apart(
    given: bytes,
    target: str,
    file: str,
    timeout: float = TIMEOUT,
    wanted: Callable[[], bool] | None = None,
) -> tuple[Execution, ...]:
    """Compare the code of a pickled task, compiled or not, in a child process.

    It ends with this process, and if its result is no longer ``wanted``.
    """
    argv = [sys.executable, "-m", "hotcocci.proof.work"]
    # Compiling our modules takes longer than most comparisons, so let Python keep them.
    keep = os.environ.get("PYTHONDONTWRITEBYTECODE", "")
    extra = {"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": keep}
    try:
        outcome = run(
            argv,
            PACKAGE,
            timeout,
            stdin=decode(given),
            extra=extra,
            wanted=wanted,
        )
        if outcome.status == 0:
            return tuple(rebuilt(Execution, each) for each in json.loads(outcome.out))
        said = outcome.err.strip().splitlines() or ["no message"]
        why = f"it failed: {said[-1]}"
    except TryAgain as error:
        why = f"the comparison's {error}"
    return (Execution(target, file, "", NOT_PROVEN, why),)


def run_all(
    tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
    """Yield each task with its results as it completes; ``jobs`` processes at a time."""
    with ThreadPoolExecutor(max_workers=max(jobs, 1)) as pool:
        running = {pool.submit(work_apart, task): task for task in tasks}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)
