// SPDX-License-Identifier: GPL-2.0
/*
 * Title: three casts of one argument become a local with one cast
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int control(struct karg *k, unsigned int cmd, unsigned long arg);

int control(struct karg *k, unsigned int cmd, unsigned long arg)
{
	u32 value;
	s32 other;

	switch (cmd) {
	case 0:
		if (copy_from_user(&value, (void __user *)arg, sizeof(value)))	/* want: UA201 rewrite prepared 1 arg read */
			return -EFAULT;
		k->a = value;
		return 0;
	case 1:
		other = k->b;
		if (copy_to_user((void __user *)arg, &other, sizeof(other)))	/* want: UA201 rewrite prepared 1 arg write */
			return -EFAULT;
		return 0;
	case 2:
		value = k->c;
		return copy_to_user((void __user *)arg, &value, sizeof(value)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 arg write */
	}
	return -EINVAL;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return control(k, k->index, (unsigned long)u);
}
