// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the registers of a task are read as those of one architecture
 * Verdict: not proven
 * Says: instruction_pointer\(\) may be other code
 */
#include <fixture/arguments.h>
#include <linux/ptrace.h>

int subject(struct karg *k, struct uarg __user *u)
{
	return instruction_pointer((struct pt_regs *)k) != 0;
}
