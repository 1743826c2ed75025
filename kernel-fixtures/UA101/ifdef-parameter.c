// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an #ifdef around a parameter of the function
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

static int other(struct uarg __user *u, struct karg *k
#ifdef CONFIG_64BIT
		 , u32 more
#endif
		 )
{
	if (put_user(k->a, &u->a) ||	/* want: UA101 rewrite safe 3 u write */
	    put_user(k->b, &u->b) ||
	    put_user(k->c, &u->c))
		return -EFAULT;
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	return other(u, k
#ifdef CONFIG_64BIT
		     , 1
#endif
		     );
}
