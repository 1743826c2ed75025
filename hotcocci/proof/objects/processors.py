# SPDX-License-Identifier: GPL-2.0
"""Select the processor for a build."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import compile_file
from hotcocci.machine.elf import ObjectFile
from hotcocci.proof.objects import arm64, powerpc
from hotcocci.proof.objects.compiled import ExecutionError
from hotcocci.proof.objects.processor import Processor
from hotcocci.proof.objects.x86 import X86Processor
from hotcocci.tree.build import Build
from hotcocci.tree.command import commands
from hotcocci.tree.overlay import lay

POWERPC = ("TASK_SIZE", "PAGE_OFFSET")
KUAP = "offsetof(struct task_struct, thread.kuap)"
ARM64 = ("TASK_SIZE_MAX", "offsetof(struct thread_info, ttbr0)")
# Like include/linux/kbuild.h, but the values are read from data symbols.
_HEAD = "#include <linux/sched.h>\n#include <linux/uaccess.h>\n"


def processor_for(build: Build) -> Processor | None:
    """Return the processor for a build's target, None if there is none.

    clang builds have none: the compiler flags for the emulator are gcc's. Raises ExecutionError if
    constants of the tree cannot be read, and BuildError if there is no compiler.
    """
    name = build.target.name
    if name == "x86-64":
        return X86Processor(build.tree)
    if name == "powerpc-8xx":
        return powerpc.PowerPC32(powerpc.Numbers(*_numbers(build, POWERPC)))
    if name in powerpc.SEGMENTS:
        return powerpc.PowerPC32(powerpc.Numbers(*_numbers(build, (*POWERPC, KUAP))))
    if name == "arm64":
        return arm64.Arm64(arm64.Numbers(*_numbers(build, ARM64)))
    return None


@lru_cache(maxsize=16)
def _numbers(build: Build, expressions: tuple[str, ...]) -> tuple[int, ...]:
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
    return _HEAD + "\n".join(lines) + "\n"


def _read(obj: ObjectFile, count: int) -> Iterable[int]:
    found = {s.name: s.address for s in obj.symbols if s.address is not None}
    for number in range(count):
        address = found[f"hotcocci_number_{number}"]
        data = obj.data(address.section)[address.offset : address.offset + 8]
        yield int.from_bytes(data, "little" if obj.order == "<" else "big")
