// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the object is what a pointer leads to
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *to = &k->words[k->index];

	if (copy_from_user(to, &u->words[3], sizeof(*to)))	/* want: UA201 rewrite prepared 1 &u->words[3] read */
		return -EFAULT;
	return 0;
}
