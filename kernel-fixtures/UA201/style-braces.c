// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one statement after a condition that fits on its line now needs no braces
 * Row: touched lines
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;

	if (copy_to_user(&u->words[2], &k->words[k->index],	/* want classic: UA201 rewrite safe 1 &u->words[2] write */ /* want scoped: UA201 rewrite manual 1 &u->words[2] write */
			 sizeof(k->words[k->index]))) {
		return -EFAULT;
	}
	if (copy_to_user(&u->b, &k->b, sizeof(u->b)))	/* want classic: UA201 rewrite safe 1 &u->b write */ /* want scoped: UA201 rewrite manual 1 &u->b write */
				ret = -EFAULT;
	return ret;
}
