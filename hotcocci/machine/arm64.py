# SPDX-License-Identifier: GPL-2.0
"""Decode ARM64, where software PAN opens windows by writing TTBR0_EL1 (CONFIG_ARM64_SW_TTBR0_PAN).

The object contains the code for machines without PAN; alternatives skip it on others.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator

from hotcocci.machine import arm64_insn as a64
from hotcocci.machine.code import (
    BRANCH,
    CALL,
    CLOSE,
    INDIRECT,
    JUMP,
    OPEN,
    RETURN,
    TRAP,
    Instruction,
    Marks,
    Names,
    jump_labels,
    meaning,
)
from hotcocci.machine.elf import Address, ObjectFile

# arch/arm64/include/asm/uaccess.h
WINDOWS = {"__uaccess_ttbr0_enable": OPEN, "__uaccess_ttbr0_disable": CLOSE}
# The same as calls: they are inline, but not __always_inline.
CALLS = {
    **WINDOWS,
    "uaccess_ttbr0_enable": OPEN,
    "uaccess_ttbr0_disable": CLOSE,
}
# Functions that install an address space: task switch, idle, EFI, kexec.
SPACES = (
    "cpu_switch_mm cpu_do_switch_mm cpu_set_reserved_ttbr0 cpu_set_reserved_ttbr0_nosync "
    "cpu_uninstall_idmap __cpu_set_tcr_t0sz cpu_install_idmap cpu_install_ttbr0 check_and_switch_context"
).split()
EFFECTS = {**WINDOWS, **dict.fromkeys(SPACES, "")}

# struct alt_instr (arch/arm64/include/asm/alternative.h): instruction, replacement,
# capability, both lengths.
ENTRY = 12


class Arm64:
    """ARM64; ``pan`` is the number of the capability ARM64_HAS_PAN."""

    def __init__(self, pan: int | None) -> None:
        self._pan = pan

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        """The instructions from an address up to an offset."""
        data = obj.data(start.section)
        for at in range(start.offset, end - 3, 4):
            (word,) = struct.unpack_from("<I", data, at)
            yield _instruction(obj, Address(start.section, at), word)

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        """Find the instructions that open and close user access."""
        at: dict[Address, str] = {}
        for section in obj.executable:
            data = obj.data(section)
            words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) & ~3])
            for index, word in enumerate(words):
                if word in a64.MSR_TTBR0:
                    address = Address(section, 4 * index)
                    effect = meaning(names(address), EFFECTS)
                    if effect:
                        at[address] = effect
        edges: dict[Address, list[Address]] = defaultdict(list)
        for table in (jump_labels(obj), self._alternatives(obj)):
            for source, targets in table.items():
                edges[source] += targets
        extra_edges = {source: tuple(targets) for source, targets in edges.items()}
        return Marks(at, extra_edges, calls=CALLS, saves=False)

    def _alternatives(self, obj: ObjectFile) -> dict[Address, tuple[Address, ...]]:
        """The targets of alternatives that branch or are patched to a nop."""
        found: dict[Address, tuple[Address, ...]] = {}
        for section in obj.named(".altinstructions"):
            data = obj.data(section)
            for entry in range(0, len(data) - ENTRY + 1, ENTRY):
                capability, length, other_length = struct.unpack_from(
                    "<HBB", data, entry + 8
                )
                # The highest bit means that a callback does the patching (ARM64_CB_BIT).
                if capability & 0x7FFF == self._pan:
                    continue
                source = obj.pointed(section, entry)
                if source is None or length != 4:
                    continue
                if other_length == 0:
                    # Patched to a nop: alternative_has_cap_likely()
                    found[source] = (Address(source.section, source.offset + 4),)
                    continue
                other = obj.pointed(section, entry + 4)
                if other is not None:
                    (word,) = struct.unpack_from(
                        "<I", obj.data(other.section), other.offset
                    )
                    replaced = _instruction(obj, other, word)
                    if replaced.kind == JUMP and replaced.target is not None:
                        found[source] = (replaced.target,)
        return found


def _instruction(obj: ObjectFile, address: Address, word: int) -> Instruction:
    distance = a64.distance(word)
    if distance is not None:
        kind = (CALL if word >> 31 else JUMP) if word in a64.B else BRANCH
        return _direct(obj, address, kind, distance)
    if word in a64.BRANCH_REGISTER:
        operation = word >> 21 & 0xF
        # br, blr, ret; bit 3 is set with pointer authentication.
        kind = {0: INDIRECT, 1: CALL, 2: RETURN}.get(operation & 7, RETURN)
        return Instruction(address, 4, kind)
    if word in a64.BRK:
        return Instruction(address, 4, TRAP)
    # csdb is the only hint that always has an effect.
    fence = word in a64.ISB or word in a64.DSB or word == a64.CSDB
    nop = word in a64.HINT and not fence
    return Instruction(address, 4, nop=nop, fence=fence, load=_loads(word))


def _loads(word: int) -> bool:
    """Whether an instruction reads memory other than the stack (based on sp or the frame pointer)."""
    if word not in a64.LOAD_STORE or not a64.loads(word):
        return False
    return word in a64.LITERAL or word >> 5 & 31 not in (a64.FP, a64.SP)


def _direct(obj: ObjectFile, address: Address, kind: str, distance: int) -> Instruction:
    found = obj.relocations(address.section).get(address.offset)
    if found is None:
        target = Address(address.section, address.offset + distance)
        return Instruction(address, 4, kind, target)
    start = found.symbol.address
    if start is None:
        return Instruction(address, 4, kind, None, found.symbol.name)
    target = Address(start.section, start.offset + found.addend)
    return Instruction(address, 4, kind, target, found.symbol.name)
