# SPDX-License-Identifier: GPL-2.0
"""Build the test kernel once per tree, and link it with the functions to test.

It is built out of tree, from a folder of links to the tree that has one more folder in lib/kunit/.
The tree is not written to.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hotcocci.errors import EngineError, UserError
from hotcocci.proof.boot.subject import Subject, tool
from hotcocci.proof.boot.table import table
from hotcocci.tree.build import Build, locked, make, prepare
from hotcocci.tree.overlay import lay
from hotcocci.tree.process import Outcome
from hotcocci.tree.source import decode, read
from hotcocci.tree.targets.x86_64_boot import X86_64_BOOT

KUNIT = "lib/kunit/Makefile"
OWN = "lib/kunit/hotcocci"
IMAGE = "arch/x86/boot/bzImage"
HERE = Path(__file__).parent
DRIVER = ("driver.c", "objects.c", "judge.c", "driver.h", "run.h")
READY = "ready"


class NoKernel(EngineError):
    """The test kernel cannot be built from this tree; the message says why."""


@dataclass(frozen=True)
class Kernel:
    """A test kernel that has been built.

    ``build`` has the same configuration in the tree itself and compiles the tested files;
    ``linked`` builds the kernel from the folder of links.
    """

    build: Build
    linked: Build


def prepare_kernel(tree: Path, cache: Path, jobs: int) -> Kernel:
    """Return the test kernel of a tree; building it the first time takes minutes.

    Raises NoKernel if the tree does not support it, BuildError if a program is missing, and
    UserError if there is no room.
    """
    header = tree / "include/kunit/test.h"
    if not header.is_file() or "kunit_vm_mmap" not in header.read_text("latin-1"):
        raise NoKernel("this tree's KUnit cannot map user memory (no kunit_vm_mmap())")
    build = prepare(tree, X86_64_BOOT, cache, jobs)
    folder = build.out.parent / "kernel"
    kernel = Kernel(build, replace(build, tree=folder / "tree", out=folder / "out"))
    try:
        with locked(build.lock):
            if not (folder / READY).exists():
                shutil.rmtree(folder, ignore_errors=True)
                _lay(build, kernel.linked)
                _make(kernel.linked, jobs)
                (folder / READY).touch()
    except OSError as error:
        raise UserError(
            f"cannot build a kernel in {folder}: {error.strerror or error}: "
            "free some space there or name another cache folder"
        ) from error
    return kernel


def link(kernel: Kernel, subjects: Sequence[Subject], image: Path, jobs: int) -> None:
    """Link a kernel that tests the subjects at boot, and write it to ``image``.

    Raises NoKernel if it cannot be linked.
    """
    own = kernel.linked.tree / OWN
    # The rest of the kernel is shared, so link one at a time; ``image`` is the caller's.
    with locked(kernel.build.lock):
        _driver(own, subjects)
        # Functions of one file may share objects.
        objects = dict.fromkeys(str(o) for s in subjects for o in s.objects)
        shipped = str(own / "subjects.o_shipped")
        said = tool(kernel.build, ["ld", "-r", "-o", shipped, *objects])
        if said:
            raise NoKernel(f"the functions cannot be linked: {said.splitlines()[0]}")
        _make(kernel.linked, jobs)
        shutil.copyfile(kernel.linked.out / IMAGE, image)


def _lay(build: Build, linked: Build) -> None:
    makefile = decode(read(build.tree / KUNIT))
    lay(
        build.tree,
        {
            KUNIT: f"{makefile}\nobj-y += {Path(OWN).name}/\n",
            f"{OWN}/Makefile": "",
        },
        linked.tree,
    )
    _driver(linked.tree / OWN, ())
    linked.out.mkdir()
    shutil.copyfile(build.out / ".config", linked.out / ".config")


def _driver(own: Path, subjects: Sequence[Subject]) -> None:
    """Write the driver's folder; unchanged files keep their mtime."""
    objects = "driver.o objects.o judge.o table.o" + " subjects.o" * bool(subjects)
    texts = {name: (HERE / name).read_text("ascii") for name in DRIVER}
    texts |= {
        "table.c": table([s.caller for s in subjects]),
        "Makefile": f"obj-y += {objects}\n",
    }
    for name, text in texts.items():
        path = own / name
        if not path.exists() or path.read_text("ascii") != text:
            path.write_text(text, "ascii")


def _make(linked: Build, jobs: int) -> None:
    outcome = make(linked, ["-s", f"-j{jobs}", "bzImage"])
    if outcome.status != 0:
        raise NoKernel(f"the test kernel does not build: {_telling(outcome)}")


def _telling(outcome: Outcome) -> str:
    """The line of make's output that says why it failed."""
    lines = [line.strip() for line in (outcome.err + outcome.out).splitlines()]
    errors = [line for line in lines if "rror" in line or "undefined" in line]
    return next(iter(errors or lines), "no message from make")
