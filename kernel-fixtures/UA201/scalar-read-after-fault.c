// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is read is used although it faulted: it is zero
 * Row: zero on a fault
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 word;
	int err = 0;

	if (copy_from_user(&word, &u->a, sizeof(word)))	/* want: UA201 rewrite prepared 1 &u->a read */
		err = -EFAULT;
	k->a = word;
	return err;
}
