// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a port write is dropped
 * Verdict: different
 * Says: call out\(0x70
 */
#include <fixture/arguments.h>
#include <linux/io.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __iomem *base = (void __iomem *)k->l0;
	u32 b = k->b;

	outb(b, 0x70);

	if (put_user(k->a, &u->a) ||
	    put_user(b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
