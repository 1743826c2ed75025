// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is a parameter that never changes, as in io_get_ext_arg()
 * Row: hoisted pointer
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static int other(struct karg *k, void __user *from)
{
	struct point p;

	if (k->flag > 1)
		return -EINVAL;
	if (copy_from_user(&p, from, sizeof(p)))	/* want: UA202 rewrite prepared 1 from read */
		return -EFAULT;
	k->a = p.x;
	k->b = p.y;
	k->c = p.z;

	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return other(k, &u->pos);
}
