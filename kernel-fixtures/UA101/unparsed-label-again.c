// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer is used again after a jump to one of several labels
 * Row: spatch cannot parse the function
 * Unproven: a table has the addresses of labels, which move
 * Shape: I
 */
#include <fixture/arguments.h>
#include <fixture/macros.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	static const void *const next[2] IN_TABLE = {
		[0] = &&again,
		[1] = &&last,
	};
	u32 __user *up = u->words;

again:
	if (put_user(k->a, up++) ||	/* want: UA101 rewrite prepared 2 up write */
	    put_user(k->b, up++))
		return -EFAULT;
	k->a++;
	if (up < u->words + 6)
		goto *next[k->flag];
last:
	return 0;
}
