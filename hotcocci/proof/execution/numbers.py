# SPDX-License-Identifier: GPL-2.0
"""Evaluate constants of a kernel configuration with its compiler."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import compile_file
from hotcocci.engines.machine.elf import ObjectFile
from hotcocci.proof.execution.compiled import ExecutionError
from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.overlay import lay

# Like include/linux/kbuild.h, but the values are read from data symbols.
HEAD = (
    "#include <linux/sched.h>\n#include <linux/uaccess.h>\n#include <linux/cache.h>\n"
)


@lru_cache(maxsize=16)
def numbers(build: Build, expressions: tuple[str, ...]) -> tuple[int, ...]:
    """Return the values of constant C expressions in a build's configuration.

    Raises ExecutionError if they do not compile, and BuildError if there is no compiler.
    """
    file = build.target.probe
    command = commands(build, [file]).get(file)
    if command is None:
        raise ExecutionError(f"{file} is not compiled")
    with tempfile.TemporaryDirectory(prefix="hotcocci-") as folder:
        place = Path(folder)
        lay(build.tree, {file: _text(expressions)}, place / "tree")
        compiled = compile_file(build, command, place / "tree", place / "numbers.o")
        if compiled.object is None:
            raise ExecutionError(f"constants do not compile: {compiled.error}")
        return tuple(_read(ObjectFile(compiled.object), len(expressions)))


def _text(expressions: Iterable[str]) -> str:
    lines = (
        f"const unsigned long long hotcocci_number_{n} = {each};"
        for n, each in enumerate(expressions)
    )
    return HEAD + "\n".join(lines) + "\n"


def _read(obj: ObjectFile, count: int) -> Iterable[int]:
    found = {s.name: s.address for s in obj.symbols if s.address is not None}
    for number in range(count):
        address = found[f"hotcocci_number_{number}"]
        data = obj.data(address.section)[address.offset : address.offset + 8]
        yield int.from_bytes(data, "little" if obj.order == "<" else "big")
