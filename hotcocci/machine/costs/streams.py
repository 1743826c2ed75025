# SPDX-License-Identifier: GPL-2.0
"""Give the instructions of paths to llvm-mca, and model their cycles with the rates it finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import capstone

from hotcocci.engines import llvm_mca
from hotcocci.findings import Gain
from hotcocci.machine.code import PLAIN, Instruction
from hotcocci.machine.costs import Rates, modelled, processors
from hotcocci.machine.elf import ARM64, I386, POWERPC, POWERPC64, X86_64, ObjectFile
from hotcocci.saves import of_gains

# Lines of assembly.
Stream = tuple[str, ...]

BIG, LITTLE = capstone.CS_MODE_BIG_ENDIAN, capstone.CS_MODE_LITTLE_ENDIAN
DECODERS = {
    X86_64: (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
    I386: (capstone.CS_ARCH_X86, capstone.CS_MODE_32),
    ARM64: (capstone.CS_ARCH_ARM64, LITTLE),
    POWERPC: (capstone.CS_ARCH_PPC, capstone.CS_MODE_32 | BIG),
    POWERPC64: (capstone.CS_ARCH_PPC, capstone.CS_MODE_64 | LITTLE),
}
# llvm-mca's triple of each kernel, and the directive for capstone's syntax.
X86 = ".intel_syntax noprefix"
TRIPLES = {
    "x86-64": ("x86_64", X86),
    "i386": ("i386", X86),
    "arm64": ("aarch64", ""),
    "powerpc-8xx": ("powerpc", ""),
    "powerpc-book3s32": ("powerpc", ""),
    "powerpc-book3s64": ("powerpc64le", ""),
}


@dataclass(frozen=True)
class Counted:
    """A gain without cycles, and the paths that were counted before and after."""

    gain: Gain
    streams: tuple[Stream, Stream]


def stream(obj: ObjectFile, path: Iterable[Instruction]) -> Stream:
    """The plain instructions of a path as assembly: no branches, copies, fences or nops."""
    decoder = capstone.Cs(*DECODERS[obj.machine])
    if obj.machine in (POWERPC, POWERPC64):
        # LLVM's assembler writes registers as numbers.
        decoder.syntax = capstone.CS_OPT_SYNTAX_NOREGNAME
    lines = []
    for insn in path:
        if insn.kind != PLAIN or insn.nop or insn.fence or insn.copy:
            continue
        section, offset = insn.address
        code = obj.data(section)[offset : offset + insn.size]
        for _, _, name, operands in decoder.disasm_lite(code, offset):
            lines.append(f"{name} {operands}")
    return tuple(lines)


def with_cycles(counted: Sequence[Counted]) -> list[Gain]:
    """The gains of one unit with their cycles on each processor."""
    found = []
    rates = _rates(counted)
    for each, known in zip(counted, rates, strict=True):
        gain = each.gain
        taken = modelled(gain.before, gain.after, gain.target, known)
        gain = replace(gain, cycles=taken)
        found.append(replace(gain, saves=of_gains([gain])))
    return found


def _rates(counted: Sequence[Counted]) -> list[dict[str, Rates]]:
    """The rates of each gain's paths, by processor; one run of llvm-mca for each processor."""
    found: list[dict[str, Rates]] = [{} for _ in counted]
    streams = [side for each in counted for side in each.streams]
    targets = {each.gain.target for each in counted}
    for processor in processors():
        if not processor.mca or not targets.intersection(processor.targets):
            continue
        triple, head = TRIPLES[next(iter(targets))]
        made = llvm_mca.rates(triple, processor.mca, head, streams)
        for number, known in enumerate(found):
            known[processor.name] = made[2 * number], made[2 * number + 1]
    return found
