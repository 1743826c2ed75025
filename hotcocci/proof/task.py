# SPDX-License-Identifier: GPL-2.0
"""A changed file to compare on one target, the .c files that show the change, and the process that compares it.

A crash or hang of z3 or the emulator is confined to a process of its own, and other machines can do the same
work. Both are imported there (work.py) and not here: what only patches needs none. A line that one of several
compilations sees is seen.
"""

import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

from hotcocci.errors import TryAgain, UserError
from hotcocci.findings import NOT_PROVEN, PROVEN, Execution, Line, Other
from hotcocci.layout import setup_hint
from hotcocci.names import count
from hotcocci.proof.objects.headers import leading
from hotcocci.proof.users import MOST, Users, functions_of, users
from hotcocci.records import rebuilt
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import built_units, foreign
from hotcocci.tree.process import Outcome, run
from hotcocci.tree.source import decode, read

# The file and target of a task, and the user of a header
Name = tuple[str, ...]
PACKAGE = Path(__file__).resolve().parents[2]
# The module that compares the code.
WORK = Path(__file__).with_name("work.py")
# Limit on processor time for a file in seconds; proving a function may take a minute.
TIMEOUT = 600.0
# These affect the results.
LIBRARIES = ("unicorn", "capstone", "pyelftools", "pyvex", "z3-solver")
# Those of the ``prove`` extra
PROVERS = ("unicorn", "pyvex", "z3-solver")
MISSING = "no version"
NO_CODE = "no function present before and after has code for the changed lines"
# Said beside another reason, which is the same of any target
NO_MORE = "it is not compiled otherwise, as it is not proven anyway"
# At most this many tasks for one process: to load z3 and the like takes as long as a small comparison.
TOGETHER = 6


@dataclass(frozen=True)
class Task:
    """A changed file, and the compile commands of the .c files that include it.

    ``missing`` are those for which kbuild has no rule. ``others`` are files that the change
    needs changed too. ``left`` counts users of what changes in a header that are not compiled.
    ``spreads`` compiles it with other layouts of structures, too (variants.py), which our own rewrites do not need.
    If it changes only ``functions`` of a header, these are compiled, in the place of the code that uses them. Other
    ``headers`` use what it changes.
    """

    build: Build
    file: str
    old: str
    new: str
    commands: tuple[Command, ...]
    missing: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    left: int = 0
    spreads: bool = False
    functions: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    @property
    def name(self) -> Name:
        """Its file and target, and the user of a header."""
        users = [c.file for c in self.commands if self.file.endswith(".h")]
        return self.file, self.build.target.name, *users

    def texts(self) -> tuple[dict[str, str], dict[str, str]]:
        """The texts of all changed files and of the .c files to compile, before and after."""
        tree = self.build.tree
        users = {c.file: decode(read(tree / c.file)) for c in self.commands}
        if self.functions:
            used = ", ".join(f"(void *){name}" for name in self.functions)
            code = f"void *hotcocci_functions[] = {{ {used} }};\n"
            users = {file: leading(text) + code for file, text in users.items()}
        users |= {file: decode(read(tree / file)) for file in self.headers}
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
    alone: bool = True,
) -> list[Task]:
    """The tasks for some changes, each a file with its text before and after: one for each user of a header.

    Functions of headers that may be compared ``alone`` need no users. ``others`` has the files that a change needs
    changed too, by the file that needs them.
    """
    folder = build.target.folder
    functions = {each: functions_of(*each) if alone else () for each in changes}
    wanted = {
        change: _compiled_with(build.tree, *change, folder, bool(own))
        for change, own in functions.items()
    }
    known = commands(build, {file for users in wanted.values() for file in users.files})
    found = []
    for change, using in wanted.items():
        missing = tuple(file for file in using.files if file not in known)
        compiled = tuple(known[file] for file in using.files if file in known)
        more = (others or {}).get(change[0], ())
        own = functions[change]
        if own and not compiled:
            found += tasks(build, [change], others, alone=False)
            continue
        if own or not change[0].endswith(".h"):
            some, left = compiled[:1] if own else compiled, 0
            found.append(Task(build, *change, some, missing, more, left, functions=own))
            continue
        left = using.left + len(missing)
        for command in compiled or (None,):
            one = (command,) if command else ()
            task = Task(build, *change, one, missing, more, left)
            found.append(replace(task, headers=using.headers))
            left = 0
    return found


def _compiled_with(
    tree: Path, file: str, old: str, new: str, folder: str, alone: bool
) -> Users:
    """The .c files to compile for a change."""
    if file.endswith(".h") and not alone:
        using = users(tree, file, old, new, folder)
        if using.files or using.left:
            return using
    own = (
        user for user in built_units(tree, file, folder) if not foreign(user, folder)
    )
    return Users(tuple(own), 0)


def users_left(file: str, target: str, left: int) -> Execution:
    """That users of what changes in a header are not compiled."""
    why = f"{count(left, 'user')} of what it changes not compiled for {target}"
    if left >= MOST:
        # There are too many, or to find them took too long.
        why = f"not all users of what it changes are compiled for {target}"
    return Execution(target, file, "", NOT_PROVEN, why)


def is_refused(made: Sequence[Execution]) -> bool:
    """Whether a change is not proven, whatever its other users show, and one was compared: others may see other lines."""
    found = (e for e in made if e.verdict != PROVEN and e.unseen is None)
    compared = any(e.function or e.unseen for e in made)
    return compared and any(e.detail != NO_CODE for e in found)


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
    try:
        outcome = _worked(given, timeout, wanted)
        if outcome.status == 0:
            return _results(json.loads(outcome.out))
        said = outcome.err.strip().splitlines() or ["no message"]
        why = f"it failed: {said[-1]}"
    except TryAgain as error:
        why = f"the comparison's {error}"
    return (Execution(target, file, "", NOT_PROVEN, why),)


def _worked(
    given: bytes, timeout: float, wanted: Callable[[], bool] | None = None
) -> Outcome:
    """The output of the process that is given a pickled task, or several. Raises TryAgain."""
    argv = [sys.executable, "-m", "hotcocci.proof.work"]
    # Compiling our modules takes longer than most comparisons, so let Python keep them.
    keep = os.environ.get("PYTHONDONTWRITEBYTECODE", "")
    extra = {"PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": keep}
    return run(argv, PACKAGE, timeout, stdin=decode(given), extra=extra, wanted=wanted)


def _results(made: Any) -> tuple[Execution, ...]:
    return tuple(rebuilt(Execution, each) for each in made)


def _work_together(tasks: Sequence[Task]) -> list[tuple[Execution, ...]]:
    """Compare the code of several tasks, each in a child of one process; what fails there is compared alone."""
    made: list[Any] = []
    if len(tasks) > 1:
        with suppress(TryAgain, ValueError):
            made = json.loads(_worked(pickle.dumps(list(tasks)), TIMEOUT).out)
    made += [None] * (len(tasks) - len(made))
    return [
        work_apart(task) if each is None else _results(each)
        for task, each in zip(tasks, made, strict=True)
    ]


def run_all(
    tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, tuple[Execution, ...]]]:
    """Yield each task with its results as some complete; ``jobs`` processes at a time."""
    jobs = max(jobs, 1)
    size = max(min(len(tasks) // (2 * jobs), TOGETHER), 1)
    parts = [tasks[at : at + size] for at in range(0, len(tasks), size)]
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        running = {pool.submit(_work_together, part): part for part in parts}
        try:
            for future in as_completed(running):
                yield from zip(running[future], future.result(), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)


def libraries() -> dict[str, str]:
    """The version of each library; MISSING for a missing one."""
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = MISSING
    return found


def require_provers() -> None:
    """Raise UserError if a library that proofs need is missing."""
    found = libraries()
    absent = [name for name in PROVERS if found[name] == MISSING]
    if absent:
        raise UserError(
            f"Python libraries that proofs need are missing: {', '.join(absent)}: "
            f"{setup_hint('prove', 'prove')}"
        )


def nowhere(file: str, compiled: Sequence[Sequence[Execution]]) -> list[Execution]:
    """All results of some compilations of a changed file, but only lines that none of them sees.

    Lines of other files, which use a macro of the changed one, belong to one compilation each.
    """
    # What failed to compile sees no line.
    lines = [
        {each.unseen for each in several}
        for several in compiled
        if not several
        or any(e.function or e.unseen or e.verdict == PROVEN for e in several)
    ]
    never = set[Line | None].intersection(*lines) if lines else set()
    named: set[Line] = set()
    found: list[Execution] = []
    for each in (each for several in compiled for each in several):
        line = each.unseen
        if line is not None:
            if line in named or (line.file == file and line not in never):
                continue
            named.add(line)
        found.append(each)
    return found


def grouped(file: str, executions: Sequence[Execution]) -> list[Execution]:
    """The results with one for all unseen lines of a function that have the same reason."""
    unseen = [each for each in executions if each.unseen is not None]
    found = []
    for _, several in groupby(sorted(unseen, key=_key), key=_key):
        first, *more = several
        lines = [each.unseen.number for each in (first, *more) if each.unseen]
        line = first.unseen
        assert line is not None, "only unseen lines are grouped"
        of = "" if line.file == file else f" of {line.file}"
        when = " before the change" if line.before else ""
        verb = "are" if more else "is"
        where = f"{_listed(lines)}{of}{when} {verb} not compared"
        found.append(replace(first, detail=f"{where}: {first.detail}"))
    return [*found, *(each for each in executions if each.unseen is None)]


def _key(each: Execution) -> tuple[str, str, str, str, bool, str]:
    assert each.unseen is not None, "only unseen lines are grouped"
    line = each.unseen
    return (
        each.target,
        each.unit,
        line.file,
        each.function,
        not line.before,
        each.detail,
    )


def _listed(lines: Sequence[int]) -> str:
    """The numbers of lines, those that follow each other as a range."""
    ranges: list[list[int]] = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][-1] + 1:
            ranges[-1].append(line)
        else:
            ranges.append([line])
    parts = [
        f"{one[0]}" if len(one) == 1 else f"{one[0]} to {one[-1]}" for one in ranges
    ]
    return f"line{'' if len(lines) == 1 else 's'} {', '.join(parts)}"
