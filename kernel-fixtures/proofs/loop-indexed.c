// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop inside a window
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *words = u->words;
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (put_user(k->a + i, words++))
			return -EFAULT;

	return 0;
}
