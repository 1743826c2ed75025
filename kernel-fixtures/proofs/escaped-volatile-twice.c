// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a local that others set is read once instead of twice
 * Verdict: not proven
 * Unproven: it is wrong, but no run shows it
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

void begin_work(struct karg *k, u32 *done);

int subject(struct karg *k, struct uarg __user *u)
{
	u32 done = 0, a, b;
	begin_work(k, &done);
	a = READ_ONCE(done);
	b = READ_ONCE(done);
	if (put_user(a, &u->a) || put_user(b, &u->b))
		return -EFAULT;
	return 0;
}
