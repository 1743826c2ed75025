# SPDX-License-Identifier: GPL-2.0
"""What a build target is; the targets themselves are data files in targets/."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """One architecture and configuration that files are compiled for.

    ``arch`` and ``cross_compile`` are kbuild's ARCH= and CROSS_COMPILE=, ``folder`` is
    the architecture's folder in arch/. ``config`` is the make target that writes the first
    .config, ``on`` and ``off`` the symbols (without CONFIG_) that are then forced; a symbol
    that a tree does not have, or selects all the same, is not an error. ``probe`` is a
    source file that every configuration builds: the flags of the outside programs are
    read off its command. Without ``config`` nothing is configured and nothing is read
    off; ``checkflags`` are then what sparse gets before the compiler's flags.
    ``cc`` is the compiler if it is another than the cross-compiling gcc; the binutils stay.
    ``routines`` are the files whose functions access user memory for inline code, callees first.
    ``programs`` are needed besides compiler and linker, ``packages`` holds all of them.
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
    # Not in the text that names a build: builds from before there was a choice stay valid.
    cc: str = field(default="", repr=False)
    routines: tuple[str, ...] = field(default=(), repr=False)
