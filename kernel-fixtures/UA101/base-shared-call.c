// SPDX-License-Identifier: GPL-2.0
/*
 * Title: somebody has the address of the pointer, and may change it in a call that a value makes
 * Row: the base does not change between the accesses
 * Shape: A
 * Twin: base-shared
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static struct uarg __user **kept;

static __attribute__((__noinline__)) void keep(struct uarg __user **to)
{
	kept = to;
}

static __attribute__((__noinline__)) u32 next(u32 value)
{
	(*kept)++;
	return value + 1;
}

int subject(struct karg *k, struct uarg __user *u)
{
	keep(&u);
	if (put_user(next(k->a), &u->a) ||	/* want: UA101 report base-changes 3 u write */
	    put_user(next(k->b), &u->b) ||
	    put_user(next(k->c), &u->c))
		return -EFAULT;
	return 0;
}
