// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two branches end in identical statements that the compiler merges
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int ret = 0;
	u8 value;

	switch (k->a) {
	case 1:
		value = k->b0;
		if (copy_to_user(&u->b0, &value, sizeof(value)))
			ret = -EFAULT;
		break;
	case 2:
		value = k->b1;
		if (copy_to_user(&u->b0, &value, sizeof(value)))
			ret = -EFAULT;
		break;
	default:
		ret = -EINVAL;
	}
	return ret;
}
