// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loads stay between a bit lock, a barrier and the unlock
 * Verdict: proven
 */
#include <fixture/arguments.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a = k->a, b;

	if (test_and_set_bit(0, (unsigned long *)&k->l0))
		return -EBUSY;
	b = READ_ONCE(k->b) + k->c;
	smp_mb();
	b += k->c;
	clear_bit_unlock(0, (unsigned long *)&k->l0);

	if (put_user(a, &u->a) ||
	    put_user(b, &u->b))
		return -EFAULT;

	return 0;
}
