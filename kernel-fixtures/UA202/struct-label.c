// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label is before the copy
 * Row: label and layout
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct point where;

again:
	if (copy_from_user(&where, &u->pos, sizeof(where)))	/* want: UA202 rewrite prepared 1 &u->pos read */
		return -EFAULT;
	k->pos = where;
	audit(k);
	if (k->index-- > 1)
		goto again;
	return 0;
}
