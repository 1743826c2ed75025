// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the outcome is returned
 * Row: unsafe_copy_to_user()
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;

	return copy_to_user(to, &k->pos, sizeof(*to)) ? -EFAULT : 0;	/* want: UA202 rewrite prepared 1 to write */
}
