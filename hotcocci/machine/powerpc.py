# SPDX-License-Identifier: GPL-2.0
"""Decode PowerPC, which opens windows by writing MD_AP (8xx), segment registers (book3s32) or AMR (book3s64).

The value written does not tell whether a window opens, as each book3s64 thread has its own AMR; the
inlined function of asm/kup.h that contains the write does. Feature sections are taken as if the
feature were present (asm/feature-fixups.h), as are static branches on mmu_feature_keys
(asm/cpu_has_feature.h).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping

from hotcocci.machine import powerpc_insn as ppc
from hotcocci.machine.code import (
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
    Instruction,
    Marks,
    Names,
    jump_labels,
    meaning,
)
from hotcocci.machine.elf import POWERPC64, Address, ObjectFile

# arch/powerpc/include/asm/kup.h and what it includes
WINDOWS = {
    "allow_user_access": OPEN,
    "prevent_user_access": CLOSE,
    "prevent_user_access_return": SAVE,
    "restore_user_access": RESTORE,
}
# Kernel entry and exit, which restore the state that an exception interrupted.
EXCEPTIONS = ("kuap_user_restore", "__kuap_kernel_restore", "__kuap_save_and_lock")
EFFECTS = {**WINDOWS, **dict.fromkeys(EXCEPTIONS, "")}

# MMU_FTR_KUAP in asm/mmu.h is bit 9, and a struct static_key has 16 bytes.
KUAP_KEY = ("mmu_feature_keys", 9 * 16)
# Maximum bytes from a branch on KUAP_NONE to the guarded write: store, mfsrin, logic, mtsrin
NEAR = 32
ALWAYS_TRAP = 0x0FE00000
# ori r1,r1,0 and ori r2,r2,0 also end an instruction group.
NOPS = (0x60000000, 0x60210000, 0x60420000)
FENCES = (ppc.ISYNC, ppc.SYNC, ppc.LWSYNC)
# gcc's register save and restore helpers; those with _x also return (arch/powerpc/lib/crtsavres.S).
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
        """Find the instructions that open and close user access."""
        at: dict[Address, str] = {}
        for section in obj.executable:
            data = obj.data(section)
            words = struct.unpack(
                f"{obj.order}{len(data) // 4}I", data[: len(data) & ~3]
            )
            for index, word in enumerate(words):
                if _locks(word, obj.machine == POWERPC64):
                    address = Address(section, 4 * index)
                    effect = meaning(names(address), EFFECTS)
                    if effect:
                        at[address] = effect
        edges = jump_labels(obj, frozenset({KUAP_KEY}))
        return Marks(at, edges, self._choices(obj, at, names))

    def _choices(
        self, obj: ObjectFile, at: Mapping[Address, str], names: Names
    ) -> dict[Address, tuple[str, Address]]:
        """The branches on KUAP_NONE in asm/book3s/32/kup.h, which skip closing a closed window."""
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
                kind = meaning(names(insn.address), EFFECTS)
                if kind not in (SAVE, RESTORE):
                    continue
                skips = [
                    (mark.offset - target.offset, target)
                    for target in (insn.target, insn.following)
                    for mark, meaning in saving.items()
                    if meaning == kind
                    and mark.section == target.section
                    and 0 <= mark.offset - target.offset <= NEAR
                ]
                if skips:
                    found[insn.address] = (kind, min(skips)[1])
        return found


def _locks(word: int, wide: bool) -> bool:
    """Whether an instruction writes a register that locks user access."""
    if word >> 26 != ppc.THIRTYONE:
        return False
    code = ppc.extended(word)
    if code == ppc.MTSPR:
        return ppc.spr(word) in (ppc.MD_AP, ppc.AMR)
    return code in (ppc.MTSR, ppc.MTSRIN) and not wide


def _instruction(obj: ObjectFile, address: Address, word: int) -> Instruction:
    primary, links = word >> 26, word & 1
    if primary == ppc.B:
        return _direct(obj, address, CALL if links else JUMP, ppc.distance(word))
    conditional = ppc.is_conditional(word)
    if primary == ppc.BC:
        if links:
            # bcl 20,31,.+4: reads the program counter
            return Instruction(address, 4)
        kind = BRANCH if conditional else JUMP
        return _direct(obj, address, kind, ppc.distance(word))
    if primary == ppc.NINETEEN and ppc.extended(word) in (ppc.BCLR, ppc.BCCTR):
        if links:
            return Instruction(address, 4, CALL)
        if ppc.extended(word) == ppc.BCCTR:
            return Instruction(address, 4, INDIRECT)
        return Instruction(address, 4, BRANCH if conditional else RETURN)
    if word == ALWAYS_TRAP:
        return Instruction(address, 4, TRAP)
    nop, fence = word in NOPS, word in FENCES
    return Instruction(address, 4, nop=nop, fence=fence, load=_loads(word))


def _loads(word: int) -> bool:
    """Whether an instruction reads memory other than the stack (based on r1)."""
    return ppc.loads(word) and ppc.registers(word)[1] != 1


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
