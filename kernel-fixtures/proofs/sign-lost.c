// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a signed value is loaded as unsigned
 * Verdict: different
 * Says: kernel memory
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	s32 first, second;

	if (get_user(first, &u->s0) || get_user(second, &u->s1))
		return -EFAULT;

	k->q0 = (s64)first + second;
	return 0;
}
