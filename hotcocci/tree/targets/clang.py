# SPDX-License-Identifier: GPL-2.0
"""The same kernels compiled by clang, for the clang-tidy plugin.

They still use GNU binutils, so only the compiler must be installed.
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
        # Randomized structures have meaningless offsets.
        on=(*target.on, "RANDSTRUCT_NONE"),
        # Objects are checked in the gcc build.
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
