// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one of two identical branches stores the other's value
 * Verdict: different
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
