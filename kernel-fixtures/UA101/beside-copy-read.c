// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a part of the object that is read is copied beside the window
 * Row: what stays beside a window
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 words[4];

	if (get_user(k->a, &u->a) || get_user(k->b, &u->b) || get_user(k->c, &u->c) ||	/* want: UA101 rewrite manual 3 u read */
	    copy_from_user(words, &u->words, sizeof(words)))
		return -EFAULT;
	k->d = words[0];
	return 0;
}
