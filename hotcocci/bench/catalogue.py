# SPDX-License-Identifier: GPL-2.0
"""The catalogue of operations: a small C program each in operations/, whose head describes it.

They are compiled into one static program, which is also the only file of an initial ramdisk.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from hotcocci.bench.machine import Machine
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

FOLDER = Path(__file__).parent / "operations"
# What all operations share
MAIN = "main.c"
PROGRAM = "init"
RAMDISK = "init.cpio"
# What another compiler warns of is for the tests.
FLAGS = ("-O2", "-std=gnu11", "-no-pie", "-w")
_TIMEOUT = 300.0
_LIBRARY = "libc.a"
# What an architecture, and the macros that define system calls, put before their names
_ENTRY = re.compile(r"^__(?:x64|arm64|se|do)_(?=sys_)")
_FIELD = re.compile(r"^ \* (?P<name>[A-Z][a-z]+): (?P<value>.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Operation:
    """One operation.

    ``unit`` is what it does once per unit of ``sizes``, ``reaches`` are functions of the kernel
    that it must call: "sys_x" is the entry of a system call, however the architecture names it, and
    "a|b" is a name that differs between kernels. ``options`` are the symbols of the configuration (without
    CONFIG_) that it needs, ``machines`` those that it runs on, if not all.
    ``timed`` is set if it writes times, which differ between kernels.
    """

    name: str
    unit: str
    sizes: tuple[int, ...]
    reaches: tuple[str, ...]
    options: tuple[str, ...]
    machines: tuple[str, ...] = ()
    timed: bool = False

    @property
    def source(self) -> Path:
        """Its program."""
        return FOLDER / f"{self.name}.c"

    def missed(self, ran: Collection[str]) -> list[str]:
        """Which of the functions that it must call are not among those that ran."""
        known = {_ENTRY.sub("", name) for name in ran} | set(ran)
        return [name for name in self.reaches if known.isdisjoint(name.split("|"))]


def catalogue() -> tuple[Operation, ...]:
    """All operations, by name."""
    sources = sorted(path for path in FOLDER.glob("*.c") if path.name != MAIN)
    return tuple(_operation(path) for path in sources)


def of_machine(machine: Machine) -> tuple[Operation, ...]:
    """The operations that a machine can run."""
    return tuple(
        each
        for each in catalogue()
        if not each.machines or machine.name in each.machines
    )


def chosen(
    patterns: Sequence[str], known: Sequence[Operation]
) -> tuple[Operation, ...]:
    """The known operations whose names match one of the patterns, as in a shell; all if there is none.

    Raises UserError for a pattern that no name matches.
    """
    for pattern in patterns:
        if not any(fnmatchcase(each.name, pattern) for each in known):
            raise UserError(
                f"there is no operation {pattern}: 'bench --list' lists all"
            )
    return tuple(
        each
        for each in known
        if not patterns or any(fnmatchcase(each.name, p) for p in patterns)
    )


def _operation(path: Path) -> Operation:
    head = path.read_text("ascii").partition("*/")[0]
    said = {match["name"]: match["value"] for match in _FIELD.finditer(head)}
    return Operation(
        path.stem,
        said["Unit"],
        tuple(map(int, said["Sizes"].split())),
        tuple(said["Reaches"].split()),
        tuple(said.get("Options", "").split()),
        tuple(said.get("Machines", "").split()),
        said.get("Bytes") == "times",
    )


def program(operations: Sequence[Operation], place: Path, machine: Machine) -> Path:
    """Write the program that runs these operations into a folder, and return its path.

    Raises UserError if it does not compile here.
    """
    (place / "table.h").write_text(_table(operations), "ascii")
    compile_ = [_compiler(machine), *FLAGS, f"-I{FOLDER}", f"-I{place}"]
    objects = []
    for operation in operations:
        objects.append(f"{operation.name}.o")
        named = f"-DNAME=op_{operation.name}"
        argv = [*compile_, named, "-c", "-o", objects[-1], str(operation.source)]
        must(argv, place)
    argv = [*compile_, "-static", "-o", PROGRAM, str(FOLDER / MAIN), *objects]
    must(argv, place)
    return place / PROGRAM


def ramdisk(operations: Sequence[Operation], place: Path, machine: Machine) -> Path:
    """The same as /init of an initial ramdisk; returns its path."""
    program(operations, place, machine)
    argv = ["cpio", "--quiet", "-o", "-H", "newc", "-O", RAMDISK]
    must(argv, place, stdin=f"{PROGRAM}\n")
    return place / RAMDISK


def require(machine: Machine) -> None:
    """Raise UserError that names what building or booting a kernel of a machine lacks here."""
    compiler = _compiler(machine)
    needed = [machine.qemu[0], compiler, "gcc", "cpio", *machine.target.programs]
    missing = [each for each in dict.fromkeys(needed) if shutil.which(each) is None]
    if compiler not in missing:
        asked = run([compiler, f"-print-file-name={_LIBRARY}"], Path("/"), _TIMEOUT)
        # With a path if there is one
        if asked.out.strip() == _LIBRARY:
            missing.append(_LIBRARY)
    if missing:
        raise UserError(
            f"bench --target {machine.name} needs {', '.join(missing)}: "
            f"apt install {machine.target.packages}"
        )


def _compiler(machine: Machine) -> str:
    return f"{machine.target.cross_compile}gcc"


def _table(operations: Sequence[Operation]) -> str:
    """The header with a row for each operation and size."""
    rows = [
        f'\t{{ "{each.name}", {size}, &op_{each.name} }},'
        for each in operations
        for size in each.sizes
    ]
    return "\n".join(
        [
            "struct row { const char *name; int size; const struct operation *operation; };",
            *(f"extern const struct operation op_{each.name};" for each in operations),
            "static const struct row table[] = {",
            *rows,
            "\t{ NULL, 0, NULL }",
            "};",
            "",
        ]
    )


def must(argv: Sequence[str], place: Path, stdin: str | None = None) -> None:
    """Run what compiles the operations in a folder. Raises UserError if it fails or is not installed."""
    try:
        outcome = run(argv, place, _TIMEOUT, stdin=stdin)
    except MissingProgram as error:
        raise UserError(f"bench needs {argv[0]}: install it") from error
    if outcome.status != 0:
        said = outcome.err.strip().splitlines() or ["no message"]
        raise UserError(f"the operations do not compile: {said[0]}")
