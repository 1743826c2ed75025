// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a branch that another function marks as cold
 * Row: hot functions alone
 * Twin: struct-likely
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static bool has_more(const struct point __user *extra)
{
	if (unlikely(extra != NULL))
		return true;
	return false;
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *extra = k->flag ? &u->pos : NULL;
	struct point where;

	k->a = has_more(extra);
	if (extra) {
		if (copy_from_user(&where, extra, sizeof(where)))	/* want: UA202 report not-hot 1 extra read */
			return -EFAULT;
		k->pos = where;
	}
	return 0;
}
