// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a switch without default, as in emulate_spe()
 * Row: decision: no access
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_read_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 2 u read */
		return -EFAULT;
	switch (k->count) {
	case 2:
		unsafe_get_user(k->a, &u->a, efault);
		fallthrough;
	case 1:
		unsafe_get_user(k->b, &u->b, efault);
	}
	user_read_access_end();
	return 0;

efault:
	user_read_access_end();
	return -EFAULT;
}
