// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a test around the loop says that it iterates
 * Unproven: the range of a window grows with the number of turns
 * Row: no rounds possible
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

static int other(struct karg *k, u32 __user *p, unsigned int n)
{
	unsigned int i;

	if (n) {
		n--;
		for (i = 0; i < n; i++) {
			if (put_user(k->c, p + i))	/* want: UA102 rewrite manual - p write */
				return -EFAULT;
		}
	}
	return 0;
}

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	unsigned int i, n = k->count & 1;

	if (n) {
		if (k->flag) {
			k->a = 0;
			for (i = 0; i < n; i++) {
				u32 c;

				if (get_user(c, p + i))	/* want: UA102 rewrite prepared - p read */
					return -EFAULT;
				if (c & 1)
					k->a = 42;
			}
		}
	}
	return other(k, u->words, k->count);
}
