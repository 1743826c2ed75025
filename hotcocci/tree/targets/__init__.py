# SPDX-License-Identifier: GPL-2.0
"""The targets that files can be compiled for: a data file for each kernel, the same by clang, and this machine."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomllib

from hotcocci.records import rebuilt

CLANG = "clang-19"


@dataclass(frozen=True)
class Target:
    """One architecture and configuration that files are compiled for.

    ``arch`` and ``cross_compile`` are kbuild's ARCH= and CROSS_COMPILE=, ``folder`` is the architecture's
    directory in arch/. ``config`` is the make target that writes the initial .config, ``on`` and ``off`` are
    symbols (without CONFIG_) to force; it is no error if a tree lacks or still selects one. ``probe`` is a source
    file that all configurations build, from whose command the flags of sparse and objtool are taken. Without
    ``config``, nothing is configured, and ``checkflags`` are passed to sparse before the compiler's flags. ``cc``
    is the compiler if not gcc; binutils stay the same. ``routines`` are files with out-of-line accessors, callees
    first. ``programs`` are needed in addition to compiler and linker; ``packages`` are the Debian packages for all
    of them. ``bits`` is the width of a pointer. ``order`` is the target's place in lists. ``guard`` is what keeps
    the kernel from user memory, which windows open. Of what is not ``compared``, code is compiled, and never
    proven.
    """

    name: str
    arch: str
    folder: str
    config: str
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    cross_compile: str = ""
    objtool: bool = False
    probe: str = "init/main.c"
    checkflags: tuple[str, ...] = ()
    programs: tuple[str, ...] = ("make", "flex", "bison", "bc", "perl")
    packages: str = "gcc make flex bison bc perl"
    # Not part of repr(), which names a build, so that builds made before these fields stay valid.
    cc: str = field(default="", repr=False)
    bits: int = field(default=64, repr=False)
    routines: tuple[str, ...] = field(default=(), repr=False)
    order: int = field(default=0, repr=False)
    guard: str = field(default="", repr=False)
    compared: bool = field(default=True, repr=False)


def _read() -> list[Target]:
    """The kernels of the data files."""
    files = Path(__file__).parent.glob("*.toml")
    read = (rebuilt(Target, tomllib.loads(f.read_text("utf-8"))) for f in files)
    return sorted(read, key=lambda target: target.order)


def _with_clang(target: Target) -> Target:
    """The same kernel, compiled by clang for the clang-tidy plugin; binutils are still GNU's."""
    return replace(
        target,
        name=f"{target.name}-clang",
        cc=CLANG,
        # Randomized structures have meaningless offsets.
        on=(*target.on, "RANDSTRUCT_NONE"),
        # Objects are checked in the gcc build.
        objtool=False,
        packages=f"{CLANG} {target.packages}",
    )


# Kernels whose object code shows where user access is open.
KERNELS = tuple(_read())
X86_64 = KERNELS[0]
CLANG_KERNELS = tuple(map(_with_clang, KERNELS))


def guarded(name: str) -> str:
    """A target as figures name it: "x86-64 with SMAP"."""
    guards = (target.guard for target in KERNELS if target.name == name)
    guard = next(guards, "")
    return f"{name} with {guard}" if guard else name


# 32 bits and big endian, with everything as a module: what depends on width or byte order shows.
POWERPC_32 = replace(
    next(target for target in KERNELS if target.name == "powerpc-book3s32"),
    name="powerpc-32",
    config="ppc32_allmodconfig",
    on=("PPC_KUAP", "DEBUG_INFO_NONE"),
    # As there: instrumentation, and what only linking needs.
    off=(
        *X86_64.off,
        "PPC_WERROR",
        "PPC_KUAP_DEBUG",
        # Each function would be in a section of its own.
        "LD_DEAD_CODE_DATA_ELIMINATION",
    ),
)

# Not compiled: its user_access_begin() is access_ok(), and each access opens user access (arch/arm/include/asm/uaccess.h).
ARM_32 = Target(name="arm", arch="arm", folder="arm", config="", bits=32)

# A tree that is not a whole kernel is compiled by its own Makefile. It has no configuration and no objtool.
HOST = Target(
    name="host",
    arch="",
    folder="",
    config="",
    programs=("make",),
    # The architecture-independent part of CHECKFLAGS in the kernel's Makefile.
    checkflags=("-D__linux__", "-Dlinux", "-D__STDC__", "-Dunix", "-D__unix__"),
    packages="gcc make",
)

TARGETS: dict[str, Target] = {
    target.name: target for target in (*KERNELS, POWERPC_32, *CLANG_KERNELS, HOST)
}
# The name of a file that only 64-bit kernels have. Code for 32 bits may be theirs, too, for compat.
_FOR_64_BITS = re.compile(r"_64[._]")
# Their names on the command line, and the word for all of them
NAMES = tuple(target.name for target in KERNELS)
ALL = "all"


def usual(tree: Path) -> Target:
    """The default target of a tree: x86-64, or this machine if it is not a whole kernel."""
    return X86_64 if (tree / "scripts/kconfig").is_dir() else HOST


def compiled_for(file: str, everywhere: bool = False) -> tuple[Target, ...]:
    """The kernels to compile a file for, by its name alone.

    A file in arch/ is compiled for all targets of its architecture, which may open user access
    in different ways, unless its name says that it is for 64 bits; any other file for x86-64, or for
    all with ``everywhere``. Empty for an architecture without a target.
    """
    parts = file.split("/")
    if parts[0] == "arch" and len(parts) > 2:
        least = 64 if _FOR_64_BITS.search(parts[-1]) else 32
        return tuple(t for t in KERNELS if t.folder == parts[1] and t.bits >= least)
    return KERNELS if everywhere else (X86_64,)


def among(names: Sequence[str], file: str) -> tuple[Target, ...]:
    """The named kernels that a file of the tree can be compiled for."""
    wanted = {*NAMES} if ALL in names else {*names}
    return tuple(t for t in compiled_for(file, everywhere=True) if t.name in wanted)


def clang_for(file: str) -> tuple[Target, ...]:
    """The clang kernels to run clang-tidy on a file with, by its name alone.

    All of an architecture, as some files are only built for one of them. Empty for an
    architecture without a target.
    """
    parts = file.split("/")
    if parts[0] == "arch" and len(parts) > 2:
        return tuple(t for t in CLANG_KERNELS if t.folder == parts[1])
    return CLANG_KERNELS[:1]
