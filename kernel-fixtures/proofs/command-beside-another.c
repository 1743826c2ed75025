// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a switch over ioctl commands that differ in one digit
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 value;

	switch (k->a) {
	case 0x80045705:
		audit(k);
		break;
	case 0x80045701:
		k->b = 1;
		break;
	case 0x80045704:
		if (copy_from_user(&value, &u->a, sizeof(value)))
			return -EFAULT;
		k->c = value;
		break;
	case 0x80285700:
		k->d = 1;
		break;
	default:
		return -ENOTTY;
	}

	return 0;
}
