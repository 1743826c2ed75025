// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a return address stays in its function
 * Verdict: proven
 */
#include <linux/instruction_pointer.h>

extern void told(unsigned long ip, int x);

int subject(int x)
{
	if (x < 0) {
		told(_RET_IP_, x);
		return -1;
	} else {
		return x;
	}
}
