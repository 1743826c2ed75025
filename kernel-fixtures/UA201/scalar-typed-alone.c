// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the local for three casts is the only declaration of its function
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int control(struct karg *k, unsigned int cmd, void __user *arg);

int control(struct karg *k, unsigned int cmd, void __user *arg)
{
	switch (cmd) {
	case 0:
		return copy_from_user(&k->a, arg, sizeof(k->a)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 arg read */
	case 1:
		return copy_to_user(arg, &k->b, sizeof(k->b)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 arg write */
	case 2:
		return copy_to_user(arg, &k->c, sizeof(k->c)) ? -EFAULT : 0;	/* want: UA201 rewrite prepared 1 arg write */
	}
	return -EINVAL;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return control(k, k->index, u);
}
