// SPDX-License-Identifier: GPL-2.0
/*
 * Title: two writes to device registers are swapped
 * Verdict: not proven
 * Says: volatile store
 */
#include <fixture/arguments.h>
#include <linux/io.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	void __iomem *base = (void __iomem *)k->l0;
	u32 b = k->b;

	writel(1, base);
	writel(b, base + 8);

	if (put_user(k->a, &u->a) ||
	    put_user(b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;

	return 0;
}
