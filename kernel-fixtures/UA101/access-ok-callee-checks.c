// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() before a function that checks the pointer itself
 * Row: access_ok() directly before, only for this run
 * Shape: G
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static int rest(struct karg *k, struct uarg __user *from)
{
	if (!from)
		return -EINVAL;
	return copy_from_user(&k->h0, &from->h0, sizeof(k->h0)) ? -EFAULT : 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	if (!access_ok(u, sizeof(*u)))
		return -EFAULT;
	if (__get_user(k->a, &u->a) || __get_user(k->b, &u->b))	/* want: UA101 rewrite prepared 2 u read */
		return -EFAULT;

	return rest(k, u);
}
