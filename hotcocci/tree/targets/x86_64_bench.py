# SPDX-License-Identifier: GPL-2.0
"""A small x86-64 kernel that boots under QEMU, to count the instructions of system calls."""

from __future__ import annotations

from hotcocci.tree.target import Target

# Not in TARGETS: it builds few files. The operations of hotcocci/bench/ add the options that they need.
X86_64_BENCH = Target(
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
