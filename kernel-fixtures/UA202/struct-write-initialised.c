// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the values of an initializer are stored, and the structure goes
 * Row: unsafe_put_user()
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;
	struct point where = {
		.y = k->b + 1,
		.x = k->a,
		.z = 0,
	};

	return copy_to_user(to, &where, sizeof(where)) ? -EFAULT : 0;	/* want: UA202 rewrite prepared 1 to write */
}
