# SPDX-License-Identifier: GPL-2.0
"""List the external programs: where they are, what they are needed for, how to install them."""

import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.engines import smatch
from hotcocci.errors import UserError
from hotcocci.layout import PROGRAM
from hotcocci.machine import costs
from hotcocci.tree.process import run
from hotcocci.tree.source import encode, readable

INCLUDES = Path("/usr/include")


@dataclass(frozen=True)
class Program:
    """An external program, or a library if ``header`` is set.

    ``lost`` is what does not work without it, ``get`` how to install it, empty if Debian's package has its
    name; ``version`` are the arguments that print its version. Nothing works without a ``needed`` one. ``tested``
    are the versions that the tests were run with, if results depend on it. ``problem`` returns why the one
    that was found cannot be used.
    """

    name: str
    lost: str
    get: str = ""
    version: Sequence[str] = ("--version",)
    needed: bool = False
    header: str | None = None
    tested: Sequence[str] = ()
    problem: Callable[[], str] = str

    @property
    def remedy(self) -> str:
        """The command that installs it."""
        return self.get or f"apt-get install {self.name}"


@dataclass(frozen=True)
class Found:
    """A program with its path and version; None if not found.

    ``problem`` is why it cannot be used, empty if it can.
    """

    program: Program
    path: str | None
    version: str | None
    problem: str = ""


PROGRAMS = (
    Program(
        "spatch",
        "everything: no file can be checked",
        "apt-get install coccinelle",
        needed=True,
        tested=("1.1.1",),
    ),
    Program("git", "series, and --diff-base"),
    Program("gh", "series --pull-requests on GitHub"),
    Program(
        "glab", "series --pull-requests on GitLab", "see https://docs.gitlab.com/cli"
    ),
    Program(
        "gcc",
        "lint, patch and why, unless there is cc or clang; the compile check before a patch is printed",
        "apt-get install gcc libc6-dev",
        needed=not any(map(shutil.which, ("cc", "clang"))),
    ),
    Program("make", "building the kernel for the compile check"),
    Program("flex", "configuring the kernel for the compile check"),
    Program("bison", "configuring the kernel for the compile check"),
    Program("bc", "preparing the kernel for the compile check"),
    Program(
        "libelf",
        "objtool, which checks user access windows in objects",
        "apt-get install libelf-dev",
        header="/usr/include/libelf.h",
    ),
    Program(
        "libssl",
        "building kernels that sign their modules",
        "apt-get install libssl-dev",
        header="/usr/include/openssl/opensslv.h",
    ),
    Program(
        "qemu-system-x86_64",
        "bench, except with --native",
        "apt-get install qemu-system-x86",
    ),
    Program("sparse", "the address space check before a patch is printed"),
    Program(
        costs.llvm_mca() or "llvm-mca",
        "issue rates of code on processors in 'cycles saved', which are estimated instead",
        "apt-get install llvm",
    ),
    Program("perl", "checkpatch.pl before a patch is printed"),
    Program(
        "powerpc-linux-gnu-gcc",
        "comparing patches with 32 bits, counting instructions on powerpc, window rules in its machine code",
        "apt-get install gcc-powerpc-linux-gnu",
    ),
    Program(
        "powerpc64le-linux-gnu-gcc",
        "window rules in the machine code of 64-bit powerpc",
        "apt-get install gcc-powerpc64le-linux-gnu",
    ),
    Program(
        "aarch64-linux-gnu-gcc",
        "window rules in the machine code of arm64",
        "apt-get install gcc-aarch64-linux-gnu",
    ),
    Program(
        "clang-tidy-19",
        "window rules that need types and ranges",
        "apt-get install clang-19 clang-tidy-19 libclang-19-dev",
    ),
    Program(
        "smatch",
        "window rules that follow the state along paths",
        f"build it from https://repo.or.cz/smatch.git after '{PROGRAM} checkers install --smatch DIR'",
        problem=smatch.problem,
    ),
)


def look(programs: Sequence[Program] = PROGRAMS) -> list[Found]:
    """Look for each program."""
    places = _places()
    return [_look_for(program, places) for program in programs]


def _look_for(program: Program, places: str) -> Found:
    if program.header is not None:
        # Multiarch headers are in a directory named after the machine.
        name = Path(program.header).relative_to(INCLUDES)
        folders = (INCLUDES, *INCLUDES.glob("*-linux-gnu"))
        headers = (folder / name for folder in folders)
        path = next((str(place) for place in headers if place.is_file()), None)
        return Found(program, path, None)
    where = shutil.which(program.name, path=places)
    if where is None:
        return Found(program, None, None)
    return Found(program, where, _version(where, program.version), program.problem())


def _places() -> str:
    """The search path: PATH, and git's directory for its own programs."""
    git = shutil.which("git")
    own = [os.fsdecode(encode(_said([git, "--exec-path"]))).strip()] if git else []
    return os.pathsep.join([os.environ.get("PATH", os.defpath), *own])


def _version(path: str, arguments: Sequence[str]) -> str | None:
    """The version a program prints; None if it prints none."""
    number = re.search(r"\bv?(\d+(?:\.\d+)+\S*)", _said([path, *arguments]))
    return readable(number[1]).rstrip(",;)") if number else None


def _said(argv: Sequence[str]) -> str:
    """What a program prints in ten seconds; empty if it cannot be started."""
    try:
        # Not here: spatch and git read files of the folder they are in.
        outcome = run(argv, Path("/"), 10, asleep=10)
    except (OSError, UserError):
        return ""
    return outcome.out + outcome.err
