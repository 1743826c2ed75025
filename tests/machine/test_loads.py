# SPDX-License-Identifier: GPL-2.0
"""Instructions that load memory outside the stack."""

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
