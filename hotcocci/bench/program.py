# SPDX-License-Identifier: GPL-2.0
"""Compile the operations into one static program, which is also the only file of an initial ramdisk."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from hotcocci.bench.catalogue import FOLDER, MAIN, Operation
from hotcocci.bench.machine import Machine
from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run

PROGRAM = "init"
RAMDISK = "init.cpio"
_FLAGS = ("-O2", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-no-pie")
_TIMEOUT = 300.0
_LIBRARY = "libc.a"


def program(operations: Sequence[Operation], place: Path, machine: Machine) -> Path:
    """Write the program that runs these operations into a folder, and return its path.

    Raises UserError if it does not compile here.
    """
    (place / "table.h").write_text(_table(operations), "ascii")
    compile_ = [_compiler(machine), *_FLAGS, f"-I{FOLDER}", f"-I{place}"]
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
