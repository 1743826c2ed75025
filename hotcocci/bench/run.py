# SPDX-License-Identifier: GPL-2.0
"""Run operations in a tree's kernel, before and after a change."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotcocci.bench import counts, emulator
from hotcocci.bench.catalogue import Operation
from hotcocci.bench.changed import changed_functions
from hotcocci.bench.counts import Row, Table
from hotcocci.bench.kernel import (
    Image,
    Kernel,
    built,
    held,
    kept_objects,
    kernel_of,
    rebuilt_objects,
)
from hotcocci.bench.program import PROGRAM, program, ramdisk
from hotcocci.engines.machine.elf import COLD, ElfError
from hotcocci.errors import UserError
from hotcocci.tree.process import run

Titled = Callable[[str], AbstractContextManager[object]]
"""Shows a title while something runs."""

_SYMBOL = re.compile(r"^([0-9a-f]+) [tTwW] (\w+)", re.MULTILINE)
# What gcc appends to the names of functions that it specialises
_MADE = re.compile(r"\.(?:isra|constprop|part|cold)\b.*")


@dataclass(frozen=True)
class Job:
    """What to run where: ``timeout`` is for one boot, in seconds, ``titled`` shows progress."""

    tree: Path
    operations: Sequence[Operation]
    cache: Path
    jobs: int
    timeout: float
    titled: Titled


@dataclass(frozen=True)
class Compared:
    """Two kernels: their tables, the functions whose code differs, and the operations that call each.

    ``faults`` is the number of calls with bad objects, and the lines that differ; None if not asked.
    """

    before: Table
    after: Table
    changed: Mapping[str, tuple[Row, ...]]
    faults: tuple[int, list[tuple[str, str]]] | None = None


def measured(job: Job) -> Table:
    """The instructions of each operation in the tree's kernel. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        image = _image(kernel, {}, "own", job)
        return counts.instructions(_boot(job, image, disk, emulator.COUNTS))


def called(job: Job, functions: Sequence[str]) -> dict[Row, dict[str, int]]:
    """How often each operation calls these functions, by one call of it. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        return _calls(job, _image(kernel, {}, "own", job), disk, functions)


def compared(
    job: Job, before: Mapping[str, str], after: Mapping[str, str], faults: bool
) -> Compared:
    """Compare the kernels with these texts in place of the tree's. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        first = _image(kernel, before, "first", job)
        kept = kept_objects(kernel)
        second = _image(kernel, after, "second", job)
        functions = _changed(kernel, kept)
        tables = [
            counts.instructions(_boot(job, image, disk, emulator.COUNTS))
            for image in (first, second)
        ]
        callers = _calls(job, second, disk, functions)
        differing = None
        if faults:
            timed = {each.name for each in job.operations if each.timed}
            lines = [
                _boot(job, image, disk, emulator.FAULTS) for image in (first, second)
            ]
            differing = counts.faults(lines[0], lines[1], timed)
    reached = {
        name: tuple(row for row, found in callers.items() if name in found)
        for name in functions
    }
    return Compared(tables[0], tables[1], reached, differing)


def native(operations: Sequence[Operation], timeout: float) -> Table:
    """The nanoseconds of each operation on this machine's running kernel. Raises UserError."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-bench-") as folder:
        path = program(operations, Path(folder))
        ran = run([str(path), "n"], Path(folder), timeout)
    if ran.status != 0:
        raise UserError(f"the operations ended with status {ran.status}")
    return counts.nanoseconds(ran.out.splitlines())


@contextmanager
def _prepared(job: Job) -> Iterator[tuple[Kernel, Path]]:
    with tempfile.TemporaryDirectory(prefix="hotcocci-bench-") as folder:
        disk = ramdisk(job.operations, Path(folder))
        with job.titled(f"configuring a kernel of {job.tree.name}"):
            kernel = kernel_of(job.tree, job.cache, job.jobs)
        with held(kernel):
            yield kernel, disk


def _image(kernel: Kernel, texts: Mapping[str, str], name: str, job: Job) -> Image:
    with job.titled(
        f"building the {name} kernel (minutes for the first, then seconds)"
    ):
        return built(kernel, texts, name, job.jobs)


def _boot(
    job: Job, image: Image, disk: Path, mode: str, options: Sequence[str] = ()
) -> list[str]:
    with job.titled(f"running operations in {image.boot.stem}"):
        return emulator.boot(image, disk, mode, job.timeout, options)


def _changed(kernel: Kernel, kept: Mapping[str, Path]) -> list[str]:
    """The functions whose code differs, by the names that the source gives them."""
    names: set[str] = set()
    for old, new in rebuilt_objects(kernel, kept):
        try:
            names |= changed_functions(old, new)
        except ElfError:
            continue  # An assembled or linked file without functions.
    return sorted({_MADE.sub("", name.removesuffix(COLD)) for name in names})


def _calls(
    job: Job, image: Image, disk: Path, functions: Sequence[str]
) -> dict[Row, dict[str, int]]:
    """How often one call of each operation runs these functions, from QEMU's log of executed blocks."""
    names = _addresses(image.symbols.read_text("ascii"), functions)
    marks = run(["nm", PROGRAM], disk.parent, job.timeout).out
    names |= _addresses(marks, ("calls_begin", "calls_end"))
    log = disk.parent / "blocks.log"
    ranges = ",".join(f"{address:#x}+1" for address in names)
    options = ["-d", "exec,nochain", "-D", str(log), "-dfilter", ranges]
    printed = _boot(job, image, disk, emulator.CALLS, options)
    with log.open(encoding="ascii", errors="replace") as lines:
        return counts.calls(printed, lines, names)


def _addresses(symbols: str, wanted: Sequence[str]) -> dict[int, str]:
    """The functions of these names by address, also those that gcc specialised."""
    asked = set(wanted)
    return {
        int(match[1], 16): match[2]
        for match in _SYMBOL.finditer(symbols)
        if match[2] in asked
    }
