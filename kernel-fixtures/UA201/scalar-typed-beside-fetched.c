// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what the local is made of is fetched
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int control(struct karg *k, unsigned int cmd, unsigned long arg);

int control(struct karg *k, unsigned int cmd, unsigned long arg)
{
	void __user *argp = (void __user *)arg;
	u32 value;
	s32 other;

	switch (cmd) {
	case 0:
		if (copy_from_user(&value, argp, sizeof(value)))	/* want: UA201 rewrite prepared 1 argp read */
			return -EFAULT;
		k->a = value;
		return 0;
	case 1:
		other = k->b;
		if (copy_to_user(argp, &other, sizeof(other)))	/* want: UA201 rewrite prepared 1 argp write */
			return -EFAULT;
		return 0;
	case 2:
		value = k->c;
		return copy_to_user(argp, &value, sizeof(value)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 argp write */
	case 3:
		if (get_user(arg, (unsigned long __user *)arg))
			return -EFAULT;
		if (copy_from_user(&value, 1 + (u32 __user *)arg, sizeof(value)))	/* want: UA201 rewrite safe 1 - read */
			return -EFAULT;
		k->h0 = value;
		return 0;
	case 4:
		return copy_to_user(argp, k->words, sizeof(k->words)) ? -EFAULT : 0;
	}
	return -EINVAL;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return control(k, k->index, (unsigned long)u);
}
