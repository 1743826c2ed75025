// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a quotient is stored, its divisor tested the other way round
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	s32 result = 0;

	if (k->s1)
		result = k->s0 / k->s1;
	return put_user(result, &u->s0);
}
