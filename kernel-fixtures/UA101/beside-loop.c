// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop over another object stays as it is
 * Row: what stays beside a window
 * Shape: C
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *ids = &u->c;
	u32 size;

	if (get_user(size, &u->a))	/* want: UA101 rewrite manual 2 u rw */
		return -EFAULT;
	if (put_user(k->count, &u->b))
		return -EFAULT;
	if (size > 2)
		return -EINVAL;

	while (size--) {
		audit(k);
		if (put_user(k->a, ids++))	/* want: UA102 report call-between 1 ids write */
			return -EFAULT;
	}
	return 0;
}
