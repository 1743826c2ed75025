# SPDX-License-Identifier: GPL-2.0
"""Decode x86, 32 and 64 bit, which opens windows by stac and clac, patched in as alternatives."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

import capstone

from hotcocci.machine.code import (
    BRANCH,
    CALL,
    CLOSE,
    INDIRECT,
    JUMP,
    OPEN,
    PLAIN,
    RESTORE,
    RETURN,
    SAVE,
    STOP,
    TRAP,
    UNKNOWN,
    Instruction,
    Marks,
    Names,
    jump_labels,
)
from hotcocci.machine.elf import Address, ObjectFile
from hotcocci.machine.x86_insn import (
    RETURN_THUNKS,
    TRACERS,
    TRAPS,
    UNREAD,
    mnemonic,
)

# arch/x86/include/asm/cpufeatures.h: SMAP has always been word 9, bit 20. Other features (LASS)
# use stac and clac for something else.
SMAP = 9 * 32 + 20
CLAC = bytes.fromhex("0f01ca")
STAC = bytes.fromhex("0f01cb")
POPF = 0x9D
PUSHF = 0x9C
# struct alt_instr (arch/x86/include/asm/alternative.h): instruction, replacement, feature
# and flags, both lengths.
ENTRY = 14
INDIRECT_THUNKS = ("__x86_indirect_", "__x86_thunk_", "__x86_indirect_jump_thunk_")
CONDITIONAL = ("loop", "loope", "loopne")
FENCES = ("lfence", "mfence")
COPIES = ("rep movs", "rep stos")
LFENCE = bytes.fromhex("0faee8")
NOPS = ("nop", "endbr64", "endbr32")
STORING = ("mov", "set", "vmov")
STACK = re.compile(r"\[(?:[re]sp\b|[re]bp - )")


class X86:
    """x86 with ``bits`` 32 or 64."""

    def __init__(self, bits: int) -> None:
        mode = capstone.CS_MODE_64 if bits == 64 else capstone.CS_MODE_32
        self._capstone = capstone.Cs(capstone.CS_ARCH_X86, mode)
        self._capstone.skipdata = True

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        """The instructions from an address up to an offset."""
        section, offset = start
        data = obj.data(section)[offset:end]
        for at, size, name, operands in self._capstone.disasm_lite(data, offset):
            address = Address(section, at)
            copy = name.startswith(COPIES)
            name = mnemonic(name)
            if name == "call" or name == "jmp" or name[0] == "j" or name in CONDITIONAL:
                yield self._flow(obj, address, size, name, operands)
            elif name.startswith("ret"):
                yield Instruction(address, size, RETURN)
            elif name in TRAPS:
                yield Instruction(address, size, TRAP)
            elif name in ("int3", "hlt", "iretq", "iretd", "sysretq"):
                yield Instruction(address, size, STOP)
            else:
                yield Instruction(
                    address,
                    size,
                    nop=name in NOPS,
                    fence=name in FENCES,
                    load=_loads(name, operands),
                    copy=copy,
                )

    def _flow(
        self,
        obj: ObjectFile,
        address: Address,
        size: int,
        name: str,
        operands: str,
    ) -> Instruction:
        kind = {"call": CALL, "jmp": JUMP}.get(name, BRANCH)
        found = obj.relocations(address.section).get(address.offset + size - 4)
        direct = operands.startswith("0x") or operands.isdigit()
        if not direct:
            indirect = CALL if kind == CALL else INDIRECT
            return Instruction(address, size, indirect, load=_loads(name, operands))
        if found is None:
            return Instruction(
                address, size, kind, Address(address.section, int(operands, 0))
            )
        symbol = found.symbol
        if symbol.name in RETURN_THUNKS:
            return Instruction(address, size, RETURN)
        if symbol.name.startswith(INDIRECT_THUNKS):
            return Instruction(address, size, CALL if kind == CALL else INDIRECT)
        if symbol.address is None:
            nop = symbol.name in TRACERS
            return Instruction(address, size, kind, None, symbol.name, nop)
        # The field is relative to the end of the instruction, 4 bytes after the field's start.
        offset = symbol.address.offset + found.addend + 4
        target = Address(symbol.address.section, offset)
        return Instruction(address, size, kind, target, symbol.name)

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        """Find the instructions that open and close user access."""
        at: dict[Address, str] = {}
        fences = set()
        replaced: dict[Address, Address] = {}
        for section in obj.named(".altinstructions"):
            data = obj.data(section)
            for entry in range(0, len(data) - ENTRY + 1, ENTRY):
                (flags,) = struct.unpack_from("<I", data, entry + 8)
                source = obj.pointed(section, entry)
                other = obj.pointed(section, entry + 4)
                if source is None or other is None:
                    continue
                length = data[entry + 13]
                text = obj.data(other.section)[other.offset : other.offset + length]
                if text == LFENCE:
                    # barrier_nospec(): on every processor since LFENCE serializes
                    fences.add(source)
                if flags & 0xFFFF != SMAP:
                    continue
                at[source] = _meaning(text)
                for offset in range(length):
                    replaced[Address(other.section, other.offset + offset)] = source
        edges = jump_labels(obj)
        return Marks(at, edges, replaced=replaced, fences=frozenset(fences))


def _loads(name: str, operands: str) -> bool:
    """Whether an instruction reads memory other than the stack, judging by its operands.

    Negative offsets from rbp are taken for locals: without a frame pointer, they are rare.
    """
    opening = operands.find("[")
    if (
        opening < 0
        or name.startswith((*UNREAD, "pop"))
        or STACK.match(operands, opening)
    ):
        return False
    if name.startswith(STORING):
        # Intel syntax: the destination comes first.
        return "," in operands[:opening]
    return True


def _meaning(text: bytes) -> str:
    """The effect of an SMAP alternative's replacement code on user access."""
    if text == STAC:
        return OPEN
    if text == CLAC:
        return CLOSE
    if text.endswith(CLAC) and text[0] == PUSHF:
        return SAVE
    if text and text[-1] == POPF:
        return RESTORE
    return UNKNOWN if STAC in text or CLAC in text else PLAIN
