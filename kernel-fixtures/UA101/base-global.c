// SPDX-License-Identifier: GPL-2.0
/*
 * Title: another processor may change the user pointer between the check and the accesses
 * Row: base in memory
 * Shape: A
 * Twin: base-static
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static struct uarg __user *shared_area;

int subject(struct karg *k, struct uarg __user *u)
{
	shared_area = u;
	if (put_user(k->a, &shared_area->a) ||	/* want: UA101 report base-changes 3 shared_area write */
	    put_user(k->b, &shared_area->b) ||
	    put_user(k->c, &shared_area->c))
		return -EFAULT;

	return 0;
}
