// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a read window, a lock, then a write window of the same object
 * Row: side effects or calls between accesses
 * Shape: A
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 a, b, c;

	if (get_user(a, &u->a) ||	/* want: UA101 rewrite safe 3 u read */
	    get_user(b, &u->b) ||
	    get_user(c, &u->c))
		return -EFAULT;

	scoped_guard(mutex, &k->lock) {
		k->total = a + b;
		k->index = c & 1;
	}

	if (put_user(k->total, &u->a) ||	/* want: UA101 rewrite safe 9 u write */
	    put_user(k->index, &u->b) ||
	    put_user(k->c, &u->c) ||
	    put_user(k->d, &u->d) ||
	    put_user(k->h0, &u->h0) ||
	    put_user(k->h1, &u->h1) ||
	    put_user(k->when.sec, &u->when.sec) ||
	    put_user(k->when.nsec, &u->when.nsec) ||
	    put_user(k->pos.x, &u->pos.x))
		return -EFAULT;

	return 0;
}
