// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call on the error path is not made if the range is refused
 * Verdict: not proven
 * Says: call of give_up
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

void give_up(struct karg *k);

int subject(struct karg *k, struct uarg __user *u)
{
	u8 __user *p = (u8 __user *)u;
	u32 n = k->a;
	u8 c;

	for (u32 i = 0; i != n; i++) {
		if (get_user(c, p + i)) {
			give_up(k);
			return -EFAULT;
		}
		if (c == 'V')
			k->total = 42;
	}
	return 0;
}
