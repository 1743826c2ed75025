// SPDX-License-Identifier: GPL-2.0
/*
 * Title: copies through one void pointer, in one block, in a block inside it and in others
 * Row: one variable for a pointer
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int other(struct karg *k, void __user *p)
{
	struct point x;

	if (copy_from_user(&x, p, sizeof(x)))	/* want: UA202 rewrite prepared 1 p read */
		return -EFAULT;
	x.x++;
	if (x.y) {
		if (copy_to_user(p, &x, sizeof(x)))	/* want: UA202 rewrite prepared 1 p write */
			return -EFAULT;
	}
	k->a = x.z;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	void __user *p = u->pts;
	struct point x;

	if (k->index == 1) {
		if (copy_from_user(&x, p, sizeof(x)))	/* want: UA202 rewrite prepared 1 p read */
			return -EFAULT;
		p += sizeof(x);
		if (copy_to_user(p, &x, sizeof(x)))	/* want: UA202 rewrite prepared 1 p write */
			return -EFAULT;
	}
	if (k->index == 2) {
		if (copy_from_user(&x, p, sizeof(x)))	/* want: UA202 rewrite prepared 1 p read */
			return -EFAULT;
		k->b = x.x + x.y + x.z;
	}
	p += sizeof(x);
	if (copy_from_user(&x, p, sizeof(x)))	/* want: UA202 rewrite prepared 1 p read */
		return -EFAULT;
	k->c = x.x;
	return other(k, p);
}
