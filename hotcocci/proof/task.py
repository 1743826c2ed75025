# SPDX-License-Identifier: GPL-2.0
"""Compare the code of one changed file on one target, in a process of its own.

A crash or hang of the emulator is confined to that process, and other machines can do the same
work.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hotcocci.errors import EngineError
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.proof.execution.changed import changed_lines
from hotcocci.proof.execution.compiled import NothingToRunError, NotCompiledError
from hotcocci.proof.execution.execute import execute
from hotcocci.proof.execution.processors import processor_for
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.command import Command, commands
from hotcocci.tree.includes import foreign, units
from hotcocci.tree.overlay import lay
from hotcocci.tree.process import run
from hotcocci.tree.source import decode
from hotcocci.tree.targets import TARGETS

PACKAGE = Path(__file__).resolve().parents[2]
# Limit on address space in bytes; files of 6.12 needed up to 4.5 GB.
MEMORY = 8 << 30
# Time limit for a file in seconds; proving a function may take a minute.
TIMEOUT = 600.0
LISTS = ("branches", "permitted", "traces", "assumed")
# Start of the detail if no machine could run the code.
NO_WORKER = "no worker could run it"


@dataclass(frozen=True)
class Task:
    """A changed file, and the compile commands of the .c files that include it.

    ``missing`` are those for which kbuild has no rule.
    """

    build: Build
    file: str
    old: str
    new: str
    commands: tuple[Command, ...]
    missing: tuple[str, ...] = ()


def tasks(build: Build, changes: Iterable[tuple[str, str, str]]) -> list[Task]:
    """The tasks for some changes, each a file with its text before and after."""
    folder = build.target.folder
    wanted = {
        change: [
            u for u in units(build.tree, change[0], folder) if not foreign(u, folder)
        ]
        for change in changes
    }
    known = commands(build, {unit for several in wanted.values() for unit in several})
    return [
        Task(
            build,
            *change,
            tuple(known[unit] for unit in several if unit in known),
            tuple(unit for unit in several if unit not in known),
        )
        for change, several in wanted.items()
    ]


def work(task: Task) -> tuple[Execution, ...]:
    """Compare all functions that a change touches, in every file that is compiled with it.

    What cannot be run is reported as NOT_PROVEN. Raises OSError if there is no room for temporary
    files.
    """
    target = task.build.target.name
    if not task.commands:
        where = ", ".join(task.missing) or "no .c file of this architecture includes it"
        why = f"kbuild does not compile it for {target}: {where}"
        return (Execution(target, task.file, "", NOT_PROVEN, why),)
    changed = changed_lines(task.file, task.old, task.new)
    found: list[Execution] = []
    # A file that is only included does not compile on its own, and an including file may have no
    # code of it. Such failures count only if nothing else was compared.
    otherwise: list[Execution] = []
    with tempfile.TemporaryDirectory(prefix="hotcocci-run-") as folder:
        scratch = Path(folder)
        places = (scratch / "before", scratch / "after")
        tree = task.build.tree
        # The including files are copied too, so that they find the changed file next to them.
        users = {
            command.file: decode((tree / command.file).read_bytes())
            for command in task.commands
        }
        for place, text in zip(places, (task.old, task.new), strict=True):
            lay(tree, {**users, task.file: text}, place)
        for command in task.commands:
            try:
                processor = processor_for(task.build)
                if processor is None:
                    why = f"no emulator can run code for {target}"
                    return (Execution(target, command.file, "", NOT_PROVEN, why),)
                found += execute(
                    task.build, command, places, scratch, changed, processor
                )
            except (EngineError, BuildError) as error:
                why = str(error)
                failure = Execution(target, command.file, "", NOT_PROVEN, why)
                idle = isinstance(error, NothingToRunError)
                alone = isinstance(error, NotCompiledError)
                own = alone and command.file == task.file and len(task.commands) > 1
                (otherwise if idle or own else found).append(failure)
    return tuple(found or otherwise)


def work_apart(task: Task, timeout: float = TIMEOUT) -> tuple[Execution, ...]:
    """Do the same in a child process, which may crash or exceed ``timeout`` seconds."""
    argv = [sys.executable, "-m", "hotcocci.proof.task"]
    path = {"PYTHONPATH": str(PACKAGE)}
    outcome = run(argv, PACKAGE, timeout, stdin=json.dumps(to_json(task)), extra=path)
    if outcome.status == 0:
        return tuple(execution(**each) for each in json.loads(outcome.out))
    if outcome.status is None:
        why = f"timed out after {timeout:.0f} s"
    elif outcome.status < 0:
        why = f"the emulator was killed by signal {-outcome.status}"
    else:
        said = outcome.err.strip().splitlines() or ["no message"]
        why = f"it failed: {said[-1]}"
    return (Execution(task.build.target.name, task.file, "", NOT_PROVEN, why),)


def execution(**data: Any) -> Execution:
    """An Execution from its JSON form."""
    lists = {name: tuple(data[name]) for name in LISTS}
    return Execution(**{**data, **lists})


def to_json(task: Task) -> dict[str, Any]:
    """A task in JSON form."""
    return {
        **{name: getattr(task, name) for name in ("file", "old", "new", "missing")},
        "commands": [asdict(command) for command in task.commands],
        "build": build_to_json(task.build),
    }


def build_to_json(build: Build) -> dict[str, Any]:
    """A build in JSON form."""
    return {
        "tree": str(build.tree),
        "out": str(build.out),
        "target": build.target.name,
        "checkflags": build.checkflags,
        "objtool": build.objtool,
    }


def from_json(data: dict[str, Any]) -> Task:
    """A task from its JSON form."""
    build = data["build"]
    return Task(
        Build(
            Path(build["tree"]),
            Path(build["out"]),
            TARGETS[build["target"]],
            tuple(build["checkflags"]),
            tuple(build["objtool"]),
        ),
        data["file"],
        data["old"],
        data["new"],
        tuple(Command(c["file"], tuple(c["argv"])) for c in data["commands"]),
        tuple(data["missing"]),
    )


def main() -> int:
    """Read a task from stdin, run it, and write the results to stdout."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    done = work(from_json(json.load(sys.stdin)))
    json.dump([asdict(each) for each in done], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
