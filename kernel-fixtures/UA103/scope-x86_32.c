// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a file that only x86 of 32 bits builds: no pointer is masked there
 * Row: scope, twin
 * Path: arch/x86/kernel
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	if (!user_write_access_begin(u, sizeof(*u)))	/* want scoped: UA103 report no-gain-arch 1 u write */
		return -EFAULT;
	unsafe_put_user(k->a, &u->a, efault);
	user_write_access_end();
	return 0;

efault:
	user_write_access_end();
	return -EFAULT;
}
