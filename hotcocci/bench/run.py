# SPDX-License-Identifier: GPL-2.0
"""Run operations in a tree's kernel, before and after a change."""

from __future__ import annotations

import platform
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotcocci.bench import counts, emulator, profile
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
from hotcocci.bench.profile import Executed, Line, Ran, Symbols, plain
from hotcocci.bench.program import program, ramdisk
from hotcocci.machine.elf import ElfError
from hotcocci.errors import UserError
from hotcocci.tree.build import compiled_by
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.process import run

Titled = Callable[[str], AbstractContextManager[object]]
"""Shows a title while something runs."""


@dataclass(frozen=True)
class Job:
    """What to run where: ``timeout`` is for one boot, in seconds, ``titled`` shows progress."""

    tree: Path
    operations: Sequence[Operation]
    cache: Path
    jobs: int
    timeout: float
    titled: Titled


_MODEL = re.compile(r"^model name\s*: (?P<name>.*)$", re.MULTILINE)

Profile = Mapping[Row, Mapping[str, Ran]]


@dataclass(frozen=True)
class Compared:
    """Two kernels: their tables, and what each function runs in one call of each operation.

    ``changed`` are the functions whose code differs, and the operations that run each. ``warnings`` are
    those that only the second build has. ``faults`` is the number of calls with bad objects, and the
    lines that differ; None if not asked.
    """

    before: Table
    after: Table
    ran: tuple[Profile, Profile]
    changed: Mapping[str, tuple[Row, ...]]
    warnings: tuple[str, ...] = ()
    faults: tuple[int, list[tuple[str, str]]] | None = None


@dataclass(frozen=True)
class Behaviour:
    """What one kernel does with bad objects, a line a call, and the warnings that the tree's own build lacks."""

    faults: list[str]
    warnings: frozenset[str]


def measured(job: Job, texts: Mapping[str, str] | None = None) -> Table:
    """The instructions of each operation in the tree's kernel, or with these texts. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        name = "changed" if texts else "own"
        return _table(job, kernel, _image(kernel, texts or {}, name, job), disk)


def functions_run(job: Job) -> Profile:
    """What one call of each operation runs of each function. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        return _profile(job, _image(kernel, {}, "own", job), disk)


def lines_run(job: Job) -> dict[Row, dict[Line, int]]:
    """How often one call of each operation runs each line of the tree's files. Raises UserError.

    Of the instructions of a line, that which runs most often counts.
    """
    with _prepared(job) as (kernel, disk):
        image = _image(kernel, {}, "own", job)
        executed = _executed(job, image, disk)
        with job.titled("reading line numbers"):
            known = Symbols(image).lines({at for r in executed.values() for at in r})
    found: dict[Row, dict[Line, int]] = {}
    for row, ran in executed.items():
        own = found[row] = {}
        for at, times in ran.items():
            for line in known[at]:
                own[line] = max(own.get(line, 0), times)
    return found


def behaviour(job: Job, texts: Mapping[str, str]) -> Behaviour:
    """What the kernel with these texts in place of the tree's does. Raises UserError, also if it crashes."""
    with _prepared(job) as (kernel, disk):
        image = _image(kernel, texts, "changed" if texts else "own", job)
        faults = _boot(job, image, disk, emulator.FAULTS)
        return Behaviour(faults, image.warnings)


def compared(
    job: Job, before: Mapping[str, str], after: Mapping[str, str], faults: bool
) -> Compared:
    """Compare the kernels with these texts in place of the tree's. Raises UserError."""
    with _prepared(job) as (kernel, disk):
        first = _image(kernel, before, "first", job)
        kept = kept_objects(kernel)
        second = _image(kernel, after, "second", job)
        functions = _changed(kernel, kept)
        tables = [_table(job, kernel, image, disk) for image in (first, second)]
        ran = _profile(job, first, disk), _profile(job, second, disk)
        differing = None
        if faults:
            timed = {each.name for each in job.operations if each.timed}
            lines = [
                _boot(job, image, disk, emulator.FAULTS) for image in (first, second)
            ]
            differing = counts.faults(lines[0], lines[1], timed)
    reached = {
        name: tuple(row for row, found in ran[1].items() if name in found)
        for name in functions
    }
    warnings = tuple(sorted(second.warnings - first.warnings))
    return Compared(tables[0], tables[1], ran, reached, warnings, differing)


def native(operations: Sequence[Operation], timeout: float) -> Table:
    """The nanoseconds of each operation on this machine's running kernel. Raises UserError."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-bench-") as folder:
        path = program(operations, Path(folder))
        ran = run([str(path), "n"], Path(folder), timeout)
    if ran.status != 0:
        raise UserError(f"the operations ended with status {ran.status}")
    return counts.nanoseconds(ran.out.splitlines(), _here())


def _made(kernel: Kernel) -> str:
    """How a kernel counts, its version and its compiler: "QEMU icount, 6.12, gcc 12.2.0"."""
    version = find_tree(kernel.tree).features.version
    number = f"{version >> 16}.{version >> 8 & 0xFF}" if version else kernel.tree.name
    compiler = compiled_by(kernel.build.target).partition(" for ")[0]
    return f"QEMU icount, {number}, {compiler}"


def _here() -> str:
    """The processor and the kernel of this machine."""
    match = _MODEL.search(Path("/proc/cpuinfo").read_text("ascii", "replace"))
    model = match["name"] if match else platform.machine()
    return f"{model}, {platform.release()}"


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


def _table(job: Job, kernel: Kernel, image: Image, disk: Path) -> Table:
    lines = _boot(job, image, disk, emulator.COUNTS)
    return counts.instructions(lines, _made(kernel))


def _changed(kernel: Kernel, kept: Mapping[str, Path]) -> list[str]:
    """The functions whose code differs, by the names that the source gives them."""
    names: set[str] = set()
    for old, new in rebuilt_objects(kernel, kept):
        try:
            names |= changed_functions(old, new)
        except ElfError:
            continue  # An assembled or linked file without functions.
    return sorted({plain(name) for name in names})


def _executed(job: Job, image: Image, disk: Path) -> dict[Row, Executed]:
    place = disk.parent
    printed = _boot(job, image, disk, emulator.CALLS, profile.options(place))
    return profile.executed(printed, place)


def _profile(job: Job, image: Image, disk: Path) -> Profile:
    symbols = Symbols(image)
    ran = _executed(job, image, disk)
    return {row: symbols.functions(each) for row, each in ran.items()}
