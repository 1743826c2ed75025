// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an argument is evaluated more often by an access
 * Row: side effects
 * Twin: scalar-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	u32 *to = k->words;

	if (copy_from_user(to++, p, sizeof(u32)))	/* want: UA201 report side-effect-argument 1 p read */
		return -EFAULT;
	if (copy_to_user(p++, to, sizeof(*to)))	/* want: UA201 report side-effect-argument 1 p++ write */
		return -EFAULT;
	k->total = p - u->words;
	return 0;
}
