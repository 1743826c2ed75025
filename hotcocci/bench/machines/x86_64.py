# SPDX-License-Identifier: GPL-2.0
"""x86-64, whose 32-bit entry 64-bit programs can reach, too."""

from __future__ import annotations

from hotcocci.bench.machine import OFF, ON, Machine
from hotcocci.tree.targets import Target

_TARGET = Target(
    name="x86-64-bench",
    arch="x86_64",
    folder="x86",
    config="tinyconfig",
    on=(
        *ON,
        "64BIT",
        "SERIAL_8250",
        "SERIAL_8250_CONSOLE",
        # xz takes seven seconds of each build, gzip one.
        "KERNEL_GZIP",
    ),
    off=(*OFF, "KERNEL_XZ", "MICROCODE"),
    programs=("make", "flex", "bison", "bc", "perl", "objcopy"),
    packages="qemu-system-x86 gcc libc6-dev make flex bison bc perl cpio libelf-dev libssl-dev",
)

X86_64 = Machine(
    name="x86-64",
    native="x86_64",
    target=_TARGET,
    goal="bzImage",
    image="arch/x86/boot/bzImage",
    # "-cpu max" has SMAP.
    qemu=("qemu-system-x86_64", "-M", "pc", "-cpu", "max"),
    # Without the calibration of the time stamp counter
    append="console=ttyS0 tsc=reliable",
)
