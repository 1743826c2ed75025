# SPDX-License-Identifier: GPL-2.0
"""Link x86-64 code as for Ice Lake: with SMAP, and rep movsb for copies (FSRM)."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hotcocci.machine import x86
from hotcocci.machine.elf import ABSOLUTE, X86_64, ObjectFile, Relocation
from hotcocci.proof.objects.image import (
    Alternative,
    Fixup,
    Image,
    JumpLabel,
    Layout,
    LinkError,
    Registry,
)
from hotcocci.proof.objects.link import filled, placed
from hotcocci.proof.objects.processor import Convention, Processor, Step
from hotcocci.tree.source import read_text

ARGUMENTS = "rdi rsi rdx rcx r8 r9"
# USER_PTR_MAX without LA57: TASK_SIZE_MAX - 1 and a guard page (arch/x86/kernel/cpu/common.c).
USER_MAX = 0x7FFF_FFFF_F000

LAYOUT = Layout(
    image=0xFFFF_FFFF_8100_0000,
    spacing=0x1_0000,
    outside=0xFFFF_FFFF_C000_0000,
    room=0x8000,
    stack=range(0xFFFF_C900_0001_0000, 0xFFFF_C900_0002_0000),
    # Base of gs. Per-CPU symbols start at 0 in vmlinux, but not here.
    percpu=0xFFFF_8881_0000_0000,
    user_low=0x1000,
    user_high=USER_MAX,
    # Kernel pointers are random; non-canonical ones fault too.
    kernel=1 << 63,
    end=0xFFFF_FFFF_F000_0000,
    pointer=8,
)

# Features of this processor (arch/x86/include/asm/cpufeatures.h). What stands for POPCNT is a call that
# keeps all registers but its result (arch/x86/lib/hweight.S).
FEATURES = ("ALWAYS", "SMAP", "FSRM", "FSRS", "ERMS", "REP_GOOD", "POPCNT")
# Those of alternatives in access_ok(), where they only set the end of user space, and in mitigations.
COMMON = ("LAM", "LA57", "LFENCE_RDTSC", "RETPOLINE", "RETPOLINE_LFENCE")
# Without these, processors copy and clear by calling a routine that does the same.
STRINGS = ("FSRM", "FSRS", "ERMS", "REP_GOOD")
# What static_cpu_has() becomes without the feature.
JUMP = 0xE9

# arch/x86/include/asm/extable_fixup_types.h
DEFAULT, FAULT, UACCESS, COPY, IMM_REG, UCOPY_LEN = 1, 2, 3, 4, 17, 19
# What only continues elsewhere, and what first sets rax to the number of the trap (arch/x86/mm/extable.c)
PLAIN_FIXUPS = (DEFAULT, UACCESS, "ex_handler_default", "ex_handler_uaccess")
TRAP_FIXUPS = (FAULT, COPY, "ex_handler_fault", "ex_handler_copy")
PAGE_FAULT = 14
CLEAR_AX, CLEAR_DX = 1 << 4, 1 << 5
AX, CX, DX = range(3)


def changed(fixup: Fixup, value: Callable[[int], Any]) -> dict[int, Any] | None:
    """The general registers that a fault sets, by number, with their values; None for unknown types.

    ``value`` is that of a register before.
    """
    register, flags, number = fixup.data & 0xF, fixup.data & 0xF0, fixup.data >> 8
    found: dict[int, Any] = {}
    if fixup.kind == IMM_REG:
        found[register] = number
    elif fixup.kind == UCOPY_LEN:
        found[CX] = value(CX) * number + value(register)
    elif fixup.kind in TRAP_FIXUPS:
        found[AX] = PAGE_FAULT
    elif fixup.kind not in PLAIN_FIXUPS:
        return None
    if flags & CLEAR_AX:
        found[AX] = 0
    if flags & CLEAR_DX:
        found[DX] = 0
    return found


# Structs up to two registers are passed and returned in them.
CONVENTION = Convention(8, 6, largest=16, returned=16, stack=8, filling=True, frame=8)


class X86Processor(Processor):
    """See Processor."""

    orders_stores = True
    absolute: Mapping[int, int] = MappingProxyType({**ABSOLUTE[X86_64], 11: 4})
    relative: Mapping[int, int] = MappingProxyType({2: 4, 4: 4, 24: 8})
    support: Sequence[str] = (
        "arch/x86/lib/getuser.S",
        "arch/x86/lib/putuser.S",
        "arch/x86/lib/copy_user_64.S",
        "arch/x86/lib/clear_page_64.S",
        "lib/usercopy.c",
    )
    tracers: Sequence[str] = x86.TRACERS
    convention = CONVENTION
    layout = LAYOUT

    def __init__(self, tree: Path) -> None:
        self._features = _features(tree, FEATURES)
        self._common = _features(tree, COMMON)
        self._strings = _features(tree, STRINGS)

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        if not filled(image, place, found.kind, value, self.absolute, self.relative):
            raise LinkError(f"relocation {found.kind} is not known")

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Apply alternatives (arch/x86/kernel/alternative.c), and set the end of user addresses."""
        for section, base in placed(obj, bases, ".altinstructions"):
            data = image.segments[base]
            for each in x86.alternatives(obj, section):
                at, what, feature, absent, length, size = each
                source, other = struct.unpack_from("<ii", data, at)
                where, fresh = base + at + source, base + at + 4 + other
                if (feature in self._features) == absent:
                    if not size and not absent and image.read(where, 1)[0] == JUMP:
                        _branch(image, where, what)
                    elif feature not in self._common and not (
                        absent and feature in self._strings
                    ):
                        other_code = Alternative(what, fresh, fresh + size)
                        image.alternatives.setdefault(where, []).append(other_code)
                    continue
                text = bytearray(image.read(fresh, size))
                if size == 5 and text[0] in (0xE8, 0xE9):
                    (distance,) = struct.unpack_from("<i", text, 1)
                    struct.pack_into("<i", text, 1, distance + fresh - where)
                image.write(where, bytes(text) + b"\x90" * (length - size))
        for _, base in placed(obj, bases, "runtime_ptr_USER_PTR_MAX"):
            data = image.segments[base]
            for at in range(0, len(data), 4):
                (distance,) = struct.unpack_from("<i", data, at)
                image.write(base + at + distance, USER_MAX.to_bytes(8, "little"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """USER_PTR_MAX, as modules read it."""
        return {registry.symbol("USER_PTR_MAX"): USER_MAX.to_bytes(8, "little")}

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        found = x86.decode(code, address)
        if found is None:
            return Step(1)
        return Step(found.size, x86.target(found) or 0, code[: max(found.size - 4, 1)])


def _branch(image: Image, where: int, feature: int) -> None:
    """Let static_cpu_has(), a jump without the feature and nothing with it, be a static branch."""
    (distance,) = struct.unpack("<i", image.read(where + 1, 4))
    key = f"processor feature {feature}"
    image.labels[where] = JumpLabel(where + 5 + distance, key, True)


@lru_cache(maxsize=8)
def _features(tree: Path, names: tuple[str, ...]) -> frozenset[int]:
    """The numbers of these features, which differ between kernels."""
    text = read_text(tree / "arch/x86/include/asm/cpufeatures.h")
    found = re.findall(
        r"^#define X86_FEATURE_(\w+)\s+\(\s*(\d+)\s*\*\s*32\s*\+\s*(\d+)\)", text, re.M
    )
    return frozenset(
        int(number) * 32 + int(bit) for name, number, bit in found if name in names
    )
