# SPDX-License-Identifier: GPL-2.0
"""Compile objects whose functions can be run one at a time, and load the routines they need."""

from __future__ import annotations

import bisect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.engines.compiler import ERROR, Compiled, Message, assemble, compile_file
from hotcocci.errors import EngineError
from hotcocci.findings import NO_LONGER
from hotcocci.machine.dwarf import rows
from hotcocci.machine.elf import ElfError, ObjectFile
from hotcocci.machine.reading import allowed, noreturn
from hotcocci.proof.changed import Changed, Original
from hotcocci.proof.objects import marks
from hotcocci.proof.objects.apart import KEEP, Left, apart, cut
from hotcocci.proof.objects.headers import Headers, leading, referred
from hotcocci.proof.objects.image import Image, Registry
from hotcocci.proof.objects.link import link
from hotcocci.proof.objects.signatures import Signatures
from hotcocci.proof.objects.variants import Variant, unbound
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.rules.ld301_credential_reload.definitions import changers, names_change
from hotcocci.tree.build import Build, locked, make
from hotcocci.tree.command import Command
from hotcocci.tree.source import decode, encode, read

ASSUMED = "called functions do not change current->cred"
# x86 per-CPU variables that hold or begin with the current task (arch/x86/include/asm/current.h).
# Elsewhere a register holds the task, placed at the start of the per-CPU area.
CURRENT = ("pcpu_hot", "const_pcpu_hot", "current_task", "const_current_task")
_MEMBERS = ("cred", "real_cred")
# Calls and parameters of static functions must be those of the source and must not depend on inlining heuristics,
# so that both sides match. Jump tables would hide branches. Identical statements must not be merged, or all but
# one seem not to be compiled. Stack canaries are random. Data sections name the variables. Uninitialised locals
# must hold the emulator's poison whatever the configuration says, and must not share stack slots. Variable
# tracking would lose the fixed stack slot of parameters whose address is taken.
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
# Forms that gcc writes: in the second one, parts of local variables are still read and written as such.
LAST, FOLDED = "optimized", "fre1"
HEADER = re.compile(r"(^|/)(asm(-generic)?/[\w/-]+|linux/uaccess)\.h$")
# How many line table rows before an address may belong to inlined functions.
NEAR = 32


@dataclass(frozen=True)
class Credentials:
    """The assumption on credentials: calls do not change those of the current task.

    A task's credentials are changed only by the task itself, and a struct cred is immutable once
    installed (Documentation/security/credentials.rst). So other CPUs may write everything except
    current->cred, current->real_cred and what these point to. Calls that change credentials change these
    as well: functions of the file and its headers are judged by their text, others by their names.

    ``offsets`` are those of the credential pointers in a task, ``size`` is that of a struct cred, in bytes.

    ``changers`` are the functions of the file and its headers that change credentials.
    """

    offsets: tuple[int, ...]
    size: int
    changers: frozenset[str] = frozenset()

    def changed_by(self, name: str) -> bool:
        """Whether a call of this name changes credentials."""
        # gcc appends .isra.0 and the like to the names of static functions.
        return names_change(name) or name.partition(".")[0] in self.changers


def credentials(signatures: Signatures, changing: frozenset[str]) -> Credentials:
    """Read the layout of credentials from debug information; no ``offsets`` if it has none."""
    offsets = [signatures.offset("task_struct", member) for member in _MEMBERS]
    known = tuple(offset for offset in offsets if offset is not None)
    return Credentials(known, signatures.size("cred"), changing)


class ExecutionError(EngineError):
    """The code cannot be run; the message says why."""


class NotCompiledError(ExecutionError):
    """The file does not compile."""


@dataclass(frozen=True)
class Side:
    """One side's linked object with its debug information.

    ``lines`` are the rows of the line table: emulated address, file, line. ``file`` is the compiled file.
    """

    image: Image
    signatures: Signatures
    lines: tuple[tuple[int, str, int], ...]
    file: str

    def at(self, address: int) -> tuple[str, int]:
        """The file and line of an address."""
        index = bisect.bisect_right(self.lines, address, key=lambda row: row[0]) - 1
        return self.lines[index][1:] if index >= 0 else ("", 0)

    def line(self, address: int) -> int:
        """The line of the compiled file that an address belongs to, ignoring inlined headers."""
        index = bisect.bisect_right(self.lines, address, key=lambda row: row[0])
        for _, file, line in reversed(self.lines[max(index - NEAR, 0) : index]):
            if file == self.file or file.endswith(f"/{self.file}"):
                return line
        return self.at(address)[1]

    def accessors(self) -> frozenset[str]:
        """Functions from arch headers and linux/uaccess.h, which are meant to be inlined."""
        return frozenset(
            f.name
            for f in self.image.functions
            if HEADER.search(self.at(f.start)[0]) is not None
        )

    def on(self, file: str, lines: Collection[int]) -> list[int]:
        """The addresses where code for these lines of a file begins."""
        return [
            address
            for address, name, line in self.lines
            if line in lines and (name == file or name.endswith(f"/{file}"))
        ]


@dataclass(frozen=True)
class CompiledUnit:
    """A file compiled before and after a change, with all that a comparison of its code reads.

    It can be sent to a machine without the tree and its build. ``support`` are the objects of the
    processor's support files. ``safe`` are the functions that may be called in a window, ``ends``
    those that do not return, and ``changers`` those that change credentials.
    """

    target: str
    file: str
    sides: tuple[bytes, bytes]
    support: tuple[bytes, ...]
    processor: Architecture
    safe: frozenset[str]
    ends: frozenset[str]
    changers: frozenset[str]


@dataclass(frozen=True)
class Compilation:
    """The compilation of one file for a change.

    ``places`` are overlays of the tree before and after the change, with its aligned texts, ``scratch``
    is a folder for temporary files. A ``variant`` is compiled otherwise than the kernel is. ``left`` is
    what code is compiled of, by file, if that is not all; of that, headers are ``known``. Other ``headers`` use what changes.
    ``functions`` of a header are compiled by themselves.
    """

    build: Build
    command: Command
    places: tuple[Path, Path]
    scratch: Path
    processor: Architecture
    changed: Changed
    variant: Variant | None = None
    left: Mapping[str, Left] = field(default_factory=dict)
    known: dict[tuple[object, ...], Headers | None] = field(default_factory=dict)
    headers: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()

    def alone(self) -> Compilation:
        """The same, but code is compiled without the functions that the change does not reach (apart.py)."""
        given, unit = self.changed.aligned, self.command.file
        around = "" if unit == given.file else decode(read(self.places[0] / unit))
        left = dict(zip((unit, given.file), apart(given.texts, around)))
        return replace(self, left=left) if given.file.endswith(".c") else self

    def run(self, side: int, output: Path, flags: Sequence[str]) -> Compiled:
        """Compile the file before (0) or after (1) the change, with marks. Raises BuildError."""
        variant = self.variant
        if variant is None and (not self.left or "-S" not in flags):
            expanded = self._expanded(side, output, flags) if self.left else None
            return expanded or self._compile(side, output, flags)
        with ExitStack() as stack:
            if variant is not None:
                flags = (*flags, *variant.flags)
                text = (variant.texts or self.changed.aligned.texts)[side]
                stack.enter_context(self.replaced(side, self.changed.file, text))
            for file, left in self.left.items():
                text = cut(decode(read(self.places[side] / file)), left)
                stack.enter_context(self.replaced(side, file, text))
            if not self.left:
                return self._made(side, output, flags)
            flags = (*flags, KEEP)
            return self._briefly(side, output, flags) or self._made(side, output, flags)

    def _made(self, side: int, output: Path, flags: Sequence[str]) -> Compiled:
        """Compile the texts that a side has now, rewritten for a variant."""
        if self.variant is None:
            return self._compile(side, output, flags)
        before = ("-E", *self.variant.flags)
        made = self._compile(side, output.with_suffix(".i"), before)
        if made.object is None:
            return made
        text = self.variant.rewritten(unbound(decode(read(made.object))))
        with self.replaced(side, self.command.file, text):
            return self._compile(side, output, (*flags, "-fpreprocessed"))

    def dump(self, side: int, form: str = LAST) -> Path:
        """The file to which gcc writes a form of one side: the last one before machine code, or `FOLDED`."""
        return self.scratch / f"{('old', 'new')[side]}.{form}"

    def _compile(self, side: int, output: Path, flags: Sequence[str]) -> Compiled:
        before = marks.flags(self.scratch, self.processor.orders_stores)
        place = self.places[side]
        return compile_file(self.build, self.command, place, output, before, flags)

    def _expanded(
        self, side: int, output: Path, flags: Sequence[str]
    ) -> Compiled | None:
        """The preprocessed text of a side of which the headers are known; None if they are not."""
        if {"-P", "-dD"}.isdisjoint(flags):
            return None
        path = self.places[side] / self.command.file
        headers, rest = self._headers(decode(read(path)), flags)
        if headers is None:
            return None
        with self.replaced(side, self.command.file, headers.macros(str(path), rest)):
            compiled = self._compile(side, output, flags)
        if compiled.object is not None:
            said = headers.before(str(path), decode(read(output)), "-P" in flags)
            output.write_bytes(encode(said))
        return compiled

    def _briefly(
        self, side: int, output: Path, flags: Sequence[str]
    ) -> Compiled | None:
        """One side compiled without what it does not use of headers; None if that cannot be said."""
        path = self.places[side] / self.command.file
        headers, rest = self._headers(decode(read(path)), flags)
        others = headers.included(path, rest, self.build.out) if headers else None
        if headers is None or others is None:
            return None
        unit, gone = headers.unit(str(path), rest, others)
        with self.replaced(side, self.command.file, unit):
            compiled = self._made(side, output, flags)
        if compiled.object is None:
            return None
        return compiled if gone.isdisjoint(referred(decode(read(output)))) else None

    def _headers(self, text: str, flags: Sequence[str]) -> tuple[Headers | None, str]:
        """The includes in the first lines of the file, if they are the same on both sides, and its other lines."""
        lines = leading(text)
        defined = tuple(flag for flag in flags if flag.startswith("-D"))
        key = (lines, self.command.argv, defined)
        if lines and key not in self.known:
            output = self.scratch / "headers.i"
            with self.replaced(0, self.command.file, Headers.probe(lines)):
                made = self._compile(0, output, (*FLAGS, *defined, "-g0", "-E", "-dD"))
            found = Headers(lines, decode(read(output)) if made.object else "")
            included = any(map(found.has, self.left.keys() - {self.command.file}))
            self.known[key] = None if included or not found.said else found
        return self.known.get(key), text[len(lines) :]

    @contextmanager
    def replaced(self, side: int, file: str, text: str) -> Iterator[None]:
        """Give one side another text of a file for a while."""
        path = self.places[side] / file
        assert not path.is_symlink(), "it is a file of the tree"
        given = read(path)
        path.write_bytes(encode(text))
        try:
            yield
        finally:
            path.write_bytes(given)


def compiled_unit(how: Compilation, old: bytes | None = None) -> CompiledUnit:
    """Compile a file for a change, unless the ``old`` side is known.

    Raises ExecutionError if the file does not compile, and BuildError.
    """
    sides = old or _compiled(how, 0), _compiled(how, 1)
    files = dict.fromkeys((how.command.file, how.changed.file))
    # Of what is compiled alone, both sides have the same headers.
    roots = (how.places[0],) * 2 if how.left else how.places
    own = [
        changers(decode(read(place / file)), root, file)
        for place, root in zip(how.places, roots)
        for file in files
    ]
    return CompiledUnit(
        how.build.target.name,
        how.command.file,
        sides,
        _support(how.build, tuple(how.processor.support)),
        how.processor,
        frozenset(allowed(how.build.tree)),
        noreturn(how.build.tree),
        frozenset().union(*own),
    )


def _compiled(how: Compilation, number: int) -> bytes:
    output = how.scratch / f"{('old', 'new')[number]}.o"
    original = how.changed.aligned.original(number)
    dump, folded = how.dump(number), how.dump(number, FOLDED)
    # gcc writes none for a file without functions.
    dump.touch()
    folded.touch()
    listed = output.with_suffix(".s")
    both = ((LAST, dump), (FOLDED, folded))
    dumps = (f"-fdump-tree-{form}-lineno={place}" for form, place in both)
    flags = (*FLAGS, *dumps, *marks.LISTING)
    compiled = how.run(number, listed, flags)
    if compiled.object is not None:
        text = listed.read_text(encoding="latin-1")
        listed.write_text(marks.annotated(text), encoding="latin-1")
        compiled = assemble(how.build, compiled, output)
    if compiled.object is None:
        what = NO_LONGER if number else "it does not compile"
        raise NotCompiledError(f"{what}: {_error(compiled, original)}")
    return compiled.object.read_bytes()


def coded(compiled: bytes, original: Original) -> frozenset[tuple[str, int]]:
    """The lines of files, as they were given, that have code. Raises ExecutionError."""
    try:
        dwarf = ObjectFile(compiled).linked()
        table = rows(dwarf.get_dwarf_info(relocate_dwarf_sections=False))
    except ElfError as error:
        raise ExecutionError(str(error)) from error
    return frozenset((file, original(file, line)) for _, file, line in table)


def side(
    unit: CompiledUnit, number: int, registry: Registry, original: Original
) -> Side:
    """Link the code before (0) or after (1) the change. Raises ExecutionError if that fails.

    ``original`` converts the lines of what was compiled.
    """
    try:
        obj = ObjectFile(unit.sides[number])
        support = [ObjectFile(each) for each in unit.support]
        image = link(obj, support, registry, unit.processor)
        dwarf = obj.linked().get_dwarf_info(relocate_dwarf_sections=False)
        return Side(
            image,
            Signatures(obj),
            line_table(obj, image, rows(dwarf), original),
            unit.file,
        )
    except ElfError as error:
        raise ExecutionError(str(error)) from error


def _error(compiled: Compiled, original: Original) -> Message:
    """The first error, at its line in the file as it was given."""
    error = next(m for m in compiled.messages if m.kind == ERROR)
    return replace(error, line=original(error.file, error.line))


def line_table(
    obj: ObjectFile, image: Image, table: list[tuple[int, str, int]], original: Original
) -> tuple[tuple[int, str, int], ...]:
    """The line table with emulated addresses and ``original`` lines."""
    moved = []
    for section, base in obj.bases.items():
        place = image.bases.get(section)
        if place is None:
            continue
        end = base + len(obj.data(section))
        moved += [
            (place + address - base, file, original(file, line))
            for address, file, line in table
            if base <= address < end
        ]
    return tuple(sorted(moved))


@lru_cache(maxsize=16)
def _support(build: Build, files: tuple[str, ...]) -> tuple[bytes, ...]:
    """Build these sources with kbuild, once, and return their objects; skip missing sources.

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
        objects.append(path.read_bytes())
    return tuple(objects)
