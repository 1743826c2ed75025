// SPDX-License-Identifier: GPL-2.0
/*
 * Title: macros of the file make the accesses, each one
 * Row: access in a macro, or several #ifdef branches
 * Shape: A
 * Twin: chain-put-three
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

#define STORE(value, place)	put_user(value, place)
#define FETCH(place, field)					\
	do {							\
		if (get_user((place)->field, &u->field))	\
			return -EFAULT;				\
	} while (0)

int subject(struct karg *k, struct uarg __user *u)
{
	if (STORE(k->a, &u->a) ||	/* want: UA101 report own-macro 2 u write */
	    STORE(k->b, &u->b))
		return -EFAULT;
	if (k->user && STORE(k->c, &k->user->c))
		return -EFAULT;
	FETCH(k, s0);			/* want: UA101 report own-macro 2 u read */
	FETCH(k, s1);

	return 0;
}
