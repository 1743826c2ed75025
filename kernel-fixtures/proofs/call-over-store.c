// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call moves before a store that it reads
 * Verdict: not proven
 * Says: checksum\(\) now precedes
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

extern u32 checksum(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	if (put_user(k->a, &u->a))
		return -EFAULT;
	k->b = k->a + 1;
	if (put_user(checksum(k), &u->c) ||
	    put_user(k->b, &u->b))
		return -EFAULT;

	return 0;
}
