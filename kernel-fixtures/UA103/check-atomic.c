// SPDX-License-Identifier: GPL-2.0
/*
 * Title: page faults are disabled
 * Row: faults-disabled
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;
	u32 a;

	pagefault_disable();
	if (!access_ok(u, sizeof(*u))) {	/* want: UA103 report faults-disabled 1 u read */
		ret = -EFAULT;
		goto out;
	}
	if (__get_user(a, &u->a)) {
		ret = -EFAULT;
		goto out;
	}
	k->a = a;
out:
	pagefault_enable();
	return ret;
}
