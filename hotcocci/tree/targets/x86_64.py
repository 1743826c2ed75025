# SPDX-License-Identifier: GPL-2.0
"""x86-64 with everything built in, configured so that objtool checks single objects."""

from __future__ import annotations

from hotcocci.tree.target import Target

X86_64 = Target(
    name="x86-64",
    arch="x86_64",
    folder="x86",
    config="allyesconfig",
    on=(
        # Most sequences of accesses are in compat entry points; x32 compiles some of them a
        # second time with another layout.
        "COMPAT",
        "IA32_EMULATION",
        "X86_X32_ABI",
        "DEBUG_INFO_NONE",
    ),
    off=(
        # With IBT, objtool is delayed to vmlinux.o (delay-objtool, scripts/Makefile.lib).
        "X86_KERNEL_IBT",
        # The same with KLP_BUILD, since 6.19.
        "KLP_BUILD",
        # An old warning must not stop the compilation before new ones.
        "WERROR",
        "DRM_WERROR",
        "KVM_WERROR",
        "OBJTOOL_WERROR",
        # Instrumentation, which doubles compile time.
        "KASAN",
        "KCOV",
        "KCSAN",
        "KMSAN",
        "UBSAN",
        "GCOV_KERNEL",
        "GCC_PLUGINS",
        # Turn might_fault() into a call before each access, unlike production kernels: savings
        # would be overstated.
        "PROVE_LOCKING",
        "DEBUG_NET_SMALL_RTNL",
        "DEBUG_ATOMIC_SLEEP",
        # The same for copies.
        "FAULT_INJECTION_USERCOPY",
        # The slab cache of kmalloc() depends on the caller's address, which a rewrite changes.
        "RANDOM_KMALLOC_CACHES",
        "KMALLOC_PARTITION_CACHES",
        # Only needed to link or install a kernel.
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
