# SPDX-License-Identifier: GPL-2.0
"""PowerPC with hash MMU, 32 bit, big endian: segment registers lock user memory for writing only."""

from __future__ import annotations

from hotcocci.tree.target import Target

POWERPC_BOOK3S32 = Target(
    name="powerpc-book3s32",
    arch="powerpc",
    folder="powerpc",
    bits=32,
    config="pmac32_defconfig",
    on=(
        "PPC_KUAP",
        "IO_URING",
        "CHECKPOINT_RESTORE",
        "SOUND",
        "SND",
        "SND_DRIVERS",
        "SND_DUMMY",
        "DEBUG_INFO_NONE",
    ),
    off=("WERROR", "PPC_WERROR", "DEBUG_INFO_BTF", "MODULE_SIG", "RUST"),
    cross_compile="powerpc-linux-gnu-",
    packages="gcc gcc-powerpc-linux-gnu make flex bison bc perl libssl-dev",
    routines=(
        "arch/powerpc/lib/copy_32.S",
        "lib/usercopy.c",
    ),
)
