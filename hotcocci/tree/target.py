# SPDX-License-Identifier: GPL-2.0
"""Build targets; targets/ has one data file for each."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Target:
    """One architecture and configuration that files are compiled for.

    ``arch`` and ``cross_compile`` are kbuild's ARCH= and CROSS_COMPILE=, ``folder`` is the
    architecture's directory in arch/. ``config`` is the make target that writes the initial
    .config, ``on`` and ``off`` are symbols (without CONFIG_) to force; it is no error if a tree
    lacks or still selects one. ``probe`` is a source file that all configurations build, from
    whose command the flags of sparse and objtool are taken. Without ``config``, nothing is
    configured, and ``checkflags`` are passed to sparse before the compiler's flags. ``cc`` is
    the compiler if not gcc; binutils stay the same. ``routines`` are files with out-of-line
    accessors, callees first. ``programs`` are needed in addition to compiler and linker;
    ``packages`` are the Debian packages for all of them. ``bits`` is the width of a pointer.
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
