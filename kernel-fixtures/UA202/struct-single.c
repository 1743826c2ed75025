// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the structure has one member, which takes one access
 * Row: --min-run
 * Twin: struct-read
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct single {
	u32 value;
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct single one;

	if (copy_from_user(&one, &u->a, sizeof(one)))	/* want: UA202 report below-min-run 1 &u->a read */
		return -EFAULT;
	k->a = one.value;
	return 0;
}
