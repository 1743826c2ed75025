# SPDX-License-Identifier: GPL-2.0
"""The small kernel: built once for a tree, then linked again with what is to be called.

It is built out of tree from a folder of links to the tree, in which lib/kunit/ has one
folder more; the tree is not written to.
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
from hotcocci.tree.source import decode
from hotcocci.tree.targets.x86_64_boot import X86_64_BOOT

KUNIT = "lib/kunit/Makefile"
OWN = "lib/kunit/hotcocci"
IMAGE = "arch/x86/boot/bzImage"
HERE = Path(__file__).parent
DRIVER = ("driver.c", "objects.c", "judge.c", "driver.h", "run.h")
READY = "ready"


class NoKernel(EngineError):
    """This tree cannot be booted; the message says why."""


@dataclass(frozen=True)
class Kernel:
    """A small kernel that is built.

    ``build`` is one of the same configuration from the tree itself, whose commands compile the
    files; ``linked`` the one from the folder of links, in which the kernel is made.
    """

    build: Build
    linked: Build


def prepare_kernel(tree: Path, cache: Path, jobs: int) -> Kernel:
    """The small kernel of a tree, built now if it is not there yet, which takes minutes.

    Raises NoKernel if the tree cannot be made one of, BuildError if a program is missing.
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
    """Make a kernel that tests the subjects when it boots, as the file ``image``.

    Raises NoKernel if it cannot be linked.
    """
    own = kernel.linked.tree / OWN
    # One at a time, as they share the rest of the kernel; the image is the caller's own.
    with locked(kernel.build.lock):
        _driver(own, subjects)
        # Functions of one file may share their objects.
        objects = dict.fromkeys(str(o) for s in subjects for o in s.objects)
        shipped = str(own / "subjects.o_shipped")
        said = tool(kernel.build, ["ld", "-r", "-o", shipped, *objects])
        if said:
            raise NoKernel(f"the functions cannot be linked: {said.splitlines()[0]}")
        _make(kernel.linked, jobs)
        shutil.copyfile(kernel.linked.out / IMAGE, image)


def _lay(build: Build, linked: Build) -> None:
    makefile = decode((build.tree / KUNIT).read_bytes())
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
    """Write our folder of the kernel; files that stay the same keep their times."""
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
    """The line that says why make failed."""
    if outcome.status is None:
        return "make took too long"
    lines = [line.strip() for line in (outcome.err + outcome.out).splitlines()]
    errors = [line for line in lines if "rror" in line or "undefined" in line]
    return next(iter(errors or lines), "no message from make")
