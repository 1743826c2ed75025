// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: call
 * Sizes: 1
 * Reaches: restore_sigcontext
 * Machines: x86-64
 */
#include "bench.h"
#include <signal.h>
#include <ucontext.h>

/* A return address, the context up to its signal mask, and the signal's information */
#define FRAME 440

static char stack[16384], empty[512];
/* Where rt_sigreturn() goes, or the handler of the signal that a bad frame causes */
void landing(void);

static void handler(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	if (number == SIGUSR1)
		memcpy(object, (char *)context - 8, FRAME);
	else
		user->uc_mcontext.gregs[REG_RIP] = (uintptr_t)landing, user->uc_mcontext.gregs[REG_RAX] = -EFAULT;
}

static int setup(int size)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t other = { .ss_sp = stack, .ss_size = sizeof(stack) };
	ucontext_t *user = (ucontext_t *)(object + 8);

	if (sigaction(SIGUSR1, &action, NULL) < 0 || raise(SIGUSR1) || sigaltstack(&other, NULL) < 0)
		return -1;
	user->uc_mcontext.gregs[REG_RIP] = (uintptr_t)landing;
	user->uc_mcontext.gregs[REG_RSP] = (uintptr_t)(empty + sizeof(empty));
	user->uc_mcontext.fpregs = NULL;
	user->uc_stack = other;
	return sigaction(SIGSEGV, &action, NULL);
}

static long once(int size)
{
	static uint64_t kept;
	long result = SYS_rt_sigreturn;
	char *at = object;

	asm volatile("push %%rbx; push %%rbp; push %%r12; push %%r13; push %%r14; push %%r15\n\t"
		     "mov %%rsp, %[kept]; lea 8(%%rdx), %%rsp; syscall\n\t"
		     "landing: mov %[kept], %%rsp; pop %%r15; pop %%r14; pop %%r13; pop %%r12; pop %%rbp; pop %%rbx"
		     : "+a"(result), "+d"(at), [kept] "+m"(kept) :: "memory", "cc", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11");
	errno = -result;
	return result < 0 ? -1 : result;
}

OPERATION(once(size), .setup = setup, .fixed = FRAME);
