# SPDX-License-Identifier: GPL-2.0
"""Find the instructions of a function that user mode does not have."""

from __future__ import annotations

from collections.abc import Iterator

import capstone

from hotcocci.proof.execution.image import Function, Image

# Left out when measured, on both sides, because a process that executes one is killed.
PRIVILEGED = frozenset(
    "cli sti hlt stac clac swapgs wrmsr rdmsr wrmsrns invlpg invpcid wbinvd invd clts "
    "in out insb insw insd outsb outsw outsd monitor mwait xsetbv vmcall vmmcall".split()
)


def privileged(image: Image, function: Function) -> Iterator[tuple[int, int, str]]:
    """The address, size and name of each privileged instruction of a function."""
    code = image.read(function.start, function.end - function.start)
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    decoder.skipdata = True
    for address, size, name, _ in decoder.disasm_lite(code, function.start):
        if name.rpartition(" ")[2] in PRIVILEGED:
            yield address, size, name
