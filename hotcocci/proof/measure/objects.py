# SPDX-License-Identifier: GPL-2.0
"""Compile a file as the kernel does, with a stand-in for stac and clac, and link it for a process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.engines.compiler import Compiled, assemble, compile_file
from hotcocci.engines.machine.elf import ElfError, ObjectFile
from hotcocci.engines.machine.lines import rows
from hotcocci.proof.execution.compiled import (
    ExecutionError,
    NotCompiledError,
    Side,
    line_table,
)
from hotcocci.proof.execution.image import LinkError, link
from hotcocci.proof.execution.pointers import DUMP, calls_through_pointers
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.execution.signatures import Signature, Signatures
from hotcocci.proof.execution.space import Registry
from hotcocci.proof.measure.stand_ins import StandIn, assembler_flags, flags
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command, commands

# Debug information changes no code. Signatures of indirect calls come from the dump.
DEBUG = ("-g", "-gdwarf-4", "-w")
# An assembly file of the tree is compiled with the flags of this one, which every kernel has.
LIKE = "lib/usercopy.c"


@dataclass(frozen=True)
class Listing:
    """One side's code as assembly: what was compiled, and its indirect calls by file and line."""

    compiled: Compiled
    pointers: Mapping[tuple[str, int], Signature]


@dataclass(frozen=True)
class Linked:
    """An object with a stand-in, and the same linked at addresses of a process."""

    path: Path
    side: Side


def listing(build: Build, command: Command, overlay: Path, output: Path) -> Listing:
    """Compile a file of an overlay to assembly.

    Raises NotCompiledError, and BuildError if there is no compiler.
    """
    dump = output.with_suffix(".optimized")
    compiled = compile_file(
        build,
        command,
        overlay,
        output,
        flags(output.parent),
        # The assembler's macros are not known yet.
        ("-S", *DEBUG, f"{DUMP}={dump}"),
    )
    if compiled.object is None:
        raise NotCompiledError(f"it does not compile: {compiled.error}")
    return Listing(compiled, calls_through_pointers(dump, 8))


def linked(
    build: Build,
    made: Listing,
    stand_in: StandIn,
    output: Path,
    processor: Processor,
    registry: Registry,
) -> Linked:
    """Assemble and link a side with a stand-in.

    Raises ExecutionError if that fails, and BuildError if there is no compiler.
    """
    more = assembler_flags(output.parent, stand_in)
    compiled = made.compiled
    argv = (*compiled.argv, *more)
    assembled = assemble(build, replace(compiled, argv=argv), output)
    if assembled.object is None:
        raise ExecutionError(f"it cannot be assembled: {assembled.error}")
    try:
        obj = ObjectFile(assembled.object)
        routines = _routines(build, processor, stand_in, output.parent)
        image = link(obj, routines, registry, processor)
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        lines = line_table(obj, image, rows(dwarf))
        file = compiled.source.name
        side = Side(image, Signatures(obj), lines, file, made.pointers)
        return Linked(output, side)
    except (ElfError, LinkError) as error:
        raise ExecutionError(str(error)) from error


def _routines(
    build: Build, processor: Processor, stand_in: StandIn, scratch: Path
) -> list[ObjectFile]:
    """The tree's access routines with this stand-in."""
    saved = commands(build, [LIKE])[LIKE]
    own = (*flags(scratch), *assembler_flags(scratch, stand_in))
    found = []
    for file in processor.support:
        if not (build.tree / file).exists():
            continue
        path = (
            scratch
            / stand_in.name.replace(" ", "-")
            / Path(file).with_suffix(".o").name
        )
        if not path.exists():
            words = ("-D__ASSEMBLY__",) if file.endswith(".S") else ()
            command = Command(file, (*saved.argv, *words))
            compiled = compile_file(build, command, build.tree, path, own)
            if compiled.object is None:
                raise ExecutionError(f"{file} does not compile: {compiled.error}")
        found.append(ObjectFile(path))
    return found
