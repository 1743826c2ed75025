# SPDX-License-Identifier: GPL-2.0
"""Decode x86, 32 and 64 bit, which opens windows by stac and clac, patched in as alternatives.

Instructions and registers have the names that capstone gives them.
"""

import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import capstone
from capstone import x86_const as cs

from hotcocci.machine import code
from hotcocci.machine.code import Instruction, Marks, Names, jump_labels
from hotcocci.machine.elf import Address, ElfError, ObjectFile

# The general registers, in the order of pt_regs_nr() (struct pt_regs, arch/x86/include/asm/insn-eval.h).
GENERAL = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
# The number of the general register by its names in every width.
NUMBERS = {
    name: number
    for number, names in enumerate(
        "rax eax ax al ah|rcx ecx cx cl ch|rdx edx dx dl dh|rbx ebx bx bl bh|rsp esp sp spl"
        "|rbp ebp bp bpl|rsi esi si sil|rdi edi di dil".split("|")
    )
    for name in names.split()
}
NUMBERS |= {f"r{n}{width}": n for n in range(8, 16) for width in ("", "d", "w", "b")}

# Size in bytes of the longest instruction
LONGEST = 15
RETURN_THUNKS = ("__x86_return_thunk", "srso_return_thunk", "its_return_thunk")
THUNK = re.compile(r"^__x86_indirect_(?:call_|jump_)?thunk_(\w+)$")
# ftrace replaces these by nops at boot.
TRACERS = ("__fentry__", "mcount")
TRAPS = ("ud2", "ud1")
KINDS = {
    **dict.fromkeys(("ret", "retf", "retfq"), code.RETURN),
    **dict.fromkeys(TRAPS, code.TRAP),
    **dict.fromkeys(("int3", "hlt", "iretq", "iretd", "sysretq"), code.STOP),
}
# Instructions with a memory operand that they do not load from
UNREAD = ("lea", "nop", "prefetch", "clflush", "clwb", "invlpg", "stos", "fst")
# arch/x86/include/asm/cpufeatures.h: SMAP has always been word 9, bit 20. Other features (LASS)
# use stac and clac for something else.
SMAP = 9 * 32 + 20
CLAC = bytes.fromhex("0f01ca")
STAC = bytes.fromhex("0f01cb")
POPF = 0x9D
PUSHF = 0x9C
# struct alt_instr (arch/x86/include/asm/alternative.h): instruction, replacement, feature, both
# lengths. Since 6.3 it has 14 bytes, as 16 bits for flags follow the feature. Before, it had 12 or,
# with padding, 13, and the one flag was the feature's highest bit.
FLAGGED = 14
LENGTHS = (12, 13, FLAGGED)
NOT, OLD_NOT = 1 << 16, 1 << 15
INDIRECT_THUNKS = ("__x86_indirect_", "__x86_thunk_", "__x86_indirect_jump_thunk_")
CONDITIONAL = ("loop", "loope", "loopne")
FENCES = ("lfence", "mfence")
COPIES = ("rep movs", "rep stos")
LFENCE = bytes.fromhex("0faee8")
NOPS = ("nop", "endbr64", "endbr32")
STORING = ("mov", "set", "vmov")
STACK = re.compile(r"\[(?:[re]sp\b|[re]bp - )")


@lru_cache
def decoder() -> capstone.Cs:
    """The decoder of 64-bit code, with operands."""
    found = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found.detail = True
    return found


def decode(code: bytes, address: int) -> capstone.CsInsn | None:
    """The instruction at an address; None if it is not known."""
    return next(decoder().disasm(code, address, 1), None)


def mnemonic(name: str) -> str:
    """The name of an instruction without prefixes such as "lock"."""
    return name.rpartition(" ")[2]


def is_string(found: capstone.CsInsn) -> bool:
    """Whether an instruction copies or fills as many elements as a register says."""
    name = str(found.mnemonic)
    return name.startswith("rep") and mnemonic(name)[:4] in ("movs", "stos")


def target(found: capstone.CsInsn) -> int | None:
    """The target of a direct jump or call; None of others."""
    if found.group(capstone.CS_GRP_JUMP) or found.group(capstone.CS_GRP_CALL):
        for operand in found.operands:
            if operand.type == cs.X86_OP_IMM:
                return int(operand.imm) & (1 << 64) - 1
    return None


class Alternative(NamedTuple):
    """Code that processors with a feature, or without it if ``absent``, run instead of other code.

    ``entry`` is the offset of its entry in the section, whose first two fields, of four bytes each,
    refer to the code and to its replacement; ``length`` and ``size`` are their lengths in bytes.
    ``what`` is the feature with all flags, in the tree's own form.
    """

    entry: int
    what: int
    feature: int
    absent: bool
    length: int
    size: int


def alternatives(obj: ObjectFile, section: int) -> Iterator[Alternative]:
    """The entries of a section .altinstructions. Raises ElfError if they have another form than any kernel's until 7.2."""
    data = obj.data(section)
    entries = len(obj.relocations(section)) // 2
    size, rest = divmod(len(data), max(entries, 1))
    if entries and (rest or size not in LENGTHS):
        raise ElfError(f"it has alternatives of {len(data) / entries:g} bytes each")
    for at in range(0, entries * size, size):
        if size == FLAGGED:
            what, length, fresh = struct.unpack_from("<IBB", data, at + 8)
            feature, absent = what & 0xFFFF, bool(what & NOT)
        else:
            what, length, fresh = struct.unpack_from("<HBB", data, at + 8)
            feature, absent = what & ~OLD_NOT, bool(what & OLD_NOT)
        yield Alternative(at, what, feature, absent, length, fresh)


class X86:
    """x86 with ``bits`` 32 or 64."""

    def __init__(self, bits: int) -> None:
        mode = capstone.CS_MODE_64 if bits == 64 else capstone.CS_MODE_32
        self._capstone = capstone.Cs(capstone.CS_ARCH_X86, mode)
        self._capstone.skipdata = True

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        section, offset = start
        data = obj.data(section)[offset:end]
        for at, size, name, operands in self._capstone.disasm_lite(data, offset):
            address = Address(section, at)
            copy = name.startswith(COPIES)
            name = mnemonic(name)
            if name == "call" or name == "jmp" or name[0] == "j" or name in CONDITIONAL:
                yield self._flow(obj, address, size, name, operands)
                continue
            nop, fence = name in NOPS, name in FENCES
            kind = KINDS.get(name, code.PLAIN)
            load = kind == code.PLAIN and _loads(name, operands)
            yield Instruction(address, size, kind, None, "", nop, fence, load, copy)

    def _flow(
        self, obj: ObjectFile, address: Address, size: int, name: str, operands: str
    ) -> Instruction:
        kind = {"call": code.CALL, "jmp": code.JUMP}.get(name, code.BRANCH)
        indirect = code.CALL if kind == code.CALL else code.INDIRECT
        found = obj.relocations(address.section).get(address.offset + size - 4)
        if not (operands.startswith("0x") or operands.isdigit()):
            return Instruction(address, size, indirect, load=_loads(name, operands))
        if found is None:
            target = Address(address.section, int(operands, 0))
            return Instruction(address, size, kind, target)
        symbol = found.symbol
        if symbol.name in RETURN_THUNKS:
            return Instruction(address, size, code.RETURN)
        if symbol.name.startswith(INDIRECT_THUNKS):
            return Instruction(address, size, indirect)
        if symbol.address is None:
            nop = symbol.name in TRACERS
            return Instruction(address, size, kind, None, symbol.name, nop)
        # The field is relative to the end of the instruction, 4 bytes after the field's start.
        offset = symbol.address.offset + found.addend + 4
        target = Address(symbol.address.section, offset)
        return Instruction(address, size, kind, target, symbol.name)

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        at: dict[Address, str] = {}
        fences = set()
        replaced: dict[Address, Address] = {}
        for section in obj.named(".altinstructions"):
            for entry in alternatives(obj, section):
                source = obj.pointed(section, entry.entry)
                other = obj.pointed(section, entry.entry + 4)
                if source is None or other is None:
                    continue
                covered = range(other.offset, other.offset + entry.size)
                text = obj.data(other.section)[covered.start : covered.stop]
                if text == LFENCE:
                    # barrier_nospec(): on every processor since LFENCE serializes
                    fences.add(source)
                if entry.feature != SMAP:
                    continue
                at[source] = _meaning(text)
                replaced |= {Address(other.section, n): source for n in covered}
        return Marks(at, jump_labels(obj), replaced=replaced, fences=frozenset(fences))


def _loads(name: str, operands: str) -> bool:
    """Whether an instruction reads memory other than the stack, judging by its operands.

    Negative offsets from rbp are taken for locals: without a frame pointer, they are rare.
    """
    opening = operands.find("[")
    if opening < 0 or name.startswith((*UNREAD, "pop")):
        return False
    # Intel syntax: the destination comes first.
    stores = name.startswith(STORING) and "," not in operands[:opening]
    return not stores and not STACK.match(operands, opening)


def _meaning(text: bytes) -> str:
    """The effect of an SMAP alternative's replacement code on user access."""
    if text == STAC:
        return code.OPEN
    if text == CLAC:
        return code.CLOSE
    if text.endswith(CLAC) and text[0] == PUSHF:
        return code.SAVE
    if text and text[-1] == POPF:
        return code.RESTORE
    return code.UNKNOWN if STAC in text or CLAC in text else code.PLAIN
