# SPDX-License-Identifier: GPL-2.0
"""Run operations in a tree's kernel, before and after a change."""

import platform
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from hotcocci.bench import catalogue, counts
from hotcocci.bench.catalogue import Machine, Operation, of_machine, ramdisk
from hotcocci.bench.counts import Executed, Line, Ran, Row, Symbols, Table
from hotcocci.bench.kernel import (
    Image,
    Kernel,
    built,
    held,
    keep_objects,
    kernel_of,
    rebuilt,
)
from hotcocci.errors import TryAgain, UserError
from hotcocci.tree.build import compiled_by
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.process import run

Titled = Callable[[str], AbstractContextManager[object]]
"""Shows a title while something runs."""


@dataclass(frozen=True)
class Job:
    """The operations to run, and the kernel: ``timeout`` is for one boot, in seconds, ``titled`` shows progress.

    All operations are run to count instructions, as some depend on what ran before; only those of
    ``operations`` are reported.
    """

    tree: Path
    machine: Machine
    operations: Sequence[Operation]
    cache: Path
    jobs: int
    timeout: float
    titled: Titled


# TCG: KVM has no plugins. One instruction is one tick of the clock, whatever the host does.
_OPTIONS = (
    "-accel tcg -m 256 -nodefaults -display none -serial stdio -no-reboot "
    "-icount shift=0,sleep=off -rtc clock=vm"
).split()
# Without randomness; who waits for a program that an Oops ended would wait for ever.
_APPEND = "panic=-1 oops=panic quiet nokaslr norandmaps"
# The last line of a run that was not cut off
_DONE = "done"

# What a kernel says first of why it crashes
_CRASH = re.compile(r"\bBUG\b|Oops|Unable to handle|protection fault|Kernel panic")

FAULTS = "f"
CALLS = "c"

_MODEL = re.compile(r"^model name\s*: (?P<name>.*)$", re.MULTILINE)

Profile = Mapping[Row, Mapping[str, Ran]]


@dataclass(frozen=True)
class Counted:
    """One kernel: its table, and how often each of its instructions ran in one call of each operation."""

    table: Table
    executed: Mapping[Row, Executed]
    symbols: Symbols

    @property
    def functions(self) -> Profile:
        """The functions that one call of each operation runs."""
        return {row: self.symbols.functions(e) for row, e in self.executed.items()}


@dataclass(frozen=True)
class Compared:
    """Two kernels: their tables, and what each function runs in one call of each operation.

    ``changed`` are the functions whose code differs, and the operations that run each, ``data`` what else
    differs. ``warnings`` are those that only the second build has. ``faults`` is the number of calls with bad
    objects, and the lines that differ; None if not asked.
    """

    before: Table
    after: Table
    ran: tuple[Profile, Profile]
    changed: Mapping[str, tuple[Row, ...]]
    data: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    faults: tuple[int, list[tuple[str, str]]] | None = None

    @property
    def apart(self) -> frozenset[Row]:
        """The operations that run no changed function."""
        run = {row for rows in self.changed.values() for row in rows}
        return frozenset(self.after.counts.keys() - run)


@dataclass(frozen=True)
class Behaviour:
    """One kernel's results with bad objects, a line per call, and the warnings that the tree's own build lacks."""

    faults: list[str]
    warnings: frozenset[str]


def measured(job: Job, texts: Mapping[str, str] | None = None) -> Counted:
    """The instructions of each operation in the tree's kernel, or with these texts. Raises UserError."""
    with _prepared(job, of_machine(job.machine)) as (kernel, disk):
        image = _image(kernel, texts or {}, "changed" if texts else "own", job)
        return _counted(job, kernel, image, disk)


def lines_run(job: Job) -> tuple[Table, dict[Row, dict[Line, int]]]:
    """The number of times one call of each operation runs each line of the tree's files. Raises UserError.

    Of the instructions of a line, that which runs most often counts.
    """
    with _prepared(job, of_machine(job.machine)) as (kernel, disk):
        counted = _counted(job, kernel, _image(kernel, {}, "own", job), disk)
        with job.titled("reading line numbers"):
            known = counted.symbols.lines(
                {at for r in counted.executed.values() for at in r}
            )
    found: dict[Row, dict[Line, int]] = {}
    for row, ran in counted.executed.items():
        own = found[row] = {}
        for at, times in ran.items():
            for line in known[at]:
                own[line] = max(own.get(line, 0), times)
    return counted.table, found


def behaviour(job: Job, texts: Mapping[str, str]) -> Behaviour:
    """The behaviour of the kernel with these texts in place of the tree's. Raises UserError, also if it crashes."""
    with _prepared(job, job.operations) as (kernel, disk):
        image = _image(kernel, texts, "changed" if texts else "own", job)
        return Behaviour(_boot(job, image, disk, FAULTS), image.warnings)


def compared(
    job: Job, before: Mapping[str, str], after: Mapping[str, str], faults: bool
) -> Compared:
    """Compare the kernels with these texts in place of the tree's. Raises UserError."""
    with _prepared(job, of_machine(job.machine)) as (kernel, disk):
        first = _image(kernel, before, "first", job)
        keep_objects(kernel)
        second = _image(kernel, after, "second", job)
        functions, data = rebuilt(kernel)
        old, new = (_counted(job, kernel, i, disk) for i in (first, second))
        ran = old.functions, new.functions
        differing = None
        if faults:
            timed = {each.name for each in job.operations if each.timed}
            own = disk.parent / "faults"
            own.mkdir()
            disk = ramdisk(job.operations, own, job.machine)
            lines = [_boot(job, image, disk, FAULTS) for image in (first, second)]
            differing = counts.faults(lines[0], lines[1], timed)
    reached = {
        name: tuple(row for row, found in ran[1].items() if name in found)
        for name in functions
    }
    warnings = tuple(sorted(second.warnings - first.warnings))
    tables = old.table, new.table
    return Compared(*tables, ran, reached, tuple(data), warnings, differing)


def native(machine: Machine, operations: Sequence[Operation], timeout: float) -> Table:
    """The nanoseconds of each operation on this machine's running kernel. Raises UserError."""
    with tempfile.TemporaryDirectory(prefix="hotcocci-bench-") as folder:
        path = catalogue.program(operations, Path(folder), machine)
        ran = run([str(path), "n"], Path(folder), timeout)
    if ran.status != 0:
        raise UserError(f"the operations ended with status {ran.status}")
    return counts.nanoseconds(ran.out.splitlines(), _here())


def _made(kernel: Kernel) -> str:
    """A kernel's way of counting, version, compiler and machine: "QEMU icount, 6.12, gcc 12.2.0, x86-64 with SMAP"."""
    version = find_tree(kernel.tree).features.version
    number = f"{version >> 16}.{version >> 8 & 0xFF}" if version else kernel.tree.name
    compiler = compiled_by(kernel.build.target).partition(" for ")[0]
    machine = f"{kernel.machine.name} with {kernel.machine.guard}"
    return ", ".join(["QEMU icount", number, compiler, machine])


def _here() -> str:
    """The processor and the kernel of this machine."""
    match = _MODEL.search(Path("/proc/cpuinfo").read_text("ascii", "replace"))
    model = match["name"] if match else platform.machine()
    return f"{model}, {platform.release()}"


@contextmanager
def _prepared(
    job: Job, operations: Sequence[Operation]
) -> Iterator[tuple[Kernel, Path]]:
    catalogue.require(job.machine)
    with tempfile.TemporaryDirectory(prefix="hotcocci-bench-") as folder:
        disk = ramdisk(operations, Path(folder), job.machine)
        with job.titled(f"configuring a kernel of {job.tree.name}"):
            kernel = kernel_of(job.tree, job.machine, job.cache, job.jobs)
        with held(kernel):
            yield kernel, disk


def _image(kernel: Kernel, texts: Mapping[str, str], name: str, job: Job) -> Image:
    header = next((file for file in texts if not file.endswith(".c")), None)
    how = "seconds" if texts else "minutes for the first, then seconds"
    if header:
        how = f"all that includes {header}"
    with job.titled(f"building the {name} kernel ({how})"):
        return built(kernel, texts, name, job.jobs)


def _boot(
    job: Job, image: Image, disk: Path, mode: str, options: Sequence[str] = ()
) -> list[str]:
    with job.titled(f"running operations in {image.boot.stem}"):
        return boot(job.machine, image, disk, mode, job.timeout, options)


def _counted(job: Job, kernel: Kernel, image: Image, disk: Path) -> Counted:
    printed = _boot(job, image, disk, CALLS, counts.options(disk.parent, job.machine))
    names = {each.name for each in job.operations}
    found = counts.executed(printed, disk.parent)
    executed = {row: ran for row, ran in found.items() if row[0] in names}
    told = [line for line in printed if not names.isdisjoint(line.split()[1:2])]
    symbols = Symbols(image, job.machine.target.cross_compile)
    table = counts.instructions(told, executed, _made(kernel))
    return Counted(table, executed, symbols)


def boot(
    machine: Machine,
    image: Image,
    disk: Path,
    mode: str,
    timeout: float,
    options: Iterable[str] = (),
) -> list[str]:
    """The output of the operations in a mode. ``options`` are extra ones for QEMU; ``timeout`` is in seconds.

    Raises UserError if the kernel crashes, and TryAgain if it hangs.
    """
    argv = [
        *(*machine.qemu, *_OPTIONS, *options),
        *("-kernel", str(image.boot), "-initrd", str(disk)),
        *("-append", f"{machine.append} {_APPEND} -- {mode}"),
    ]
    try:
        outcome = run(argv, disk.parent, timeout)
    except TryAgain as error:
        # It may hang, or the machine is slow.
        said = f"the {image.boot.stem} kernel did not get to the end: {error.args[0]}"
        raise TryAgain(said) from error
    lines = outcome.out.replace("\r", "").splitlines()
    if _DONE not in lines[-3:]:
        told = [line.strip() for line in lines or outcome.err.splitlines()]
        last = next(filter(None, reversed(told)), "no output")
        why = next(filter(_CRASH.search, told), last)
        raise UserError(f"the {image.boot.stem} kernel did not get to the end: {why}")
    return lines
