// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer that the window needs is used by the copy beside it as well
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
	void __user *from = &u->q0;
	struct span span;

	/* Both ends are 64 bits wide */
	if (copy_from_user(&span, from, sizeof(span)))	/* want classic: UA202 rewrite manual 1 from read */ /* want scoped: UA202 rewrite prepared 1 from read */
		goto out;

	k->q0 = span.first;
	k->q1 = span.last;

	return 0;
out:
	audit(k);
	return -EFAULT;
}
