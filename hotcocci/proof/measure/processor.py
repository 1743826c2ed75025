# SPDX-License-Identifier: GPL-2.0
"""An emulated processor with the address space and the features of a process on this machine.

The emulator first runs a function at the addresses at which it is timed later. So user memory,
kernel memory and code all lie where a process may map them: code below 2 GB for its signed 32-bit
relocations, kernel memory above, and USER_PTR_MAX below the code.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

from hotcocci.engines.machine.elf import ObjectFile
from hotcocci.proof.execution.image import Image
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.proof.execution.x86 import X86Processor

# Sites of USER_PTR_MAX, which boot code fills in (arch/x86/include/asm/runtime-const.h).
USER_MAX = "runtime_ptr_USER_PTR_MAX"


class NativeLayout(Layout):
    """A layout whose random numbers are aligned addresses between 32 and 64 TB."""

    @property
    def mask(self) -> int:
        """The bits of a pointer that random numbers may set."""
        return self.high_bits * 2 - self.aligned


# Neither sections nor symbols are a multiple of 4096 bytes apart: their first lines would share a
# set of the caches. Inputs have their user pointers from 512 MB on (explore.py).
LAYOUT = NativeLayout(
    image=0x4000_0000,
    spacing=0x1_0440,
    outside=0x5000_0000,
    room=0x8140,
    stack=0x6100_0001_0000,
    stack_size=0x1_0000,
    percpu=0x6200_0000_0000,
    user_low=0x1000,
    user_high=0x3FFF_F000,
    kernel=0x4000_0000,
    end=0x7000_0000_0000,
    pointer=8,
    high_bits=1 << 45,
    # So that pointers in objects at these addresses are whole ones.
    aligned=8,
)


class NativeProcessor(X86Processor):
    """Emulates the code that this machine's processor runs, in the layout of a process."""

    def __init__(self, tree: Path, features: tuple[str, ...]) -> None:
        super().__init__(tree, LAYOUT, features)

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Apply alternatives, and set the end of user addresses."""
        super().patch(image, obj, bases)
        for section in obj.named(USER_MAX):
            data, base = image.segments[bases[section]], bases[section]
            for at in range(0, len(data), 4):
                (distance,) = struct.unpack_from("<i", data, at)
                image.write(base + at + distance, self._user_max())

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """USER_PTR_MAX, as modules read it."""
        return {registry.symbol("USER_PTR_MAX"): self._user_max()}

    def _user_max(self) -> bytes:
        return self.layout.user_high.to_bytes(8, "little")
