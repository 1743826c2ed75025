// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an end that also ends a window of the other direction
 * Row: shared-end
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err = -EFAULT;

	if (k->flag) {
		if (!user_access_begin(u, sizeof(*u)))	/* want: UA103 report shared-end 1 u read */
			return -EFAULT;
		unsafe_get_user(k->a, &u->a, out);
	} else {
		if (!user_access_begin(u, sizeof(*u)))	/* want: UA103 report shared-end 1 u write */
			return -EFAULT;
		unsafe_put_user(k->a, &u->a, out);
	}
	err = 0;
out:
	user_access_end();
	return err;
}
