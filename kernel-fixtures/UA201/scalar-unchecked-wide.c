// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes without a range check: arm32 may not link them
 * Row: u64 on arm32
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 wide;

	if (__copy_from_user(&wide, &u->q0, sizeof(wide)))	/* want classic: UA201 report u64-arm32 1 &u->q0 read */	/* want scoped: UA201 rewrite safe 1 &u->q0 read */
		return -EFAULT;
	k->q0 = wide;
	return 0;
}
