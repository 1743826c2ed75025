# SPDX-License-Identifier: GPL-2.0
"""Compare the code of one changed file on one target: the process that a task runs in."""

from __future__ import annotations

import json
import pickle
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution
from hotcocci.plural import count
from hotcocci.proof.changed import Changed, changed_lines
from hotcocci.proof.compiled_task import (
    Code,
    CompiledFile,
    CompiledTask,
    compiled_task,
    is_layout,
)
from hotcocci.proof.execute import execute
from hotcocci.proof.objects.compiled import NotCompiledError, NothingToRunError
from hotcocci.proof.unseen import nowhere
from hotcocci.tree.build import BuildError
from hotcocci.tree.command import odd_name

# A change after which a compiler reads the same
LAYOUT = "only comments and white space differ"
# What the comparison with moved addresses shows.
UNMASKED = "not every access uses the address that is masked for it, as before"
# Limit on address space in bytes; files of 6.12 needed up to 4.5 GB.
MEMORY = 8 << 30


def work(task: CompiledTask) -> tuple[Execution, ...]:
    """Compare all functions that a change touches, in every file that is compiled with it.

    What cannot be run is reported as NOT_PROVEN.
    """
    target = task.target
    changed = changed_lines(task.file, task.old, task.new)
    if is_layout(changed):
        return (Execution(target, task.file, "", PROVEN, LAYOUT),)
    if not task.files:
        where = ", ".join(task.missing) or "no .c file of this architecture includes it"
        no_rule = f"kbuild does not compile it for {target}: {where}"
        why = odd_name(task.file) or no_rule
        return (Execution(target, task.file, "", NOT_PROVEN, why),)
    found: list[Execution] = []
    compared: list[tuple[Execution, ...]] = []
    # A file that is only included does not compile on its own, and an including file may have no
    # code of it. Such failures count only if nothing else was compared.
    otherwise: list[Execution] = []
    for each in task.files:
        try:
            seen, unmasked = _compared(each, changed)
            compared += seen
            found += unmasked
        except (EngineError, BuildError, TryAgain) as error:
            failure = Execution(target, each.file, "", NOT_PROVEN, str(error))
            idle = isinstance(error, NothingToRunError)
            alone = isinstance(error, NotCompiledError)
            own = alone and each.file == task.file and len(task.files) > 1
            (otherwise if idle or own else found).append(failure)
            # Its compilation sees all changed lines.
            compared += [()] if idle else []
    if task.left:
        left = count(task.left, "user")
        why = f"{left} of what it changes not compiled for {target}"
        found.append(Execution(target, task.file, "", NOT_PROVEN, why))
    return (*nowhere(task.file, compared), *found) or tuple(otherwise)


def _compared(
    file: CompiledFile, changed: Changed
) -> tuple[list[tuple[Execution, ...]], list[Execution]]:
    """The results of each compilation of a file, and of the one with moved addresses."""
    if not isinstance(file.code, Code):
        raise file.code
    made = execute(file.code.unit, changed, file.code.unseen)
    several, unmasked = [made], list[Execution]()
    if file.classic is not None:
        classic = execute(file.classic.unit, changed, file.classic.unseen)
        unit = f"{file.file} without masked user access"
        several.append(tuple(replace(each, unit=unit) for each in classic))
    if file.shifted is not None:
        shifted = execute(file.shifted.unit, changed, file.shifted.unseen)
        unmasked += _unmasked(made, shifted)
    return several, unmasked


def _unmasked(
    made: Sequence[Execution], shifted: Sequence[Execution]
) -> Iterator[Execution]:
    """The functions that are alike, but not once each masked address is moved."""
    alike = {e.function for e in made if e.verdict not in (DIFFERENT, NOT_PROVEN)}
    for each in shifted:
        other = each.verdict in (DIFFERENT, NOT_PROVEN) and each.unseen is None
        if other and each.function in alike:
            yield replace(each, verdict=NOT_PROVEN, detail=UNMASKED, traces=())


def main() -> int:
    """Read a pickled task from stdin, run it, and write the results to stdout as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    given = pickle.load(sys.stdin.buffer)
    done = work(given if isinstance(given, CompiledTask) else compiled_task(given))
    json.dump([asdict(each) for each in done], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
