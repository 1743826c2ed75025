// SPDX-License-Identifier: GPL-2.0
/*
 * Title: t[j] is loaded before a store to t[i]
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 *t = (u32 *)k->l0;
	u32 i = k->a * 2654435761u >> 5, j = (k->b ^ 0x5bd1e995) * 3, x;
	t[i] = k->c;
	barrier();
	x = t[j];
	if (put_user(x, &u->a) || put_user(k->d, &u->b))
		return -EFAULT;
	return 0;
}
