// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a record passed by value points to a local with other contents
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct sptr { u32 *kernel; bool is_kernel; };
int set_opt(struct karg *k, struct sptr p);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b = k->b, n[2] = { k->c, k->d };
	struct sptr s = { n, true };
	set_opt(k, s);

	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
