// SPDX-License-Identifier: GPL-2.0
/*
 * Title: all uses of a void pointer would cast it: it gets the type
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int control(struct karg *k, unsigned int cmd, unsigned long arg);

int control(struct karg *k, unsigned int cmd, unsigned long arg)
{
	void __user *argp = (void __user *)arg;

	switch (cmd) {
	case 0:
		if (copy_from_user(&k->a, argp, sizeof(k->a)))	/* want: UA201 rewrite prepared 1 argp read */
			return -EFAULT;
		return 0;
	case 1:
		if (copy_to_user(argp, &k->b, sizeof(k->b)))	/* want: UA201 rewrite prepared 1 argp write */
			return -EFAULT;
		return 0;
	}
	return -EINVAL;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return control(k, k->index, (unsigned long)u);
}
