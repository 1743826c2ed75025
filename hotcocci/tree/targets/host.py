# SPDX-License-Identifier: GPL-2.0
"""This machine, for a tree that is not a whole kernel and is compiled by its own Makefile.

Such a tree has no configuration and no objtool.
"""

from __future__ import annotations

from hotcocci.tree.target import Target

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
