
.text
.globl f
.type f, @function
f:
1: call copy_user_generic_unrolled
2: movabs $0x7ffffffff000, %rax
3: ret
.size f, . - f
.section .altinstr_replacement, "ax"
4: call copy_user_generic_string
5: call copy_user_enhanced_fast_string
6: movabs $0xfffffffffff000, %rax
7: nop
.section .altinstructions, "a"
.long 1b - .; .long 4b - .; .word 3 * 32 + 16; .byte 5, 5
.long 1b - .; .long 5b - .; .word 9 * 32 + 9; .byte 5, 5
.long 2b - .; .long 6b - .; .word 16 * 32 + 16; .byte 10, 10
.long 3b - .; .long 7b - .; .word 6 * 32 + 6; .byte 1, 1
