// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure that is used after the copy stays
 * Row: unsafe_put_user()
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;
	struct point where;

	where.z = k->c;
	where.x = k->a;
	where.y = k->b;

	if (copy_to_user(to, &where, sizeof(where)))	/* want: UA202 rewrite prepared 1 to write */
		return -EFAULT;
	k->total = where.x;
	return 0;
}
