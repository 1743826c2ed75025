# SPDX-License-Identifier: GPL-2.0
"""Objects whose functions can be run one by one, and the routines of other objects that they need."""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import assemble, compile_file
from hotcocci.engines.machine.elf import ElfError, ObjectFile
from hotcocci.engines.machine.lines import rows
from hotcocci.errors import EngineError
from hotcocci.proof.execution import annotated, marks
from hotcocci.proof.execution.image import Image, link
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.execution.pointers import (
    DUMP,
    calls_through_pointers,
    volatile_lines,
)
from hotcocci.proof.execution.signatures import Signature, Signatures
from hotcocci.proof.execution.space import Registry
from hotcocci.tree.build import Build, locked, make
from hotcocci.tree.command import Command

# What a static function is called with, and what it calls, must be what the source says, and
# not differ between the sides because one of them grew. Jump tables would hide branches. Equal
# statements keep code of their own, or all but one of them seem not to be compiled. Canaries are
# random. Variables are known by the names of their sections, and stored to even if nothing reads
# them. A local variable that nobody initialises holds what the emulator puts there, whatever the
# configuration says, and not what another one left in its place. A parameter whose address is taken
# has its one place on the stack: following where it is besides loses that.
FLAGS = (
    "-fno-inline-functions",
    "-fno-inline-functions-called-once",
    "-fno-inline-small-functions",
    "-fno-partial-inlining",
    "-fno-ipa-sra",
    "-fno-ipa-cp",
    "-fno-ipa-icf",
    "-fno-ipa-ra",
    "-fno-ipa-vrp",
    "-fno-ipa-pure-const",
    "-fno-ipa-modref",
    "-fno-ipa-reference",
    "-fno-ipa-reference-addressable",
    "-ftrivial-auto-var-init=uninitialized",
    "-fstack-reuse=none",
    "-fno-jump-tables",
    "-fno-crossjumping",
    "-fno-tree-tail-merge",
    "-fno-stack-protector",
    "-fdata-sections",
    "-fno-var-tracking",
    "-g",
    "-gdwarf-4",
    "-w",
)

HEADER = re.compile(r"(^|/)(asm(-generic)?/[\w/-]+|linux/uaccess)\.h$")


# Rows of the line table that one inlined function has before a call.
NEAR = 32


class ExecutionError(EngineError):
    """The code cannot be run; the message says why."""


class NotCompiledError(ExecutionError):
    """The file does not compile."""


class NothingToRunError(ExecutionError):
    """What a change touches leaves no code in this file."""


@dataclass(frozen=True)
class Side:
    """One side's object, laid out, with what its debug information tells.

    ``lines`` are the line table's rows in the emulated address space: address, file, line; ``file``
    is the one that was compiled.
    ``pointers`` are what calls through pointers are given, and ``volatile`` the lines of volatile
    accesses, as in pointers.py.
    """

    image: Image
    signatures: Signatures
    lines: tuple[tuple[int, str, int], ...]
    file: str
    pointers: Mapping[tuple[str, int], Signature] = field(default_factory=dict)
    volatile: frozenset[tuple[str, int, bool]] = frozenset()

    def through(self, site: int) -> Signature | None:
        """What a call through a pointer, made by the instruction at an address, is given."""
        last = bisect.bisect_right(self.lines, site, key=lambda row: row[0])
        address = self.lines[last - 1][0] if last else 0
        # Several lines may begin there: the inner ones of what was inlined.
        first = bisect.bisect_left(self.lines, address, key=lambda row: row[0])
        for _, file, line in self.lines[first:last]:
            found = self.pointers.get((file.rpartition("/")[2], line))
            if found is not None:
                return found
        return None

    def at(self, address: int) -> tuple[str, int]:
        """The file and line of an address."""
        index = bisect.bisect_right(self.lines, address, key=lambda row: row[0]) - 1
        return self.lines[index][1:] if index >= 0 else ("", 0)

    def line(self, address: int) -> int:
        """The line of the file itself that an address belongs to, whatever was inlined there."""
        index = bisect.bisect_right(self.lines, address, key=lambda row: row[0])
        for _, file, line in reversed(self.lines[max(index - NEAR, 0) : index]):
            if file == self.file or file.endswith(f"/{self.file}"):
                return line
        return self.at(address)[1]

    def accessors(self) -> frozenset[str]:
        """Functions of headers of the architecture and of user access, which are meant to be inlined."""
        return frozenset(
            f.name
            for f in self.image.functions
            if HEADER.search(self.at(f.start)[0]) is not None
        )

    def on(self, file: str, lines: Collection[int]) -> list[int]:
        """The addresses at which code of these lines of a file begins."""
        return [
            address
            for address, name, line in self.lines
            if line in lines and (name == file or name.endswith(f"/{file}"))
        ]


def side(
    build: Build,
    command: Command,
    overlay: Path,
    output: Path,
    processor: Processor,
    registry: Registry,
) -> Side:
    """Compile a file of an overlay to ``output`` and lay it out. Raises ExecutionError, and BuildError."""
    dump = output.with_suffix(".optimized")
    listed = output.with_suffix(".s")
    flags = (*FLAGS, f"{DUMP}={dump}", *annotated.FLAGS)
    compiled = compile_file(
        build, command, overlay, listed, marks.flags(output.parent), flags
    )
    if compiled.object is not None:
        text = listed.read_text(encoding="latin-1")
        listed.write_text(annotated.annotated(text), encoding="latin-1")
        compiled = assemble(build, compiled, output)
    if compiled.object is None:
        raise NotCompiledError(f"it does not compile: {compiled.error}")
    try:
        obj = ObjectFile(compiled.object)
        image = link(obj, support(build, tuple(processor.support)), registry, processor)
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        pointers = calls_through_pointers(dump, processor.layout.pointer)
        lines = _lines(obj, image, rows(dwarf))
        volatile = volatile_lines(dump)
        return Side(image, Signatures(obj), lines, command.file, pointers, volatile)
    except ElfError as error:
        raise ExecutionError(str(error)) from error


def _lines(
    obj: ObjectFile, image: Image, table: list[tuple[int, str, int]]
) -> tuple[tuple[int, str, int], ...]:
    """The line table with addresses as they are laid out."""
    moved = []
    for section, base in obj.bases.items():
        place = image.bases.get(section)
        if place is None:
            continue
        end = base + len(obj.data(section))
        moved += [
            (place + address - base, file, line)
            for address, file, line in table
            if base <= address < end
        ]
    return tuple(sorted(moved))


@lru_cache(maxsize=16)
def support(build: Build, files: tuple[str, ...]) -> tuple[ObjectFile, ...]:
    """The objects of these sources, built by kbuild once; those that a tree lacks are left out.

    Raises ExecutionError if one does not build.
    """
    known = [file for file in files if (build.tree / file).exists()]
    names = [str(Path(file).with_suffix(".o")) for file in known]
    with locked(build.lock):
        missing = [name for name in names if not (build.out / name).exists()]
        outcome = make(build, missing) if missing else None
    objects = []
    for name in names:
        path = build.out / name
        if not path.exists():
            said = (outcome.err if outcome else "").strip().splitlines()
            raise ExecutionError(f"{name} does not build: {said[:1]}")
        objects.append(ObjectFile(path))
    return tuple(objects)
