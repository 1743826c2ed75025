// SPDX-License-Identifier: GPL-2.0
/*
 * Title: all that the loop writes are zeroes, which clear_user() does at once
 * Unproven: the range of a window grows with the number of turns
 * Row: what the loop writes
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (put_user(0, p + i))	/* want: UA102 report writes-zeroes 1 p write */
			return -EFAULT;
	}

	return 0;
}
