// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what both branches use stays beside the window
 * Row: 64-bit field
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct span {
	u64 first;
	u64 last;
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct span __user *from = (struct span __user *)&u->q0;
	struct span span;
	int ret;

	ret = copy_from_user(&span, from, sizeof(span));	/* want classic: UA202 rewrite manual 1 from read */ /* want scoped: UA202 rewrite prepared 1 from read */
	if (ret)
		return -EFAULT;

	k->q0 = span.first;
	ret = k->q0 > span.last;
	k->q1 = span.last;

	return ret;
}
