# SPDX-License-Identifier: GPL-2.0
"""PowerPC 8xx, where opening and closing a window costs most: 32 bit, big endian, KUAP."""

from __future__ import annotations

from hotcocci.tree.target import Target

POWERPC_8XX = Target(
    name="powerpc-8xx",
    arch="powerpc",
    folder="powerpc",
    bits=32,
    config="mpc885_ads_defconfig",
    # For sound/core/pcm_native.c, the origin of UA101; SND_PCM is only selected by drivers.
    on=("PPC_KUAP", "SOUND", "SND", "SND_DRIVERS", "SND_DUMMY", "DEBUG_INFO_NONE"),
    off=("WERROR", "PPC_WERROR", "DEBUG_INFO_BTF", "MODULE_SIG", "RUST"),
    cross_compile="powerpc-linux-gnu-",
    packages="gcc gcc-powerpc-linux-gnu make flex bison bc perl libssl-dev",
    routines=(
        "arch/powerpc/lib/copy_32.S",
        "lib/usercopy.c",
    ),
)
