// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a configuration changes what is before and after the run only
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
#ifdef CONFIG_FIXTURE_SERIAL
	k->total = next_serial(k);
#endif
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
#ifdef CONFIG_FIXTURE_SERIAL
	audit(k);
#endif

	return 0;
}
