# SPDX-License-Identifier: GPL-2.0
"""A kernel for x86-64 as small as one can be that still runs KUnit and tells of it."""

from __future__ import annotations

from hotcocci.tree.target import Target

# Not among the targets that files are compiled for: most drivers say nothing in it.
X86_64_BOOT = Target(
    name="x86-64-boot",
    arch="x86_64",
    folder="x86",
    config="tinyconfig",
    on=(
        "64BIT",
        "KUNIT",
        # What a test has to say leaves the machine by the serial port.
        "TTY",
        "PRINTK",
        "SERIAL_8250",
        "SERIAL_8250_CONSOLE",
        # Names in the call trace of an Oops.
        "BUG",
        "KALLSYMS",
        # The compat entry points are where most runs of accesses live.
        "IA32_EMULATION",
        "COMPAT_32BIT_TIME",
        # Without it modules_prepare prepares nothing (Makefile).
        "MODULES",
    ),
    off=(
        "SMP",
        # A screen, a keyboard and terminals, which nobody sits at.
        "VT",
        "INPUT",
        "SERIO",
        "UNIX98_PTYS",
        "MICROCODE",
        "WERROR",
        # A test is compared on the same kernel; what slows down all others slows down this one.
        "CPU_MITIGATIONS",
        "MITIGATION_RETPOLINE",
        # Asks git for the state of the tree.
        "LOCALVERSION_AUTO",
        "DEBUG_INFO_BTF",
        "RUST",
    ),
    programs=("make", "flex", "bison", "bc", "perl", "objcopy"),
    packages="gcc make flex bison bc perl libelf-dev libssl-dev",
)
