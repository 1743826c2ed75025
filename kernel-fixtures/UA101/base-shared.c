// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function moved the pointer before; nothing between the accesses can
 * Row: the base does not change between the accesses
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static __attribute__((__noinline__)) void skip(struct point __user **to)
{
	(*to)++;
}

int subject(struct karg *k, struct uarg __user *u)
{
	struct point __user *p = u->pts;

	skip(&p);
	if (put_user(k->a, &p->x) ||	/* want: UA101 rewrite safe 3 p write */
	    put_user(k->b, &p->y) ||
	    put_user(k->c, &p->z))
		return -EFAULT;
	return 0;
}
