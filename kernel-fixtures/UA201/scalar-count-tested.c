// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are only tested, in a variable that is used for more
 * Row: only zero or not
 * Twin: scalar-count-pointed
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;
	u32 word;

	err = copy_from_user(&word, &u->a, sizeof(word));	/* want: UA201 rewrite safe 1 &u->a read */
	if (err) {
		err = -EFAULT;
		goto out;
	}
	k->a = word;
out:
	audit(k);
	return err;
}
