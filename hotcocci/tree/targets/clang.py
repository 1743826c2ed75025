# SPDX-License-Identifier: GPL-2.0
"""The kernels of the other files as clang compiles them, for the clang-tidy plugin.

GNU binutils stay, so that nothing has to be installed but the compiler.
"""

from __future__ import annotations

import dataclasses

from hotcocci.tree.target import Target
from hotcocci.tree.targets.arm64 import ARM64
from hotcocci.tree.targets.i386 import I386
from hotcocci.tree.targets.powerpc_8xx import POWERPC_8XX
from hotcocci.tree.targets.powerpc_book3s32 import POWERPC_BOOK3S32
from hotcocci.tree.targets.powerpc_book3s64 import POWERPC_BOOK3S64
from hotcocci.tree.targets.x86_64 import X86_64

CC = "clang-19"


def with_clang(target: Target) -> Target:
    """The same kernel, compiled by clang."""
    return dataclasses.replace(
        target,
        name=f"{target.name}-clang",
        cc=CC,
        # Structures whose members clang puts in random order say nothing about offsets.
        on=(*target.on, "RANDSTRUCT_NONE"),
        # The build by gcc has the objects.
        objtool=False,
        packages=f"{CC} {target.packages}",
    )


X86_64_CLANG = with_clang(X86_64)
I386_CLANG = with_clang(I386)
ARM64_CLANG = with_clang(ARM64)
POWERPC_8XX_CLANG = with_clang(POWERPC_8XX)
POWERPC_BOOK3S32_CLANG = with_clang(POWERPC_BOOK3S32)
POWERPC_BOOK3S64_CLANG = with_clang(POWERPC_BOOK3S64)

CLANG_KERNELS = (
    X86_64_CLANG,
    I386_CLANG,
    ARM64_CLANG,
    POWERPC_BOOK3S64_CLANG,
    POWERPC_BOOK3S32_CLANG,
    POWERPC_8XX_CLANG,
)
