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
from hotcocci.tree.source import decode, lay, read

SYMBOLS = "System.map"
DEBUG = "vmlinux"
# The files of the folder of links that are real ones
_CHANGED = "changed.json"
_WARNINGS = "warnings.json"
_BEFORE = "before"
# What uname() says does not tell two builds apart.
_SAME_VERSION = ("KBUILD_BUILD_VERSION=1", "KBUILD_BUILD_TIMESTAMP=1970-01-01")
# Lines and columns of a compiler, offsets of objtool
_PLACE = re.compile(r"(?<=[\w.]):\d+(?::\d+)?|\+0x[0-9a-f]+")
# Folders of programs, and of the ramdisk that a kernel without one has
_OF_BUILD = frozenset({"scripts", "tools", "usr"})


@dataclass(frozen=True)
class Kernel:
    """What the kernels of a tree are built from.

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
    with _room(folder), locked(prepared.lock):
        if not (build.out / ".config").is_file():
            build.out.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(prepared.out / ".config", build.out / ".config")
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
    with _room(folder):
        changed = folder / _CHANGED
        before = json.loads(changed.read_text()) if changed.is_file() else []
        present = {f: kernel.tree / f for f in before if (kernel.tree / f).is_file()}
        own = {file: decode(read(path)) for file, path in present.items()}
        # make compares times of change, so a file keeps its own once it was changed.
        changed.write_text(json.dumps(sorted({*own, *texts})))
        lay(
            kernel.tree,
            {"Makefile": decode(read(kernel.tree / "Makefile"))} | own | dict(texts),
            build.tree,
        )
        targets = [kernel.machine.goal]
        if any(Path(file).name.startswith("Kconfig") for file in (*own, *texts)):
            # Or make would ask about new symbols.
            shutil.copyfile(kernel.prepared.out / ".config", build.out / ".config")
            targets = ["olddefconfig", *targets]
        outcome = make(build, ["-s", f"-j{jobs}", *_SAME_VERSION, *targets])
        warnings = _warnings(folder, outcome, own=not texts)
        if outcome.status != 0:
            if shutil.disk_usage(folder).free < FULL_BELOW:
                raise TryAgain(f"no space left in {folder}: free some")
            raise BuildError(f"the {name} kernel does not build: {_telling(outcome)}")
        boot, symbols, debug = (
            folder / f"{name}.{end}" for end in ("image", "map", DEBUG)
        )
        image = Image(boot, symbols, debug, warnings)
        shutil.copyfile(build.out / kernel.machine.image, image.boot)
        shutil.copyfile(build.out / SYMBOLS, image.symbols)
        # The linker writes a new file in place of the old one.
        image.debug.unlink(missing_ok=True)
        os.link(build.out / DEBUG, image.debug)
    return image


def _warnings(folder: Path, outcome: Outcome, own: bool) -> frozenset[str]:
    """The warnings of a build that no build of the tree's own files had; those are kept."""
    found = {
        _PLACE.sub("", line)
        for line in outcome.err.splitlines()
        if "warning:" in line.lower()
    }
    kept = folder / _WARNINGS
    known = set(json.loads(kept.read_text()) if kept.is_file() else [])
    if own:
        # make says them once, when it compiles a file.
        kept.write_text(json.dumps(sorted(known | found)))
    return frozenset(found - known)


def kept_objects(kernel: Kernel) -> dict[str, Path]:
    """Keep the objects of the last build beside those of the next; by their names below its folder."""
    place = kernel.folder / _BEFORE
    shutil.rmtree(place, ignore_errors=True)
    kept = {}
    for path in _objects(kernel):
        name = str(path.relative_to(kernel.build.out))
        kept[name] = place / name
        kept[name].parent.mkdir(parents=True, exist_ok=True)
        # A compiler writes a new file in place of the old one.
        os.link(path, kept[name])
    return kept


def rebuilt_objects(
    kernel: Kernel, kept: Mapping[str, Path]
) -> Iterator[tuple[Path | None, Path]]:
    """The objects that the last build wrote, before and after; the first is None for a new one."""
    for path in _objects(kernel):
        old = kept.get(str(path.relative_to(kernel.build.out)))
        if old is None or not os.path.samefile(old, path):
            yield old, path


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
        raise UserError(
            f"cannot build a kernel in {folder}: "
            + unwritable(error, "name another cache folder")
        ) from error


def _telling(outcome: Outcome) -> str:
    """The line of make's output that says why it failed."""
    lines = [line.strip() for line in (outcome.err + outcome.out).splitlines()]
    errors = [line for line in lines if "rror" in line or "undefined" in line]
    return next(iter(errors or lines), "no message from make")
