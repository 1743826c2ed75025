// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop stores the same element from its third iteration on
 * Verdict: different
 * Says: user store 4
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i, n = k->count;

	if (n > 8)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (put_user(k->words[i], &u->words[i]))
			return -EFAULT;
	}

	return 0;
}
