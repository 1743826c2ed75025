// SPDX-License-Identifier: GPL-2.0
/*
 * Title: assembly in the window may access either way
 * Row: wide window, twin
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report assembly 1 u rw */
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	asm volatile("" : : : "memory");
	user_access_end();
	return 0;

efault:
	user_access_end();
	return -EFAULT;
}
