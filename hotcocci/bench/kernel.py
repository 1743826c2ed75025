# SPDX-License-Identifier: GPL-2.0
"""Build a small kernel of a tree once, and again with files changed, which takes seconds; tell what differs.

It is built out of tree, from a folder of links to the tree in which changed files are real ones. The
tree is not written to.
"""

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.bench.catalogue import Machine, of_machine
from hotcocci.errors import TryAgain, UserError, unwritable
from hotcocci.machine.elf import (
    COLD,
    I386,
    X86_64,
    Address,
    ElfError,
    ObjectFile,
    Relocation,
    Symbol,
)
from hotcocci.machine.reading import architecture
from hotcocci.tree.build import FULL_BELOW, Build, BuildError, locked, make, prepare
from hotcocci.tree.process import Outcome
from hotcocci.tree.source import decode, encode, lay, read

SYMBOLS = "System.map"
DEBUG = "vmlinux"
# The files of the folder of links that were real ones in the last build, if it got to its end
_CHANGED = "changed.json"
_WARNINGS = "warnings.json"
_BEFORE = "before"
# What the build of the tree's own kernel left
_OWN = "own"
# What uname() says does not tell two builds apart.
_SAME_VERSION = ("KBUILD_BUILD_VERSION=1", "KBUILD_BUILD_TIMESTAMP=1970-01-01")
# Lines and columns of a compiler, offsets of objtool
_PLACE = re.compile(r"(?<=[\w.]):\d+(?::\d+)?|\+0x[0-9a-f]+")
# Folders of programs, and of the ramdisk that a kernel without one has
_OF_BUILD = frozenset({"scripts", "tools", "usr"})
# What gcc appends to the names of functions that it specialises
_MADE = re.compile(r"\.(?:isra|constprop|part|cold)\b.*")
# Where a function refers to something, and to what: the name, an offset, and the bytes of a constant
Reference = tuple[int, str, int, bytes]
# Constants are compared by this many bytes from where a function refers to them.
_COMPARED = 64
# What gcc appends to the names of variables in functions, and __UNIQUE_ID() to others: __COUNTER__
_NUMBER = re.compile(r"^(__UNIQUE_ID_\w*?|.*(?=\.))\.?\d+$")


@dataclass(frozen=True)
class Kernel:
    """The sources and settings from which the kernels of a tree are built.

    ``prepared`` is the build that configured it, ``build`` that of its images, in ``folder`` with its links.
    """

    prepared: Build
    folder: Path
    build: Build
    machine: Machine

    @property
    def tree(self) -> Path:
        """The tree itself, which nothing is written to."""
        return self.prepared.tree


@dataclass(frozen=True)
class Image:
    """A kernel that boots: its file, the addresses of its functions, and its object with line numbers.

    ``warnings`` are those of its build that the tree's own kernel does not have, without places in code.
    """

    boot: Path
    symbols: Path
    debug: Path
    warnings: frozenset[str] = frozenset()


def kernel_of(tree: Path, machine: Machine, cache: Path, jobs: int) -> Kernel:
    """Configure the kernel of a tree for all operations. Raises BuildError if it cannot be built here."""
    options = sorted({o for each in of_machine(machine) for o in each.options})
    target = replace(machine.target, on=(*machine.target.on, *options))
    prepared = prepare(tree, target, cache, jobs)
    folder = prepared.out.parent / "kernel"
    build = replace(prepared, tree=folder / "tree", out=folder / "out")
    return Kernel(prepared, folder, build, machine)


@contextmanager
def held(kernel: Kernel) -> Iterator[None]:
    """Hold the lock of a kernel's build: all kernels of a tree are built in one folder."""
    with locked(kernel.prepared.lock):
        yield


def built(kernel: Kernel, texts: Mapping[str, str], name: str, jobs: int) -> Image:
    """The kernel with the texts of some files, relative to the tree, in place of their own; `held` is held.

    ``name`` is that of its image. Raises BuildError with the compiler's message if it does not build.
    """
    folder, build = kernel.folder, kernel.build
    own, config = folder / _OWN, build.out / ".config"
    with _room(folder):
        if texts and not own.is_dir():
            built(kernel, {}, _OWN, jobs)
        laid = _laid(kernel, texts)
        targets = [kernel.machine.goal]
        if any(Path(file).name.startswith("Kconfig") for file in laid):
            # Or make would ask about new symbols.
            config.unlink(missing_ok=True)
            targets = ["olddefconfig", *targets]
        if not config.is_file():
            config.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kernel.prepared.out / ".config", config)
        outcome = make(build, ["-s", "-S", f"-j{jobs}", *_SAME_VERSION, *targets])
        warnings = _warnings(folder, outcome, own=not texts)
        if outcome.status != 0:
            if shutil.disk_usage(folder).free < FULL_BELOW:
                raise TryAgain(f"no space left in {folder}: free some")
            why = _telling(outcome).replace(f"{build.tree}/", "")
            raise BuildError(f"the {name} kernel does not build: {why}")
        (folder / _CHANGED).write_text(json.dumps(laid))
        ends = ("image", "map", DEBUG)
        boot, symbols, debug = (folder / f"{name}.{end}" for end in ends)
        image = Image(boot, symbols, debug, warnings)
        shutil.copyfile(build.out / kernel.machine.image, image.boot)
        shutil.copyfile(build.out / SYMBOLS, image.symbols)
        # The linker writes a new file in place of the old one.
        image.debug.unlink(missing_ok=True)
        os.link(build.out / DEBUG, image.debug)
        copied = own.is_dir() and os.path.samefile(own / DEBUG, build.out / DEBUG)
        if not texts and not copied:
            _copied(build.out, own)
    return image


def _laid(kernel: Kernel, texts: Mapping[str, str]) -> list[str]:
    """Lay texts over the tree and return the files that are no links.

    make compares times. So the tree's own kernel comes back with its times, and a C file that only the last change
    had is the tree's own with a new one. What a killed make left is not used: an object may lack a part.
    """
    place, state = kernel.build.tree, kernel.folder / _CHANGED
    before = json.loads(state.read_text()) if state.is_file() else None
    present = {f: kernel.tree / f for f in before or () if (kernel.tree / f).is_file()}
    # All that includes a header would be built again without it.
    shared = [f for f in before or () if f not in present or not f.endswith(".c")]
    goes_on = texts and all(_holds(place / f, texts.get(f)) for f in shared)
    if before is None or (before and not goes_on):
        shutil.rmtree(place, ignore_errors=True)
        _copied(kernel.folder / _OWN, kernel.build.out)
        present = {}
    own = {file: decode(read(path)) for file, path in present.items()}
    own["Makefile"] = decode(read(kernel.tree / "Makefile"))
    state.unlink(missing_ok=True)
    lay(kernel.tree, own | dict(texts), place)
    return sorted({*present, *texts})


def _holds(path: Path, text: str | None) -> bool:
    return text is not None and path.is_file() and path.read_bytes() == encode(text)


def _copied(source: Path, target: Path) -> None:
    """Make a folder a copy of another one with its times, and empty if that is none."""
    new = target.with_suffix(".new")
    for place in (new, target):
        shutil.rmtree(place, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, new, symlinks=True, copy_function=_copy)
        new.rename(target)


def _copy(source: str, target: str) -> None:
    # What writes these puts a new file in place of the old one.
    if source.endswith((".o", f"/{DEBUG}")):
        os.link(source, target)
    else:
        shutil.copy2(source, target, follow_symlinks=False)


def _warnings(folder: Path, outcome: Outcome, own: bool) -> frozenset[str]:
    """The warnings of a build that no build of the tree's own files had; those are kept."""
    said = (line for line in outcome.err.splitlines() if "warning:" in line.lower())
    found = {_PLACE.sub("", line) for line in said}
    kept = folder / _WARNINGS
    known = set(json.loads(kept.read_text()) if kept.is_file() else [])
    if own:
        # make says them once, when it compiles a file.
        kept.write_text(json.dumps(sorted(known | found)))
    return frozenset(found - known)


def keep_objects(kernel: Kernel) -> None:
    """Keep the objects of the last build beside those of the next."""
    shutil.rmtree(kernel.folder / _BEFORE, ignore_errors=True)
    for path in _objects(kernel):
        kept = _kept(kernel, path)
        kept.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, kept)


def rebuilt_objects(kernel: Kernel) -> Iterator[tuple[Path | None, Path]]:
    """The objects that differ from those kept, before and after; the first is None for a new one."""
    for path in _objects(kernel):
        old = _kept(kernel, path)
        if not old.exists():
            yield None, path
        elif not os.path.samefile(old, path):
            yield old, path


def _kept(kernel: Kernel, path: Path) -> Path:
    return kernel.folder / _BEFORE / path.relative_to(kernel.build.out)


def _objects(kernel: Kernel) -> list[Path]:
    """The objects that are linked into the kernel."""
    out = kernel.build.out
    inside = (path for path in out.rglob("*.o") if path.parent != out)
    return [p for p in inside if p.relative_to(out).parts[0] not in _OF_BUILD]


@contextmanager
def _room(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        why = unwritable(error, "name another cache folder")
        raise UserError(f"cannot build a kernel in {folder}: {why}") from error


def _telling(outcome: Outcome) -> str:
    """The line of make's output that says why it failed."""
    lines = [line.strip() for line in (outcome.err + outcome.out).splitlines()]
    words = ("rror", "undefined", "No rule")
    errors = [line for line in lines if any(word in line for word in words)]
    return next(iter(errors or lines), "no message from make")


def rebuilt(kernel: Kernel) -> tuple[list[str], list[str]]:
    """The functions, and the data, that differ since objects were kept, by the names that the source gives them."""
    functions: set[str] = set()
    data: set[str] = set()
    for old, new in rebuilt_objects(kernel):
        try:
            functions |= changed_functions(old, new, kernel.build.out)
            data |= changed_data(old, new)
        except ElfError:
            continue  # An assembled or linked file without functions.
    return sorted({plain(name) for name in functions}), sorted(data)


def changed_functions(old: Path | None, new: Path, out: Path) -> set[str]:
    """The functions of the new object of a build in ``out`` that the old one lacks, or has with other code.

    References count by what they refer to, not by its address. Raises ElfError for what is no object.
    """
    before = _functions(ObjectFile(old), out) if old is not None else {}
    after = _functions(ObjectFile(new), out)
    return {name for name, code in after.items() if before.get(name) != code}


def changed_data(old: Path | None, new: Path) -> set[str]:
    """The variables and constants of the new object that the old one lacks, or has with other contents.

    Raises ElfError for what is no object.
    """
    before = _data(ObjectFile(old)) if old is not None else Counter()
    return {name for name, *_ in _data(ObjectFile(new)) - before}


def _functions(obj: ObjectFile, out: Path) -> dict[str, tuple[bytes, list[Reference]]]:
    decoder = architecture(obj, out)
    found = {}
    # The entries of the kernel are code, and no functions.
    for symbol, start in _defined(obj, code=True):
        section, end = start.section, start.offset + symbol.size
        code, references = _contents(obj, start, symbol.size)
        filled = obj.relocations(section)
        # The assembler itself fills in calls and jumps to other functions of a section.
        for each in decoder.decode(obj, start, end):
            target, after = each.target, each.following.offset
            # The displacement of x86, a word of others, which is b or bl
            field = 1 if each.size == 2 else 4
            if target and after - field not in filled:
                if not start.offset <= target.offset < end:
                    place = after - field - start.offset
                    code[place : place + field] = bytes(field)
                    references.append((place, *_at(obj, target), each.kind.encode()))
        found[symbol.name] = bytes(code), references
    return found


def _data(obj: ObjectFile) -> Counter[tuple[str, bytes, tuple[Reference, ...]]]:
    """Each with its name and contents; several may have the same name."""
    found: Counter[tuple[str, bytes, tuple[Reference, ...]]] = Counter()
    for symbol, start in _defined(obj, code=False):
        contents, references = _contents(obj, start, symbol.size)
        found[_NUMBER.sub(r"\1", symbol.name), bytes(contents), tuple(references)] += 1
    return found


def _defined(obj: ObjectFile, code: bool) -> Iterator[tuple[Symbol, Address]]:
    """The definitions in an object's sections with code, or in its other sections."""
    for symbol in obj.symbols:
        at = symbol.address
        if at and symbol.size and (at.section in obj.executable) is code:
            yield symbol, at


def _contents(
    obj: ObjectFile, start: Address, size: int
) -> tuple[bytearray, list[Reference]]:
    """The bytes at an address, and what relocations fill in there."""
    end = start.offset + size
    filled = obj.relocations(start.section)
    own = (offset for offset in sorted(filled) if start.offset <= offset < end)
    references = [(at - start.offset, *_referred(obj, filled[at])) for at in own]
    return bytearray(obj.data(start.section)[start.offset : end]), references


def _referred(obj: ObjectFile, relocation: Relocation) -> tuple[str, int, bytes]:
    symbol, addend = relocation.symbol, relocation.addend
    if symbol.address is None or not symbol.local:
        return symbol.name, addend, b""
    section, offset = symbol.address
    if section in obj.executable:
        # The field of a call of x86 is relative to its end.
        end = 4 if obj.machine in (X86_64, I386) else 0
        return *_at(obj, Address(section, offset + addend + end)), b""
    name = obj.section_names[section]
    if section in obj.writable:
        return name, 0, b""
    start = max(offset + addend, 0)
    data = obj.data(section)[start : start + _COMPARED]
    return name, 0, data.partition(b"\0")[0] if ".str" in name else data


def _at(obj: ObjectFile, address: Address) -> tuple[str, int]:
    """The function at an address, and the offset in it."""
    function = obj.function_at(address)
    if function is None or function.address is None:
        return obj.section_names[address.section], 0
    return function.name, address.offset - function.address.offset


def plain(symbol: str) -> str:
    """A function's name without what gcc appends to it."""
    return _MADE.sub("", symbol.removesuffix(COLD))
