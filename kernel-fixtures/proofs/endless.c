// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop that does not terminate stores another value
 * Verdict: not proven
 * Says: volatile store
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	while (!READ_ONCE(k->total))
		k->index++;
	for (;;)
		WRITE_ONCE(k->index, k->index + 1);

	if (put_user(k->a, &u->a) || put_user(k->b, &u->b))
		return -EFAULT;
	return 0;
}
