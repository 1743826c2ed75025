// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: signal
 * Sizes: 1
 * Reaches: ia32_setup_frame ia32_restore_sigcontext
 * Machines: x86-64
 * Options: IA32_EMULATION
 */
#include "bench.h"

/* What sigreturn loses: addresses above 4 GiB, and registers that 32-bit code lacks */
static uint64_t kept, storage;
static char stack[8192] __attribute__((aligned(16)));
/* 32-bit code: pop %eax twice; mov $119, %eax; int $0x80, which is sigreturn() */
static const unsigned char handler[] = { 0x58, 0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80 };

static int setup(int size)
{
	struct {
		uint32_t handler, flags, restorer, mask[2];
	} *action = (void *)object;
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	storage = (uintptr_t)__builtin_thread_pointer();
	memcpy(code, handler, sizeof(handler));
	action->handler = (uintptr_t)code;
	/* rt_sigaction() of SIGUSR1; without SA_SIGINFO the frame is the old one. */
	return call32(174, 10, OBJECT32, 0, 8, 0);
}

static long once(int size)
{
	long result = 37, number = 10, pid = getpid();

	/* kill() on a stack below 4 GiB; then the stack and, by arch_prctl(ARCH_SET_FS), thread storage as before */
	asm volatile("push %%rbp; push %%r12; push %%r13; push %%r14; push %%r15; push %%rbx\n\t"
		     "mov %%rsp, %[kept]; mov %[top], %%rsp; mov %%edx, %%ebx; int $0x80; mov %[kept], %%rsp\n\t"
		     "push %%rax; mov $158, %%eax; mov $0x1002, %%edi; mov %[storage], %%rsi; syscall; pop %%rax\n\t"
		     "pop %%rbx; pop %%r15; pop %%r14; pop %%r13; pop %%r12; pop %%rbp"
		     : "+a"(result), "+c"(number), "+d"(pid), [kept] "+m"(kept)
		     : [top] "i"(stack + sizeof(stack)), [storage] "m"(storage)
		     : "memory", "cc", "rsi", "rdi", "r8", "r9", "r10", "r11");
	return result;
}

OPERATION(once(size), .setup = setup);
