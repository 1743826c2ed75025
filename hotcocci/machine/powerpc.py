# SPDX-License-Identifier: GPL-2.0
"""Decode PowerPC, which opens windows by writing MD_AP (8xx), segment registers (book3s32) or AMR (book3s64).

The value written does not tell whether a window opens, as each book3s64 thread has its own AMR; the
inlined function of asm/kup.h that contains the write does. Feature sections are taken as if the
feature were present (asm/feature-fixups.h), as are static branches on mmu_feature_keys
(asm/cpu_has_feature.h). Encodings are named as in the Power ISA.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hotcocci.machine import code
from hotcocci.machine.code import (
    Instruction,
    Marks,
    Names,
    direct,
    jump_labels,
    marked,
    meaning,
    signed,
    words,
)
from hotcocci.machine.elf import POWERPC64, Address, ObjectFile

# Primary opcodes
TWI, BC, B, NINETEEN, THIRTYONE = 3, 16, 18, 19, 31
# Extended opcodes of 19
BCLR, BCCTR = 16, 528
# Extended opcodes of 31
TW = 4
LWARX, STWCX = 20, 150
MFMSR, MTMSR, MFSPR, MTSPR = 83, 146, 339, 467
# Segment registers, by number or by the top bits of an address
MTSR, MTSRIN, MFSRIN = 210, 242, 659
ISYNC, SYNC, LWSYNC = 0x4C00012C, 0x7C0004AC, 0x7C2004AC
# Conditions of traps
ALWAYS, UNEQUAL = 31, 24

# Special registers in asm/reg_8xx.h that lock user access and mask interrupts
MD_AP = 794
EIE, EID, NRI = 80, 81, 82
# The register in asm/reg.h that locks user access on book3s64
AMR = 29

# 32-bit loads and stores of one general register, by primary opcode, and by extended opcode of 31;
# lwbrx, lhbrx, stwbrx and sthbrx are the last ones.
_STORED = frozenset((36, 37, 38, 39, 44, 45))
ACCESSES = _STORED.union((32, 33, 34, 35, 40, 41, 42, 43))
_STORED_INDEXED = frozenset((STWCX, 151, 183, 215, 247, 407, 439, 662, 918))
INDEXED = _STORED_INDEXED.union((LWARX, 23, 55, 87, 119, 279, 311, 343, 375, 534, 790))
LMW, STMW = 46, 47
# Other loads: lmw, floating point, lq, ld; indexed: the 64-bit loads and lswi
LOADS = (ACCESSES - _STORED).union((LMW, 48, 49, 50, 51, 56, 58))
INDEXED_LOADS = (INDEXED - _STORED_INDEXED).union((21, 53, 84, 341, 373, 532, 597))
# arch/powerpc/include/asm/kup.h and what it includes
WINDOWS = {
    "allow_user_access": code.OPEN,
    "prevent_user_access": code.CLOSE,
    "prevent_user_access_return": code.SAVE,
    "restore_user_access": code.RESTORE,
}
# Kernel entry and exit, which restore the state that an exception interrupted.
EXCEPTIONS = ("kuap_user_restore", "__kuap_kernel_restore", "__kuap_save_and_lock")
EFFECTS = {**WINDOWS, **dict.fromkeys(EXCEPTIONS, "")}
# In 6.1 their parts may be out of line, as is what locks all of the user's segments: asm/book3s/32/kup.h
PART = re.compile(r"kuap_(?:un)?lock|__(?:allow|prevent|restore)_user_access")
# A key of 6.1 that says that KUAP is off: asm/{nohash/32/kup-8xx,book3s/32/kup}.h
OFF_KEY = "disable_kuap_key"
# MMU_FTR_KUAP in asm/mmu.h is bit 9, and a struct static_key has 16 bytes.
KUAP_KEYS = frozenset({("mmu_feature_keys", 9 * 16), (OFF_KEY, 0)})
# Maximum bytes from a branch on KUAP_NONE to the guarded write: store, mfsrin, logic, mtsrin
NEAR = 32
ALWAYS_TRAP = 0x0FE00000
# ori r1,r1,0 and ori r2,r2,0 also end an instruction group.
NOPS = (0x60000000, 0x60210000, 0x60420000)
FENCES = (ISYNC, SYNC, LWSYNC)
# gcc's register save and restore helpers; those with _x also return (arch/powerpc/lib/crtsavres.S).
HELPER = re.compile(r"_(?:save|rest)(?:32)?(?:gpr|fpr|vr)\w*?\d+(?:_x|_l)?$")
RETURNS = re.compile(r"_rest\w+(?:_x)$|_restgpr0_\d+$")


def extended(word: int) -> int:
    """The extended opcode of an instruction with primary opcode 19 or 31."""
    return word >> 1 & 0x3FF


def spr(word: int) -> int:
    """The number of a special register, whose halves are swapped in the instruction."""
    return word >> 16 & 31 | (word >> 11 & 31) << 5


def registers(word: int) -> tuple[int, int, int]:
    """The general register numbers of an instruction: RT or RS, RA and RB."""
    return word >> 21 & 31, word >> 16 & 31, word >> 11 & 31


def distance(word: int) -> int:
    """The distance of a branch to a label, in bytes."""
    return signed(word & ~3, 26 if word >> 26 == B else 16)


def is_conditional(word: int) -> bool:
    """Whether an instruction is a bc or bclr with a condition."""
    to_link = word >> 26 == NINETEEN and extended(word) == BCLR
    return (word >> 26 == BC or to_link) and word >> 21 & 0x14 != 0x14


def loads(word: int) -> bool:
    """Whether an instruction reads memory."""
    primary = word >> 26
    return primary in LOADS or (
        primary == THIRTYONE and extended(word) in INDEXED_LOADS
    )


class PowerPC:
    """PowerPC of either width and byte order."""

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        relocations = obj.relocations(start.section)
        off = False
        for address, word in words(obj, start, end):
            insn = _instruction(obj, address, word)
            # The relocation of a displacement is that of its two bytes; the address alone is not asked.
            for at in (address.offset, address.offset + 2) if insn.load else ():
                named = at in relocations and relocations[at].symbol.name
                off = off or named == OFF_KEY
            if off and insn.kind == code.BRANCH:
                # Without jump labels, the key is loaded and compared with 0.
                insn = replace(insn, kind=code.JUMP if _if_zero(word) else code.PLAIN)
                off = False
            yield insn

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        wide = obj.machine == POWERPC64
        found = marked(obj, names, EFFECTS, lambda word: _locks(word, wide))
        found |= _calls(obj, names)
        at = {a: mark for a, mark in found.items() if not _is_part(obj, a)}
        return Marks(at, jump_labels(obj, KUAP_KEYS), self._choices(obj, at, names))

    def _choices(
        self, obj: ObjectFile, at: Mapping[Address, str], names: Names
    ) -> dict[Address, tuple[str, Address]]:
        """The branches on KUAP_NONE in asm/book3s/32/kup.h, which skip closing a closed window."""
        saving = {
            a: mark for a, mark in at.items() if mark in (code.SAVE, code.RESTORE)
        }
        functions = {f for address in saving if (f := obj.function_at(address))}
        starts = {f.address: f.size for f in functions if f.address}
        found = {}
        for start, size in starts.items():
            for insn in self.decode(obj, start, start.offset + size):
                if insn.kind != code.BRANCH or insn.target is None:
                    continue
                kind = meaning(names(insn.address), EFFECTS)
                skips = [
                    (mark.offset - target.offset, target)
                    for target in (insn.target, insn.following)
                    for mark, what in saving.items()
                    if what == kind and mark.section == target.section
                ]
                near = [skip for skip in skips if 0 <= skip[0] <= NEAR]
                if near:
                    found[insn.address] = (kind, min(near)[1])
        return found


def _if_zero(word: int) -> bool:
    """Whether a bc after a comparison with 0 is taken if both are equal."""
    equal, if_set = word >> 16 & 3 == 2, bool(word >> 21 & 8)
    return equal == if_set


def _is_part(obj: ObjectFile, address: Address | None) -> bool:
    """Whether an instruction is in a part of an inline function that is out of line."""
    holder = obj.function_at(address) if address else None
    return bool(holder and PART.match(holder.name))


def _calls(obj: ObjectFile, names: Names) -> dict[Address, str]:
    """The calls of such parts, also the last ones of a function, with what the one inlined there does."""
    found = {}
    for section in obj.executable:
        for address, word in words(obj, Address(section, 0), len(obj.data(section))):
            if word >> 26 == B:
                insn = direct(obj, address, code.CALL, distance(word))
                if PART.match(insn.callee) or _is_part(obj, insn.target):
                    found[address] = meaning(names(address), EFFECTS)
    return found


def _locks(word: int, wide: bool) -> bool:
    """Whether an instruction writes a register that locks user access."""
    if word >> 26 != THIRTYONE:
        return False
    code = extended(word)
    if code == MTSPR:
        return spr(word) in (MD_AP, AMR)
    return code in (MTSR, MTSRIN) and not wide


def _instruction(obj: ObjectFile, address: Address, word: int) -> Instruction:
    primary, links = word >> 26, word & 1
    conditional = is_conditional(word)
    if primary == B or primary == BC and not links:
        kind = code.BRANCH if conditional else code.CALL if links else code.JUMP
        return _direct(obj, address, kind, distance(word))
    if primary == BC:
        # bcl 20,31,.+4: reads the program counter
        return Instruction(address, 4)
    if primary == NINETEEN and extended(word) in (BCLR, BCCTR):
        kind = code.BRANCH if conditional else code.RETURN
        kind = code.INDIRECT if extended(word) == BCCTR else kind
        return Instruction(address, 4, code.CALL if links else kind)
    if word == ALWAYS_TRAP:
        return Instruction(address, 4, code.TRAP)
    nop, fence = word in NOPS, word in FENCES
    return Instruction(address, 4, nop=nop, fence=fence, load=_loads(word))


def _loads(word: int) -> bool:
    """Whether an instruction reads memory other than the stack (based on r1)."""
    return loads(word) and registers(word)[1] != 1


def _direct(obj: ObjectFile, address: Address, kind: str, distance: int) -> Instruction:
    made = direct(obj, address, kind, distance)
    if made.target is None:
        if RETURNS.match(made.callee) and kind == code.JUMP:
            return Instruction(address, 4, code.RETURN)
        if HELPER.match(made.callee) and kind == code.CALL:
            return Instruction(address, 4)
    return made
