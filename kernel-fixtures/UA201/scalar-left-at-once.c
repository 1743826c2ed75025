// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the variable is used again, but not with the bytes left
 * Row: only zero or not
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;
	u32 word;

	err = copy_from_user(&word, &u->a, sizeof(word));	/* want: UA201 rewrite safe 1 &u->a read */
	if (err)
		return -EFAULT;
	err = encode(word);
	return err;
}
