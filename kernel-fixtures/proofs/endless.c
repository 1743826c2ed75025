// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop that does not terminate
 * Verdict: not proven
 * Says: too much work|try again
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	while (!READ_ONCE(k->total))
		k->index++;
	for (;;)
		k->index++;

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
