// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a lock is held under which a fault may not sleep
 * Row: atomic context
 * Twin: struct-write
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *to = &u->pos;
	int left;

	spin_lock(&k->spin);
	left = copy_to_user(to, &k->pos, sizeof(*to)) ? -EFAULT : 0;	/* want: UA202 report atomic-context 1 to write */
	spin_unlock(&k->spin);
	return left;
}
