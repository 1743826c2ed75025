# SPDX-License-Identifier: GPL-2.0
"""The targets that a file is compiled for, by its name."""

import pytest

from hotcocci.tree.targets import compiled_for

POWERPC = ["powerpc-8xx", "powerpc-book3s32", "powerpc-book3s64"]


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("sound/core/pcm.c", ["x86-64"]),
        ("arch/powerpc/kernel/process.c", POWERPC),
        ("arch/powerpc/kernel/signal_32.c", POWERPC),  # for compat, too
        ("arch/powerpc/kvm/book3s_64_mmu_hv.c", ["powerpc-book3s64"]),
        ("arch/x86/kernel/signal_64.c", ["x86-64"]),
        ("arch/x86/kernel/cpu/atomic64_32.c", ["x86-64", "i386"]),
        ("arch/s390/kernel/signal.c", []),
    ],
)
def test_by_name(file, names):
    assert [target.name for target in compiled_for(file)] == names
