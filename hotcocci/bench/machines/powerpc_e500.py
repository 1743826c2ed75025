# SPDX-License-Identifier: GPL-2.0
"""PowerPC e500mc, 32 bit, big endian: windows write the PID register, much as those of 8xx write MD_AP."""

from __future__ import annotations

from hotcocci.bench.machine import OFF, ON, Machine
from hotcocci.tree.targets import Target

_TARGET = Target(
    name="powerpc-e500-bench",
    arch="powerpc",
    folder="powerpc",
    bits=32,
    config="tinyconfig",
    on=(
        *ON,
        "PPC_85xx",
        "PPC_E500MC",
        "FSL_SOC_BOOKE",
        "PPC_QEMU_E500",
        "PPC_KUAP",
        # The registers of the machine are above 4 GiB (hw/ppc/e500plat.c of QEMU).
        "PHYS_64BIT",
        "PPC_DISABLE_WERROR",
        # Times of 32 bits, as its C library has them
        "COMPAT_32BIT_TIME",
        "SERIAL_8250",
        "SERIAL_8250_CONSOLE",
        "SERIAL_OF_PLATFORM",
    ),
    off=(*OFF, "PPC_BOOK3S_32"),
    cross_compile="powerpc-linux-gnu-",
    packages="qemu-system-ppc gcc gcc-powerpc-linux-gnu libc6-dev-powerpc-cross make flex bison bc perl cpio libssl-dev",
)

POWERPC_E500 = Machine(
    name="powerpc-e500",
    native="ppc",
    target=_TARGET,
    goal="vmlinux",
    image="vmlinux",
    qemu=("qemu-system-ppc", "-M", "ppce500", "-cpu", "e500mc"),
    append="console=ttyS0",
    kernel=0xC0000000,
)
