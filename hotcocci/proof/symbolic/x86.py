# SPDX-License-Identifier: GPL-2.0
"""x86-64 in the symbolic engine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo
import capstone
import pyvex
from capstone import x86_const as cs

from hotcocci.proof.execution.image import Fixup
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.x86 import (
    CLEAR_AX,
    CLEAR_DX,
    DEFAULT,
    FAULT,
    IMM_REG,
    LAYOUT,
    RETURNS,
    THUNK,
    TRACERS,
    UACCESS,
    UCOPY_LEN,
    X86Processor,
)
from hotcocci.proof.symbolic import flags
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import (
    CLOSES,
    FENCE,
    LOCKED,
    NOTHING,
    OPENS,
    PLAIN,
    PORT,
    RELAX,
    STRING,
    TRAP,
    Decoded,
    Registers,
    Special,
    with_registers,
)
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

ARCH = archinfo.ArchAMD64()
FENCES = ("mfence", "sfence")
# lfence orders nothing that others see, and the mitigations are not what is compared.
SILENT = ("lfence", "endbr64", "nop", "prefetcht0", "prefetchnta", "prefetchw")
PORTS = re.compile(r"(?:in|out)(?:s[bwd])?$")
# Interrupts off and on; VEX has no privileged instructions.
PRIVILEGED = ("cli", "sti", "hlt", "wbinvd", "invd")
# EFLAGS_D, the alignment check and the identification flag.
DIRECTION, ALIGNED, IDENTIFIED = "d", "ac", "id"


def _offset(name: str) -> int:
    return int(ARCH.registers[name][0])


def _offsets(names: str) -> tuple[int, ...]:
    return tuple(_offset(name) for name in names.split())


REGISTERS = Registers(
    64,
    sp=_offset("rsp"),
    results=(_offset("rax"), _offset("rdx")),
    arguments=_offsets("rdi rsi rdx rcx r8 r9"),
    spoiled=_offsets("rax rcx rdx rsi rdi r8 r9 r10 r11"),
    # struct pt_regs by pt_regs_nr(), arch/x86/include/asm/insn-eval.h
    numbered=_offsets("rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15"),
    marked=(_offset("rdi"), _offset("rsi")),
)
FLAGS = tuple(_offset(name) for name in ("cc_op", "cc_dep1", "cc_dep2", "cc_ndep"))


class X86:
    """See Architecture."""

    name = "x86-64"
    layout = LAYOUT
    convention: Convention = X86Processor.convention
    registers = REGISTERS
    flags: Sequence[int] = FLAGS
    counter = _offset("rcx")
    framed: Mapping[int, int] = MappingProxyType({6: _offset("rbp"), 7: _offset("rsp")})
    moved = (_offset("rdi"), _offset("rsi"))
    # lib/usercopy.c: destination, source, bytes
    loads: Sequence[str] = ("_copy_from_user",)
    stores: Sequence[str] = ("_copy_to_user",)
    both: Sequence[str] = ()
    fills: Sequence[str] = ()
    whole: frozenset[str] = frozenset()
    readable = False
    tells_zeros = True
    ignored: frozenset[str] = frozenset()
    task: int | None = None

    def __init__(self) -> None:
        self._capstone = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._capstone.detail = True

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """So many instructions in VEX."""
        return pyvex.lift(
            code, address, ARCH, max_inst=count, max_bytes=len(code), opt_level=1
        )

    def decode(self, code: bytes, address: int) -> Decoded:
        """What the instruction at an address is. Raises UnsupportedError."""
        found = next(self._capstone.disasm(code, address, 1), None)
        if found is None:
            raise UnsupportedError(f"the instruction at {address:#x} is not known")
        name = found.mnemonic.rpartition(" ")[2]
        text = f"{found.mnemonic} {found.op_str}".strip()
        memory = [o for o in found.operands if o.type == cs.X86_OP_MEM]
        ends = bool(
            found.group(capstone.CS_GRP_JUMP)
            or found.group(capstone.CS_GRP_CALL)
            or found.group(capstone.CS_GRP_RET)
        )
        if name in ("stac", "clac"):
            return Decoded(found.size, OPENS if name == "stac" else CLOSES, text)
        if found.mnemonic.startswith("rep") and name[:4] in ("movs", "stos"):
            size = memory[0].size
            return Decoded(found.size, STRING, text, size, name.startswith("stos"))
        if name in ("ud2", "ud1"):
            return Decoded(found.size, TRAP, text)
        if name in SILENT:
            return Decoded(found.size, NOTHING, text)
        if name == "pause":
            return Decoded(found.size, RELAX, name)
        if name in FENCES:
            return Decoded(found.size, FENCE, name)
        if name in PRIVILEGED:
            return Decoded(found.size, FENCE, name)
        if PORTS.match(name):
            return Decoded(found.size, PORT, name)
        if found.prefix[0] == cs.X86_PREFIX_LOCK or (name == "xchg" and memory):
            return Decoded(found.size, LOCKED, name)
        target = found.operands[0] if ends and found.operands else None
        known = target is not None and target.type == cs.X86_OP_IMM
        return Decoded(
            found.size,
            PLAIN,
            text,
            ends=ends,
            calls=target.imm & v.mask(64) if target is not None and known else None,
            through=target is not None and not known,
        )

    def start(self, side: str) -> dict[int, Word]:
        """The registers with which a function is entered, but for arguments and stack."""
        found: dict[int, Word] = {}
        for number, offset in enumerate(REGISTERS.numbered):
            found[offset] = v.unknown(f"poison {side} register {number}", 64)
        base = (LAYOUT.percpu - LAYOUT.outside) & v.mask(64)
        found |= dict.fromkeys(FLAGS, 0)
        found |= {_offset("gs"): base, _offset("fs"): 0, _offset(DIRECTION): 1}
        found |= {_offset(ALIGNED): 0, _offset(IDENTIFIED): 0}
        return found

    def fault(self, state: State, fixup: Fixup) -> State:
        """Go on as the exception table says (arch/x86/mm/extable.c). Raises UnsupportedError."""
        register, bits, number = fixup.data & 0xF, fixup.data & 0xF0, fixup.data >> 8
        changes: dict[int, Word] = {}
        if fixup.kind == IMM_REG:
            changes[REGISTERS.numbered[register]] = number & v.mask(64)
        elif fixup.kind == UCOPY_LEN:
            cx = _offset("rcx")
            left = v.term(state.registers[cx], 64) * number
            more = state.registers[REGISTERS.numbered[register]]
            changes[cx] = v.plain(v.add(left, more, 64))
        elif fixup.kind not in (DEFAULT, FAULT, UACCESS):
            raise UnsupportedError(f"exception table type {fixup.kind}")
        if bits & CLEAR_AX:
            changes[_offset("rax")] = 0
        if bits & CLEAR_DX:
            changes[_offset("rdx")] = 0
        return replace(with_registers(state, changes), pc=fixup.target)

    def zeroed(self, fixup: Fixup | None, routine: str) -> int | None:
        """The register that a fault sets to 0 in place of what was to be loaded."""
        # arch/x86/lib/getuser.S
        return _offset("rdx") if routine.startswith("__get_user_") else None

    def perform(self, state: State, found: Decoded) -> State:
        """There are no system instructions."""
        raise UnsupportedError(f"'{found.text}'")

    def untagged(self, address: Word) -> Word:
        """A user address as the processor uses it."""
        return address

    def unmasked(self, address: Word) -> tuple[Word, Truth]:
        """The code does not mask what it accesses."""
        return address, 1

    def special(self, state: State, name: str) -> Special | None:
        """What a routine of other objects is, if it is no call."""
        if name in TRACERS or name in RETURNS:
            return Special(returns=True)
        thunk = THUNK.match(name)
        if thunk:
            return Special(jumps=state.registers[_offset(thunk[1])])
        return None

    def returns(self, name: str) -> bool:
        """Whether a routine of other objects returns to its caller's caller."""
        return name in RETURNS

    def jumps(self, name: str) -> bool:
        """Whether a routine of other objects is a jump through a register."""
        return THUNK.match(name) is not None

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        """What a helper of VEX computes. Raises UnsupportedError."""
        try:
            if name == "amd64g_calculate_condition":
                code = arguments[0]
                if not isinstance(code, int):
                    raise UnsupportedError("flags of an unknown operation")
                return v.as_word(flags.condition(code, flags.Thunk(*arguments[1:])), 64)
            if name == "amd64g_calculate_rflags_c":
                return flags.carry(flags.Thunk(*arguments))
            if name == "amd64g_calculate_rflags_all":
                return flags.everything(flags.Thunk(*arguments))
        except flags.UnknownFlagsError as error:
            raise UnsupportedError(str(error)) from error
        raise UnsupportedError(f"helper {name}")
