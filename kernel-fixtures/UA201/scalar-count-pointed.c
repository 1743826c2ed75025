// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the variable that holds the bytes left is also read through a pointer
 * Row: only zero or not
 * Twin: scalar-count-tested
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;
	int *left = &err;
	u32 word;

	err = copy_from_user(&word, &u->a, sizeof(word));	/* want: UA201 report count-used 1 &u->a read */
	if (err) {
		k->b = *left;
		err = -EFAULT;
		goto out;
	}
	k->a = word;
out:
	audit(k);
	return err;
}
