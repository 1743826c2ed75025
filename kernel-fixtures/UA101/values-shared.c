// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one variable gets two values, and each is used before the next
 * Row: computing between accesses
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;

	if (get_user(word, &u->a))	/* want: UA101 rewrite manual 3 u read */
		return -EFAULT;
	k->a = word << 1;
	if (get_user(word, &u->b))
		return -EFAULT;
	k->b = word << 1;
	if (get_user(k->c, &u->c))
		return -EFAULT;
	return 0;
}
