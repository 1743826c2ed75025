# SPDX-License-Identifier: GPL-2.0
"""32-bit x86: windows as on x86-64, but objtool does not check them."""

from __future__ import annotations

from hotcocci.tree.target import Target

I386 = Target(
    name="i386",
    arch="i386",
    folder="x86",
    bits=32,
    config="i386_defconfig",
    on=(
        "VM86",
        "X86_LEGACY_VM86",
        "VIRTUALIZATION",
        "KVM",
        "SOUND",
        "SND",
        "SND_DRIVERS",
        "SND_DUMMY",
        "DEBUG_INFO_NONE",
    ),
    off=("WERROR", "DEBUG_INFO_BTF", "MODULE_SIG", "RUST"),
    packages="gcc make flex bison bc perl libelf-dev libssl-dev",
    routines=(
        "arch/x86/lib/getuser.S",
        "arch/x86/lib/putuser.S",
        "arch/x86/lib/usercopy_32.c",
        "lib/usercopy.c",
    ),
)
