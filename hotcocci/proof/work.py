# SPDX-License-Identifier: GPL-2.0
"""Compare the code of one changed file on one target: the process that a task runs in."""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from hotcocci.errors import EngineError, TryAgain
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, SAMPLED, Execution
from hotcocci.plural import count
from hotcocci.proof.aligned import aligned
from hotcocci.proof.execution import marks
from hotcocci.proof.execution.changed import Changed, changed_lines
from hotcocci.proof.execution.compiled import NothingToRunError, NotCompiledError
from hotcocci.proof.execution.differing import Text, differing
from hotcocci.proof.execution.execute import execute
from hotcocci.proof.execution.processors import processor_for
from hotcocci.proof.execution.widths import narrower
from hotcocci.proof.task import Task, from_json
from hotcocci.proof.unseen import nowhere
from hotcocci.tree.build import BuildError
from hotcocci.tree.command import Command
from hotcocci.tree.overlay import lay

# A change after which a compiler reads the same
LAYOUT = "only comments and white space differ"
# What the comparison with moved addresses shows.
UNMASKED = "not every access uses the address that is masked for it, as before"
# Limit on address space in bytes; files of 6.12 needed up to 4.5 GB.
MEMORY = 8 << 30


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
    if not any(differing(*(Text(task.file, text) for text in changed.aligned.texts))):
        return (Execution(target, task.file, "", PROVEN, LAYOUT),)
    found: list[Execution] = []
    compared: list[tuple[Execution, ...]] = []
    # A file that is only included does not compile on its own, and an including file may have no
    # code of it. Such failures count only if nothing else was compared.
    otherwise: list[Execution] = []
    with tempfile.TemporaryDirectory(prefix="hotcocci-run-") as folder:
        scratch = Path(folder)
        places = (scratch / "before", scratch / "after")
        # The including files are copied too, so that they find the changed file next to them.
        padded = [aligned(other.file, other.old, other.new) for other in task.others]
        for side, (place, texts) in enumerate(zip(places, task.texts(), strict=True)):
            same = {each.file: each.texts[side] for each in (*padded, changed.aligned)}
            lay(task.build.tree, {**texts, **same}, place)
        for command in task.commands:
            try:
                processor = processor_for(task.build)
                if processor is None:
                    why = f"no emulator can run code for {target}"
                    return (Execution(target, command.file, "", NOT_PROVEN, why),)
                made = execute(task.build, command, places, scratch, changed, processor)
                compared.append(made)
                again = partial(_again, task, command, places, scratch, changed)
                if any(each.unseen for each in made) and marks.MASKED in task.new:
                    classic = again(marks.CLASSIC)
                    unit = f"{command.file} without masked user access"
                    compared.append(tuple(replace(e, unit=unit) for e in classic))
                if _has_masks(task):
                    found += _unmasked(made, again(marks.SHIFTED))
            except (EngineError, BuildError, TryAgain) as error:
                why = str(error)
                failure = Execution(target, command.file, "", NOT_PROVEN, why)
                idle = isinstance(error, NothingToRunError)
                alone = isinstance(error, NotCompiledError)
                own = alone and command.file == task.file and len(task.commands) > 1
                (otherwise if idle or own else found).append(failure)
                # Its compilation sees all changed lines.
                compared += [()] if idle else []
    if task.left:
        left = count(task.left, "user")
        why = f"{left} of what it changes not compiled for {target}"
        found.append(Execution(target, task.file, "", NOT_PROVEN, why))
    done = [*nowhere(task.file, compared), *found] or otherwise
    return tuple(long_enough(task, done))


def long_enough(task: Task, done: Sequence[Execution]) -> Iterator[Execution]:
    """The results, but no sampled one of a change that makes a counter of a loop narrower."""
    texts = [Text(task.file, text) for text in (task.old, task.new)]
    pointer = task.build.target.bits // 8
    sampled = any(each.verdict in SAMPLED for each in done)
    why = narrower(texts[0], texts[1], pointer) if sampled else ""
    for each in done:
        if why and each.verdict in SAMPLED:
            detail = f"runs do not show where it overflows that {why}; {each.detail}"
            each = replace(each, verdict=NOT_PROVEN, detail=detail.removesuffix("; "))
        yield each


def _again(
    task: Task,
    command: Command,
    places: tuple[Path, Path],
    scratch: Path,
    changed: Changed,
    flag: str,
) -> tuple[Execution, ...]:
    """Compare a file as it is compiled with another flag, one of marks.py."""
    processor = processor_for(task.build)
    assert processor is not None, "it has run this file already"
    other = replace(command, argv=(*command.argv, flag))
    return execute(task.build, other, places, scratch, changed, processor)


def _has_masks(task: Task) -> bool:
    """Whether both sides mask as many addresses.

    If the change brings masks, the addresses of the other side are not masked; UW14 compares the names.
    """
    old, new = (len(marks.MASKS.findall(text)) for text in (task.old, task.new))
    return 0 < old == new


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
    """Read a task from stdin, run it, and write the results to stdout."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    done = work(from_json(json.load(sys.stdin)))
    json.dump([asdict(each) for each in done], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
