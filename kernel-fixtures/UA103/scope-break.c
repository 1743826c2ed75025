// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a break that leaves the loop around the window
 * Row: jumps-inside
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report other-form 1 u read */
			return -EFAULT;
		unsafe_get_user(k->a, &u->a, efault);
		if (k->a) {
			user_read_access_end();
			break;
		}
		user_read_access_end();
	}
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
