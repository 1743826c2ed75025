// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper has another return address, unless it is inlined
 * Verdict: not proven
 * Says: which may be inlined
 */
#include <linux/kernel.h>
#include <linux/instruction_pointer.h>

extern void subject_log(unsigned long ip, int x);
int subject(int x)
{
	if (x < 0) {
		subject_log(_RET_IP_, x);
		return -1;
	}
	return x;
}
