# SPDX-License-Identifier: GPL-2.0
"""A minimal x86-64 kernel that boots and runs KUnit."""

from __future__ import annotations

from hotcocci.tree.target import Target

# Not in TARGETS: it builds few files.
X86_64_BOOT = Target(
    name="x86-64-boot",
    arch="x86_64",
    folder="x86",
    config="tinyconfig",
    on=(
        "64BIT",
        "KUNIT",
        # Test output goes to the serial port.
        "TTY",
        "PRINTK",
        "SERIAL_8250",
        "SERIAL_8250_CONSOLE",
        # Symbol names in an oops.
        "BUG",
        "KALLSYMS",
        # Most sequences of accesses are in compat entry points.
        "IA32_EMULATION",
        "COMPAT_32BIT_TIME",
        # modules_prepare does nothing without it.
        "MODULES",
    ),
    off=(
        "SMP",
        # Screen, keyboard and terminals are not used.
        "VT",
        "INPUT",
        "SERIO",
        "UNIX98_PTYS",
        "MICROCODE",
        "WERROR",
        # Not needed: results are compared on the same kernel.
        "CPU_MITIGATIONS",
        "MITIGATION_RETPOLINE",
        # Runs git on the tree.
        "LOCALVERSION_AUTO",
        "DEBUG_INFO_BTF",
        "RUST",
    ),
    programs=("make", "flex", "bison", "bc", "perl", "objcopy"),
    packages="gcc make flex bison bc perl libelf-dev libssl-dev",
)
