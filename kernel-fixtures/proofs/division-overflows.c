// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a division of the least number by -1 traps, which was tested for before
 * Verdict: not proven
 * Unproven: no run has these two numbers
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	s32 result = 0;

	if (k->s1 == -1)
		result = -k->s0;
	else if (k->s1)
		result = k->s0 / k->s1;
	return put_user(result, &u->s0);
}
