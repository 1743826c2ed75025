// SPDX-License-Identifier: GPL-2.0
/*
 * Title: array_index_nospec() gets a larger size
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b = k->b, i = k->a;
	if (i >= 8)
		return -EINVAL;
	i = array_index_nospec(i, 8);
	a = k->words[i];

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
