# SPDX-License-Identifier: GPL-2.0
"""Link 32-bit big endian PowerPC code: 8xx, or hash MMU (book3s/32), both with KUAP.

The object contains the code for a processor with all features (asm/feature-fixups.h), so
user access is locked and unlocked without patching.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from hotcocci.machine.elf import ABSOLUTE, POWERPC, ObjectFile, Relocation
from hotcocci.machine import powerpc as ppc
from hotcocci.proof.objects.image import Image, Layout, LinkError, Registry
from hotcocci.proof.objects.processor import Convention, Processor, Step

WORD = (1 << 32) - 1
# arch/powerpc/include/asm/nohash/32/mmu-8xx.h: MD_APG_KUAP, and the bits to compare.
LOCKED, GROUP = 0xDE00_0000, 0xFF00_0000
# arch/powerpc/include/asm/book3s/32/mmu-hash.h: SR_KS
KEY = 0x4000_0000
# KUAP_NONE of asm/book3s/32/kup.h
NONE = WORD

# Relative relocations, and those of 2 bytes.
REL32, REL24, REL14 = 26, (10, 18), 11
ADDR16_LO, ADDR16_HI, ADDR16_HA, REL16 = 4, 5, 6, (249, 250, 251, 252)
# arch/powerpc/lib/copy_32.S and string_32.S
COPY, CLEAR = "__copy_tofrom_user", "__arch_clear_user"
# Of a branch that counts from 0
ABSOLUTE_BRANCH = 2
TRACERS = ("_mcount",)
# Targets whose segment registers lock user memory (book3s/32)
SEGMENTS = ("powerpc-book3s32", "powerpc-32")


class PowerPC32(Processor):
    """See Processor. The kernel begins at ``kernel``, and ``kuap`` is the offset of thread.kuap in a task.

    The 8xx has no such member.
    """

    support: Sequence[str] = (
        "arch/powerpc/lib/copy_32.S",
        "arch/powerpc/lib/string_32.S",
        "arch/powerpc/lib/crtsavres.S",
        "lib/usercopy.c",
    )
    untyped: Sequence[str] = (COPY, CLEAR)
    tracers: Sequence[str] = TRACERS
    convention = Convention(
        4, 8, by_reference=True, paired=True, stack=8, extended=True
    )

    def __init__(self, task_size: int, kernel: int, kuap: int | None = None) -> None:
        # A branch reaches 32 MB, so image and outside are adjacent.
        self.layout = Layout(
            image=kernel + 0x0100_0000,
            spacing=0x2000,
            outside=kernel + 0x0200_0000,
            room=0x2000,
            stack=range(0xF000_0000, 0xF001_0000),
            percpu=0xFF00_0000,
            user_low=0x1000,
            user_high=task_size,
            kernel=kernel,
            end=0xFFF0_0000,
            pointer=4,
            order="big",
        )
        if kuap is not None:
            at = self.layout.percpu + kuap
            self.private = range(at, at + 4)

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        kind = found.kind
        if kind in ABSOLUTE[POWERPC]:
            image.write(place, struct.pack(">I", value & WORD))
        elif kind == REL32:
            image.write(place, struct.pack(">I", value - place & WORD))
        elif kind in REL24:
            self._branch(image, place, value - place, 0x03FF_FFFC)
        elif kind == REL14:
            self._branch(image, place, value - place, 0xFFFC)
        elif kind in (ADDR16_LO, ADDR16_HI, ADDR16_HA) or kind in REL16:
            if kind in REL16:
                value -= place
                kind = {249: ADDR16_LO, 250: ADDR16_LO, 251: ADDR16_HI}.get(
                    kind, ADDR16_HA
                )
            if kind != ADDR16_LO:
                value = (value + (0x8000 if kind == ADDR16_HA else 0)) >> 16
            image.write(place, struct.pack(">H", value & 0xFFFF))
        elif kind:
            raise LinkError(f"relocation {kind} is not known")

    def _branch(self, image: Image, place: int, distance: int, mask: int) -> None:
        if not -(mask + 4) // 2 <= distance <= mask // 2:
            raise LinkError("a branch does not reach what it calls")
        (word,) = struct.unpack(">I", image.read(place, 4))
        image.write(place, struct.pack(">I", word & ~mask | distance & mask))

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        word = int.from_bytes(code[:4], "big")
        mask = {ppc.B: 0x03FF_FFFC, ppc.BC: 0xFFFC}.get(word >> 26)
        if mask is None or word & ABSOLUTE_BRANCH:
            return Step(4)
        target = address + ppc.distance(word) & WORD
        return Step(4, target, (word & ~mask).to_bytes(4, "big"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """KUAP is on, and by thread.kuap no segment is unlocked."""
        found = {registry.symbol(ppc.OFF_KEY): bytes(4)}
        if self.private:
            found[self.private.start] = NONE.to_bytes(4, "big")
        return found
