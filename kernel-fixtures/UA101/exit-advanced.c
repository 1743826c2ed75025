// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the exit path uses the pointer that the accesses advance
 * Row: base++
 * Shape: C
 * Twin: pointer-increments
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = &u->a;

	if (put_user(k->a, p++))	/* want: UA101 report base-changes 2 p write */
		return p - &u->a;
	if (put_user(k->b, p++))
		return p - &u->a;

	return 0;
}
