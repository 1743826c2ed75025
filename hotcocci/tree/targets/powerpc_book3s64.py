# SPDX-License-Identifier: GPL-2.0
"""PowerPC with radix or hash MMU, 64 bit, little endian: the AMR locks reads and writes separately."""

from __future__ import annotations

from hotcocci.tree.target import Target

POWERPC_BOOK3S64 = Target(
    name="powerpc-book3s64",
    arch="powerpc",
    folder="powerpc",
    config="ppc64le_defconfig",
    on=(
        "PPC_KUAP",
        "COMPAT",
        "SOUND",
        "SND",
        "SND_DRIVERS",
        "SND_DUMMY",
        "DEBUG_INFO_NONE",
    ),
    off=("WERROR", "PPC_WERROR", "DEBUG_INFO_BTF", "MODULE_SIG", "RUST"),
    cross_compile="powerpc64le-linux-gnu-",
    packages="gcc gcc-powerpc64le-linux-gnu make flex bison bc perl libssl-dev",
    routines=(
        "arch/powerpc/lib/copyuser_64.S",
        "lib/usercopy.c",
    ),
)
