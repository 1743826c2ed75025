// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the test of the result is a statement of its own
 * Row: form of the test
 * Shape: F
 * Twin: loop-constant
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int i, err;

	for (i = 0; i < 3; i++) {
		err = put_user(k->words[i], &p[i]);	/* want: UA102 report loop-form 1 p write */
		if (err)
			return err;
	}

	return 0;
}
