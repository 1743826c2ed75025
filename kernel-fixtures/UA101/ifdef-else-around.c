// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the label of a run in the #else of one condition and inside another
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
#ifdef CONFIG_FIXTURE_SERIAL
	k->a = next_serial(k);
#else
	k->a = encode(k->a);
#if defined(CONFIG_64BIT) || \
	defined(CONFIG_FIXTURE_WIDE)	/* or wide */
	if (put_user(k->a, &u->a) ||	/* want classic: UA101 rewrite manual 3 u write */ /* want scoped: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
#endif
#endif

	return 0;
}
