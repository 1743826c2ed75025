// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer to the user pointer; what is read may be stored in it
 * Row: the base does not change between the accesses
 * Shape: A
 * Twin: base-shared
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	struct uarg __user *p = u;
	u64 *words = k->index == 1 ? (__force u64 *)&p : &k->q0;

	if (get_user(words[0], &p->q0) ||	/* want: UA101 report base-changes 2 p read */
	    get_user(words[1], &p->q1))
		return -EFAULT;
	return 0;
}
