# SPDX-License-Identifier: GPL-2.0
"""This machine, for a tree that is no whole kernel: its own Makefile says how to compile.

Such a tree has nothing to configure, and no program of its own to be asked about.
"""

from __future__ import annotations

from hotcocci.tree.target import Target

HOST = Target(
    name="host",
    arch="",
    folder="",
    config="",
    programs=("make",),
    # What kbuild passes (CHECKFLAGS in the Makefile) and does not depend on the architecture.
    checkflags=("-D__linux__", "-Dlinux", "-D__STDC__", "-Dunix", "-D__unix__"),
    packages="gcc make",
)
