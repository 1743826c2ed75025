# SPDX-License-Identifier: GPL-2.0
"""PowerPC: windows are writes of MD_AP (8xx), of a segment register (book3s32) or of AMR (book3s64).

What is written does not say by itself whether it opens, as a book3s64 thread has an AMR of its
own; that every write stands in one of the four inlined functions of asm/kup.h does. Code for
a feature stands in the object as if the feature were there (asm/feature-fixups.h), and so do
static branches on mmu_feature_keys (asm/cpu_has_feature.h).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping

from hotcocci.engines.machine.code import (
    BRANCH,
    CALL,
    CLOSE,
    INDIRECT,
    JUMP,
    OPEN,
    RESTORE,
    RETURN,
    SAVE,
    TRAP,
    UNKNOWN,
    Instruction,
    Marks,
    Names,
    jump_labels,
)
from hotcocci.engines.machine.elf import POWERPC64, Address, ObjectFile

# arch/powerpc/include/asm/kup.h and what it includes
WINDOWS = {
    "allow_user_access": OPEN,
    "prevent_user_access": CLOSE,
    "prevent_user_access_return": SAVE,
    "restore_user_access": RESTORE,
}
# Entry and exit of the kernel, which hand on what an exception interrupted.
EXCEPTIONS = ("kuap_user_restore", "__kuap_kernel_restore", "__kuap_save_and_lock")

# mtspr of SPRN_MD_AP (asm/reg_8xx.h) and SPRN_AMR (asm/reg.h); mtsr and mtsrin
MTSPR = 467
SPRS = (794, 29)
MTSR = (210, 242)
# MMU_FTR_KUAP of asm/mmu.h is bit 9, and a key 16 bytes (struct static_key).
KUAP_KEY = ("mmu_feature_keys", 9 * 16)
# Bytes from the branch on KUAP_NONE to what it guards: storing, mfsrin, one of two, mtsrin
NEAR = 32
ALWAYS_TRAP = 0x0FE00000
# Of these, some end a group of instructions as well (ori r1,r1,0 and ori r2,r2,0).
NOPS = (0x60000000, 0x60210000, 0x60420000)
# lwz, lbz, lhz, lha with and without update, lmw, floats, lq, ld; the same with an index register
LOADS = frozenset((32, 33, 34, 35, 40, 41, 42, 43, 46, 48, 49, 50, 51, 56, 58))
INDEXED = frozenset(
    (20, 21, 23, 53, 55, 84, 87, 119, 279, 311, 341, 343, 373, 375, 532, 534, 597, 790)
)
# isync, sync and lwsync
FENCES = (0x4C00012C, 0x7C0004AC, 0x7C2004AC)
# gcc's own helpers: with _x they also return (arch/powerpc/lib/crtsavres.S).
HELPER = re.compile(r"_(?:save|rest)(?:32)?(?:gpr|fpr|vr)\w*?\d+(?:_x|_l)?$")
RETURNS = re.compile(r"_rest\w+(?:_x)$|_restgpr0_\d+$")


class PowerPC:
    """PowerPC of either width and byte order."""

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        """The instructions from an address up to an offset."""
        data = obj.data(start.section)
        for at in range(start.offset, end - 3, 4):
            (word,) = struct.unpack_from(f"{obj.order}I", data, at)
            yield _instruction(obj, Address(start.section, at), word)

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        """Where user access is opened and closed."""
        at: dict[Address, str] = {}
        for section in obj.executable:
            data = obj.data(section)
            words = struct.unpack(
                f"{obj.order}{len(data) // 4}I", data[: len(data) & ~3]
            )
            for index, word in enumerate(words):
                if _locks(word, obj.machine == POWERPC64):
                    address = Address(section, 4 * index)
                    meaning = _meaning(names(address))
                    if meaning:
                        at[address] = meaning
        edges = jump_labels(obj, frozenset({KUAP_KEY}))
        return Marks(at, edges, self._choices(obj, at, names))

    def _choices(
        self, obj: ObjectFile, at: Mapping[Address, str], names: Names
    ) -> dict[Address, tuple[str, Address]]:
        """The branches on KUAP_NONE of asm/book3s/32/kup.h, by which only what is open is closed."""
        saving = {a: mark for a, mark in at.items() if mark in (SAVE, RESTORE)}
        functions = {obj.function_at(address) for address in saving}
        found = {}
        for function in functions:
            if function is None or function.address is None:
                continue
            end = function.address.offset + function.size
            for insn in self.decode(obj, function.address, end):
                if insn.kind != BRANCH or insn.target is None:
                    continue
                kind = _meaning(names(insn.address))
                if kind not in (SAVE, RESTORE):
                    continue
                ways = [
                    (mark.offset - way.offset, way)
                    for way in (insn.target, insn.following)
                    for mark, meaning in saving.items()
                    if meaning == kind
                    and mark.section == way.section
                    and 0 <= mark.offset - way.offset <= NEAR
                ]
                if ways:
                    found[insn.address] = (kind, min(ways)[1])
        return found


def _locks(word: int, wide: bool) -> bool:
    """Whether an instruction writes what locks user access."""
    if word >> 26 != 31:
        return False
    code = word >> 1 & 0x3FF
    if code == MTSPR:
        # The two halves of the register's number are swapped.
        return (word >> 16 & 0x1F | (word >> 11 & 0x1F) << 5) in SPRS
    return code in MTSR and not wide


def _meaning(names: tuple[str, ...]) -> str:
    """What a write does, by the function of asm/kup.h that it was inlined from."""
    for name in names:
        if name in WINDOWS:
            return WINDOWS[name]
        if name in EXCEPTIONS:
            return ""
    return UNKNOWN


def _instruction(obj: ObjectFile, address: Address, word: int) -> Instruction:
    primary = word >> 26
    if primary == 18:
        distance = (word & 0x3FFFFFC ^ 0x2000000) - 0x2000000
        return _direct(obj, address, CALL if word & 1 else JUMP, distance)
    if primary == 16:
        distance = (word & 0xFFFC ^ 0x8000) - 0x8000
        if word & 1:
            # bcl 20,31,.+4: reads the program counter
            return Instruction(address, 4)
        always = word >> 21 & 0x14 == 0x14
        return _direct(obj, address, JUMP if always else BRANCH, distance)
    if primary == 19 and word >> 1 & 0x3FF in (16, 528):
        always = word >> 21 & 0x14 == 0x14
        if word & 1:
            return Instruction(address, 4, CALL)
        if word >> 1 & 0x3FF == 528:
            return Instruction(address, 4, INDIRECT)
        return Instruction(address, 4, RETURN if always else BRANCH)
    if word == ALWAYS_TRAP:
        return Instruction(address, 4, TRAP)
    nop, fence = word in NOPS, word in FENCES
    return Instruction(address, 4, nop=nop, fence=fence, load=_loads(word))


def _loads(word: int) -> bool:
    """Whether a word reads memory that is not the stack's, which r1 points to."""
    primary = word >> 26
    if primary in LOADS or (primary == 31 and word >> 1 & 0x3FF in INDEXED):
        return word >> 16 & 0x1F != 1
    return False


def _direct(obj: ObjectFile, address: Address, kind: str, distance: int) -> Instruction:
    found = obj.relocations(address.section).get(address.offset)
    if found is None:
        target = Address(address.section, address.offset + distance)
        return Instruction(address, 4, kind, target)
    symbol = found.symbol
    if symbol.address is None:
        if RETURNS.match(symbol.name) and kind == JUMP:
            return Instruction(address, 4, RETURN)
        if HELPER.match(symbol.name) and kind == CALL:
            return Instruction(address, 4)
        return Instruction(address, 4, kind, None, symbol.name)
    start = symbol.address
    target = Address(start.section, start.offset + found.addend)
    return Instruction(address, 4, kind, target, symbol.name)
