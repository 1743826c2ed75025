// SPDX-License-Identifier: GPL-2.0
/*
 * Title: eight bytes are stored where eight cannot be fetched
 * Row: copy_from_user() of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u64 wide;

	if (copy_from_user(&wide, &u->q0, sizeof(wide)))	/* want classic: UA201 report u64-arm32 1 &u->q0 read */ /* want scoped: UA201 rewrite safe 1 &u->q0 read */
		return -EFAULT;
	k->q0 = wide;
	audit(k);
	if (copy_to_user(&u->q1, &k->q1, sizeof(k->q1)))	/* want classic: UA201 report other-stays 1 &u->q1 write */ /* want scoped: UA201 rewrite safe 1 &u->q1 write */
		return -EFAULT;
	return put_user(k->a, &u->a);
}
