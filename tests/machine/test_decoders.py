# SPDX-License-Identifier: GPL-2.0
"""Instructions that load memory outside the stack, branches and special registers."""

import pytest

from hotcocci.machine import arm64, powerpc, x86

X86 = {
    ("mov", "rax, qword ptr gs:[rip]"): True,
    ("mov", "rax, qword ptr [rbx + 0xcf8]"): True,
    ("mov", "qword ptr [rbx + 8], rax"): False,
    ("mov", "rax, rbx"): False,
    ("movzx", "eax, word ptr [rdi]"): True,
    ("movups", "xmmword ptr [rdi], xmm0"): False,
    ("cmp", "qword ptr [rax + 0x58], 0"): True,
    ("test", "byte ptr [rdi], 1"): True,
    ("add", "dword ptr [rdi], 1"): True,
    ("lea", "rax, [rbx + 8]"): False,
    ("mov", "rax, qword ptr [rsp + 8]"): False,
    ("mov", "rax, qword ptr [rbp - 0x18]"): False,
    ("mov", "rax, qword ptr [rbp + 0x18]"): True,
    ("mov", "eax, dword ptr [esp + 8]"): False,
    ("sete", "byte ptr [rdi]"): False,
    ("push", "qword ptr [rdi]"): True,
    ("pop", "rbx"): False,
    ("call", "qword ptr [rip + 0x10]"): True,
    ("nop", "dword ptr [rax]"): False,
    ("prefetcht0", "byte ptr [rax]"): False,
}

ARM64 = {
    0xF9400000: True,  # ldr x0, [x0]
    0xB9400C41: True,  # ldr w1, [x2, #12]
    0xF9000000: False,  # str x0, [x0]
    0xF94003E0: False,  # ldr x0, [sp]
    0xF94013A0: False,  # ldr x0, [x29, #32]
    0xA9400400: True,  # ldp x0, x1, [x0]
    0xA9000400: False,  # stp x0, x1, [x0]
    0xA8C17BFD: False,  # ldp x29, x30, [sp], #16
    0xF8408400: True,  # ldr x0, [x0], #8
    0x39400000: True,  # ldrb w0, [x0]
    0x39800000: True,  # ldrsb x0, [x0]
    0xF9800000: False,  # prfm pldl1keep, [x0]
    0x58000000: True,  # ldr x0, from a literal pool
    0xC85F7C00: True,  # ldxr x0, [x0]
    0xC8007C20: False,  # stxr w0, x0, [x1]
    0xB8200041: True,  # ldadd w0, w1, [x2]
    0xC8A07C41: True,  # cas x0, x1, [x2]
    0x8B010000: False,  # add x0, x0, x1
    0xD5384100: False,  # mrs x0, sp_el0
}

POWERPC = {
    0x80630000: True,  # lwz r3, 0(r3)
    0x80610008: False,  # lwz r3, 8(r1)
    0x8082042C: True,  # lwz r4, 1068(r2)
    0x90630000: False,  # stw r3, 0(r3)
    0xE8630000: True,  # ld r3, 0(r3)
    0x88630001: True,  # lbz r3, 1(r3)
    0x7C63202E: True,  # lwzx r3, r3, r4
    0x7C632214: False,  # add r3, r3, r4
    0x38630001: False,  # addi r3, r3, 1
}


def test_loads():
    assert {text: x86._loads(*text) for text in X86} == X86
    assert {hex(w): arm64._loads(w) for w in ARM64} == {hex(w): ARM64[w] for w in ARM64}
    found = {hex(w): powerpc._loads(w) for w in POWERPC}
    assert found == {hex(w): POWERPC[w] for w in POWERPC}


ARM64_BRANCHES = {
    0x14000001: 4,  # b
    0x97FFFFFF: -4,  # bl
    0x54000040: 8,  # b.eq
    0xB4FFFFE0: -4,  # cbz x0
    0x3607FFE0: -4,  # tbz w0, #0
    0xD65F03C0: None,  # ret
    0xF9400000: None,  # ldr x0, [x0]
}
POWERPC_BRANCHES = {
    0x48000004: 4,  # b
    0x4BFFFFFD: -4,  # bl
    0x4182FFF8: -8,  # beq
}
CONDITIONAL = {
    0x4182FFF8: True,  # beq
    0x4D820020: True,  # beqlr
    0x4E800020: False,  # blr
    0x4E800420: False,  # bctr
    0x429F0005: False,  # bcl 20,31,.+4
    0x60000000: False,  # nop
}


@pytest.mark.parametrize(
    ("reader", "known"),
    [
        (arm64.distance, ARM64_BRANCHES),
        (powerpc.distance, POWERPC_BRANCHES),
        (powerpc.is_conditional, CONDITIONAL),
    ],
    ids=["arm64", "powerpc", "conditions"],
)
def test_branches(reader, known):
    assert {hex(word): reader(word) for word in known} == {
        hex(word): wanted for word, wanted in known.items()
    }


def test_special_registers():
    # mtspr SPRN_MD_AP, r9, and msr ttbr0_el1, x3
    assert powerpc.spr(0x7D3AC3A6) == powerpc.MD_AP
    assert 0xD5182003 in arm64.MSR_TTBR0
