# SPDX-License-Identifier: GPL-2.0
"""Execute 32-bit x86 code on the same processor: with SMAP, and three register arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from unicorn import x86_const as uc

from hotcocci.engines.machine.elf import ABSOLUTE, I386
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.proof.execution.x86 import X86Processor
from hotcocci.proof.execution.x86_registers import NARROW

# Segments have no base: per-CPU variables are at their symbols.
OUTSIDE = 0xF800_0000


class I386Processor(X86Processor):
    """See Processor; ``task_size`` and ``kernel`` are where user space ends and the kernel begins."""

    registers = NARROW
    absolute: Mapping[int, int] = MappingProxyType(ABSOLUTE[I386])
    relative: Mapping[int, int] = MappingProxyType({2: 4, 4: 4})
    support: Sequence[str] = (
        "arch/x86/lib/getuser.S",
        "arch/x86/lib/putuser.S",
        "arch/x86/lib/usercopy_32.c",
        "lib/usercopy.c",
    )
    copies: Mapping[str, int] = MappingProxyType(
        {
            "__copy_user_ll": 2,
            "__copy_from_user_ll_nocache_nozero": 2,
            "clear_user": 1,
            "__clear_user": 1,
        }
    )
    # With -freg-struct-return.
    convention = Convention(
        4, 3, largest=12, returned=8, stack=4, registered=False, frame=4
    )
    # The registers used by marks.py.
    marked = (uc.UC_X86_REG_EDX, uc.UC_X86_REG_ECX)

    def __init__(self, tree: Path, task_size: int, kernel: int) -> None:
        layout = Layout(
            image=kernel + 0x0100_0000,
            spacing=0x4000,
            outside=OUTSIDE,
            room=0x2000,
            stack=0xF000_0000,
            stack_size=0x1_0000,
            percpu=OUTSIDE,
            user_low=0x1000,
            user_high=task_size,
            kernel=kernel,
            end=0xFFF0_0000,
            pointer=4,
            high_bits=kernel,
            aligned=4,
        )
        super().__init__(tree, layout)

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """None: the end of user space is a constant in the code."""
        return {}
