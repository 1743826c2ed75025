// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a bit-field on the user's side: wrong C, but a tool sees it
 * Row: bit-field, wide or structure access
 * Shape: A
 * Twin: kernel-bit-field
 * Build: never, a bit-field has no address
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

struct packed_flags {
	u32 low : 4;
	u32 high : 28;
};

int subject(struct karg *k, struct uarg __user *u)
{
	struct packed_flags __user *f = (struct packed_flags __user *)u;

	if (put_user(k->a, &f->low) ||	/* want: UA101 report bitfield 2 f write */
	    put_user(k->b, &f->high))
		return -EFAULT;

	return 0;
}
