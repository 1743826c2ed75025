# SPDX-License-Identifier: GPL-2.0
"""ARM64 with PAN emulated in software: windows write TTBR0_EL1."""

from __future__ import annotations

from hotcocci.tree.target import Target

ARM64 = Target(
    name="arm64",
    arch="arm64",
    folder="arm64",
    config="defconfig",
    on=(
        "ARM64_SW_TTBR0_PAN",
        "COMPAT",
        "SOUND",
        "SND",
        "SND_DRIVERS",
        "SND_DUMMY",
        "DEBUG_INFO_NONE",
    ),
    off=("WERROR", "DEBUG_INFO_BTF", "MODULE_SIG", "RUST"),
    cross_compile="aarch64-linux-gnu-",
    packages="gcc gcc-aarch64-linux-gnu make flex bison bc perl libssl-dev",
    routines=(
        "arch/arm64/lib/copy_from_user.S",
        "arch/arm64/lib/copy_to_user.S",
        "lib/usercopy.c",
    ),
)
