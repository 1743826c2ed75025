# SPDX-License-Identifier: GPL-2.0
"""Link ARM64 code for a processor without PAN, as with CONFIG_ARM64_SW_TTBR0_PAN.

The object contains the code for a processor without any of the capabilities of alternatives, and
stays unpatched. Windows then write TTBR0_EL1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hotcocci.machine import arm64 as a64
from hotcocci.machine import elf
from hotcocci.machine.elf import ObjectFile, Relocation
from hotcocci.proof.objects.image import Fixup, Image, Layout, LinkError, Registry
from hotcocci.proof.objects.link import filled
from hotcocci.proof.objects.processor import Convention, Processor, Step

# TTBR1_EL1, and TTBR0_EL1 with user access open and closed (__uaccess_ttbr0_disable() of
# asm/uaccess.h).
KERNEL_TABLE, USER_TABLE = 0x4100_0000, 0x4800_0000
CLOSED_TABLE = KERNEL_TABLE - 0x1000
# arch/arm64/include/asm/asm-extable.h
USER, KERNEL = 2, 3
EFAULT = 14

# Absolute and relative relocations, with their size in bytes.
ABSOLUTE = {**elf.ABSOLUTE[elf.ARM64], 259: 2}
RELATIVE = {260: 8, 261: 4, 262: 2}
TRACERS = ("_mcount",)

# A branch reaches 128 MB, so image and outside are adjacent.
IMAGE = 0xFFFF_8000_8000_0000
OUTSIDE = IMAGE + 0x0300_0000
PERCPU = 0xFFFF_0000_C000_0000
# Per-CPU variables are after the current task.
VARIABLES = PERCPU + 0x4000_0000

WORD = (1 << 64) - 1

# Relocations of branches: bits of the distance, and its shift in the word.
BRANCHES = {279: (14, 5), 280: (19, 5), 282: (26, 0), 283: (26, 0), 273: (19, 5)}
PAGES = (275, 276)
ADD = 277
# Scale of a load's or store's offset, as a power of 2.
LOADS = {278: 0, 284: 1, 285: 2, 286: 3, 299: 4}


def relocated(word: int, kind: int, place: int, value: int) -> int | None:
    """An instruction with a relocation applied; None if unknown or out of range."""
    if kind in BRANCHES:
        bits, shift = BRANCHES[kind]
        distance = value - place >> 2
        if not -(1 << bits - 1) <= distance < 1 << bits - 1:
            return None
        mask = (1 << bits) - 1
        return word & ~(mask << shift) | (distance & mask) << shift
    if kind in PAGES:
        pages = (value >> 12) - (place >> 12)
        if not -(1 << 20) <= pages < 1 << 20:
            return None
        return word & ~0x60FFFFE0 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5
    if kind == ADD:
        return word & ~0x3FFC00 | (value & 0xFFF) << 10
    if kind in LOADS:
        return word & ~0x3FFC00 | (value & 0xFFF) >> LOADS[kind] << 10
    return None


def changed(fixup: Fixup) -> dict[int, int]:
    """The registers that a fault sets, by number, with their values."""
    found = {fixup.data & 31: -EFAULT & WORD, fixup.data >> 5 & 31: 0}
    return {number: value for number, value in found.items() if number != a64.ZERO}


class Arm64(Processor):
    """See Processor; ``table`` is the offset of thread_info.ttbr0."""

    support: Sequence[str] = (
        "arch/arm64/lib/copy_from_user.S",
        "arch/arm64/lib/copy_to_user.S",
        "arch/arm64/lib/clear_user.S",
        "lib/usercopy.c",
    )
    tracers: Sequence[str] = TRACERS
    convention = Convention(
        8, 8, largest=16, by_reference=True, returned=16, elsewhere=True
    )

    def __init__(self, task_size: int, table: int) -> None:
        self._table = table
        self.layout = Layout(
            image=IMAGE,
            spacing=0x4000,
            outside=OUTSIDE,
            room=0x4000,
            stack=range(0xFFFF_8000_C000_0000, 0xFFFF_8000_C001_0000),
            percpu=PERCPU,
            user_low=0x1000,
            user_high=task_size,
            # Bit 55 selects the half of the address space; a tag may be above it.
            kernel=0xFF80_0000_0000_0000,
            end=0xFFFF_FFFF_F000_0000,
            pointer=8,
        )

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        if filled(image, place, found.kind, value, ABSOLUTE, RELATIVE):
            return
        word = int.from_bytes(image.read(place, 4), "little")
        fresh = relocated(word, found.kind, place, value & WORD)
        if fresh is None:
            raise LinkError(f"relocation {found.kind} is not known, or out of reach")
        image.write(place, fresh.to_bytes(4, "little"))

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        word = int.from_bytes(code[:4], "little")
        distance = a64.distance(word)
        if distance is None:
            return Step(4)
        mask = 0x3FF_FFFF if word in a64.B else 0xFF_FFE0
        if word in a64.TBZ:
            mask = 0x7_FFE0
        target = address + distance & WORD
        return Step(4, target, (word & ~mask).to_bytes(4, "little"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """The page tables that opening user access installs."""
        return {PERCPU + self._table: USER_TABLE.to_bytes(8, "little")}
