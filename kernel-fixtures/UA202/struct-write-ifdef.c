// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a structure whose values depend on the configuration stays
 * Row: unsafe_put_user()
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;
	struct point where;

	audit(k);

	/* as user space expects it */
	where.z = k->c;
	where.x = k->words[1];
#ifndef CONFIG_SMALL
	where.y = k->b;
#endif

	if (copy_to_user(to, &where, sizeof(where)))	/* want: UA202 rewrite prepared 1 to write */
		return -EFAULT;
	return 0;
}
