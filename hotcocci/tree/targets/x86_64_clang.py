# SPDX-License-Identifier: GPL-2.0
"""The kernel of x86_64.py as clang compiles it, for the clang-tidy plugin."""

from __future__ import annotations

import dataclasses

from hotcocci.tree.targets.x86_64 import X86_64

X86_64_CLANG = dataclasses.replace(
    X86_64,
    name="x86-64-clang",
    cc="clang-19",
    # Structures whose members clang puts in random order say nothing about offsets.
    on=(*X86_64.on, "RANDSTRUCT_NONE"),
    # The gcc build has it already.
    objtool=False,
    packages="binutils clang-19 gcc make flex bison bc perl libelf-dev libssl-dev",
)
