// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the bytes left are read after the label
 * Row: only zero or not
 * Twin: scalar-left-at-once
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	int err;
	u32 word;

	err = copy_from_user(&word, &u->a, sizeof(word));	/* want: UA201 report count-used 1 &u->a read */
	if (err)
		goto out;
	k->a = word;
out:
	audit(k);
	return err;
}
