// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper returns NULL on a fault
 * Row: failure as another value
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static struct uarg __user *store_pair(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 2 u write */
	    put_user(k->b, &u->b))
		return NULL;

	return u + 1;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return store_pair(k, u) ? 0 : -EFAULT;
}
