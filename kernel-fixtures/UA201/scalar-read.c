// SPDX-License-Identifier: GPL-2.0
/*
 * Title: scalars of every width are read by a copy
 * Row: size and type of a scalar
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = &u->words[0];
	u8 narrow;
	u16 half;
	u32 word;
	u64 wide;

	if (copy_from_user(&narrow, &u->b0, sizeof(narrow)))	/* want classic: UA201 rewrite manual 1 &u->b0 read */ /* want scoped: UA201 rewrite safe 1 &u->b0 read */
		return -EFAULT;
	k->b0 = narrow;
	if (copy_from_user(&half, &u->h0, sizeof(u16)))	/* want classic: UA201 rewrite manual 1 &u->h0 read */ /* want scoped: UA201 rewrite safe 1 &u->h0 read */
		return -EFAULT;
	if (copy_from_user(&word, p, 4))	/* want classic: UA201 rewrite manual 1 p read */ /* want scoped: UA201 rewrite safe 1 p read */
		return -EFAULT;
	if (unlikely(copy_from_user(&wide, &u->q0, sizeof wide) != 0))	/* want classic: UA201 report u64-arm32 1 &u->q0 read */	/* want scoped: UA201 rewrite safe 1 &u->q0 read */
		return -EFAULT;
	k->h0 = half;
	k->a = word;
	k->q0 = wide;
	return 0;
}
