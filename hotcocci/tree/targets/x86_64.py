# SPDX-License-Identifier: GPL-2.0
"""x86-64 with everything built in, and objtool able to look at single objects."""

from __future__ import annotations

from hotcocci.tree.target import Target

X86_64 = Target(
    name="x86-64",
    arch="x86_64",
    folder="x86",
    config="allyesconfig",
    on=(
        # The compat entry points are where most runs of accesses live; x32 compiles
        # some of them a second time with another layout.
        "COMPAT",
        "IA32_EMULATION",
        "X86_X32_ABI",
        "DEBUG_INFO_NONE",
    ),
    off=(
        # With IBT objtool is delayed to vmlinux.o (delay-objtool, scripts/Makefile.lib).
        "X86_KERNEL_IBT",
        # Likewise for live patches (KLP_BUILD in the same line, since 6.19).
        "KLP_BUILD",
        # A warning that was there before must not hide the ones that are new.
        "WERROR",
        "DRM_WERROR",
        "KVM_WERROR",
        "OBJTOOL_WERROR",
        # Instrumentation: doubles the time of a compilation, shows nothing here.
        "KASAN",
        "KCOV",
        "KCSAN",
        "KMSAN",
        "UBSAN",
        "GCOV_KERNEL",
        "GCC_PLUGINS",
        # might_fault() becomes a call before every access, which no kernel in use makes:
        # what a rewrite saves would look larger than it is.
        "PROVE_LOCKING",
        "DEBUG_NET_SMALL_RTNL",
        "DEBUG_ATOMIC_SLEEP",
        # A call in each copy of user memory, which no kernel in use makes: likewise.
        "FAULT_INJECTION_USERCOPY",
        # The cache that kmalloc() takes memory from depends on the caller's address, which a
        # rewrite moves.
        "RANDOM_KMALLOC_CACHES",
        "KMALLOC_PARTITION_CACHES",
        # Needed to link or to install a kernel, not to compile a file.
        "DEBUG_INFO_BTF",
        "HEADERS_INSTALL",
        "MODULE_SIG",
        "RUST",
        # -march=native would make the proof depend on the machine it ran on.
        "X86_NATIVE_CPU",
    ),
    objtool=True,
    packages="gcc make flex bison bc perl libelf-dev libssl-dev",
    routines=(
        "arch/x86/lib/getuser.S",
        "arch/x86/lib/putuser.S",
        "arch/x86/lib/copy_user_64.S",
        "lib/usercopy.c",
    ),
)
