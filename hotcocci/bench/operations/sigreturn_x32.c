// SPDX-License-Identifier: GPL-2.0
/*
 * Unit: signal
 * Sizes: 1
 * Reaches: x32_setup_rt_frame __do_compat_sys_x32_rt_sigreturn
 * Machines: x86-64
 * Options: X86_X32_ABI
 */
#include "bench.h"

/* rt_sigreturn() of the x32 entry */
void restorer(void);
asm("restorer: mov $0x40000201, %eax; syscall");

static volatile int seen;

static void handler(int number)
{
	seen = number;
}

static int setup(int size)
{
	struct {
		uint32_t handler, flags, restorer, mask[2];
	} action = { .handler = (uintptr_t)handler, .flags = 0x04000000, .restorer = (uintptr_t)restorer };

	/* rt_sigaction() of SIGUSR1 with SA_RESTORER */
	return syscall(0x40000000 + 512, 10, &action, NULL, 8);
}

OPERATION(syscall(SYS_kill, getpid(), 10), .setup = setup);
