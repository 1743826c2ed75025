# SPDX-License-Identifier: GPL-2.0
"""Build a small kernel of a tree once, and again with files changed, which takes seconds.

It is built out of tree, from a folder of links to the tree in which changed files are real ones. The
tree is not written to.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.bench.catalogue import Machine, of_machine
from hotcocci.errors import TryAgain, UserError, unwritable
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
    return [
        path
        for path in out.rglob("*.o")
        if path.parent != out and path.relative_to(out).parts[0] not in _OF_BUILD
    ]


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
