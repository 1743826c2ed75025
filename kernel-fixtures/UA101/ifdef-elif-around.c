// SPDX-License-Identifier: GPL-2.0
/*
 * Title: after an #elif two conditions hold, which are not written again for a label
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 * Twin: ifdef-else-around
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
#if defined(CONFIG_FIXTURE_SERIAL)
	k->a = next_serial(k);
#elif defined(CONFIG_64BIT)
	if (put_user(k->a, &u->a) ||	/* want: UA101 report ifdef 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
#endif

	return 0;
}
