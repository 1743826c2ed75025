
.text
.globl f
.type f, @function
f:
1: .byte 0x90, 0x90, 0x90
2: mov (%rdi), %eax
3: ret
.size f, . - f
.section .altinstr_replacement, "ax"
4: stac
