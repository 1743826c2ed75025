# SPDX-License-Identifier: GPL-2.0
"""x86-64, whose 32-bit entry 64-bit programs can reach, too."""

from __future__ import annotations

from hotcocci.bench.machine import Machine
from hotcocci.tree.targets import Target

_TARGET = Target(
    name="x86-64-bench",
    arch="x86_64",
    folder="x86",
    config="tinyconfig",
    on=(
        "64BIT",
        "PRINTK",
        "TTY",
        "SERIAL_8250",
        "SERIAL_8250_CONSOLE",
        "BINFMT_ELF",
        "BLK_DEV_INITRD",
        "PROC_FS",
        "SYSFS",
        "DEVTMPFS",
        "HIGH_RES_TIMERS",
        "BUG",
        "CC_OPTIMIZE_FOR_PERFORMANCE",
        # xz takes seven seconds of each build, gzip one.
        "KERNEL_GZIP",
        # The line of each instruction; it changes no code.
        "DEBUG_KERNEL",
        "DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT",
        "DEBUG_INFO_REDUCED",
        # modules_prepare does nothing without it.
        "MODULES",
    ),
    off=(
        # A second processor would make the order of instructions depend on more than the program.
        "SMP",
        "CC_OPTIMIZE_FOR_SIZE",
        "KERNEL_XZ",
        "VT",
        "INPUT",
        "SERIO",
        "UNIX98_PTYS",
        "MICROCODE",
        "WERROR",
        # Runs git on the tree.
        "LOCALVERSION_AUTO",
        "DEBUG_INFO_BTF",
        "DEBUG_INFO_NONE",
        "DEBUG_MISC",
        "RUST",
    ),
    programs=("make", "flex", "bison", "bc", "perl", "objcopy"),
    packages="gcc make flex bison bc perl libelf-dev libssl-dev",
)

X86_64 = Machine(
    native="x86_64",
    target=_TARGET,
    goal="bzImage",
    image="arch/x86/boot/bzImage",
    # "-cpu max" has SMAP.
    qemu=("qemu-system-x86_64", "-M", "pc", "-cpu", "max"),
    package="qemu-system-x86",
    # Without the calibration of the time stamp counter
    append="console=ttyS0 tsc=reliable",
    compilers="gcc libc6-dev",
)
