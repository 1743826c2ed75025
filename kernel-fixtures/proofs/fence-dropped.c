// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a full barrier is dropped
 * Verdict: different
 * Says: lock|mfence
 */
#include <fixture/arguments.h>
#include <linux/io.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __iomem *base = (void __iomem *)k->l0;
	u32 b = k->b;

	k->flag = 1;
	smp_mb();

	if (put_user(k->a, &u->a) ||
	    put_user(b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
