// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the pointer that advances is used after the loop
 * Row: loop with a bounded trip count
 * Twin: loop-increment
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	int i;

	for (i = 0; i < 4; i++)
		if (put_user(k->words[i], p++))	/* want: UA102 report base-changes 1 p write */
			return -EFAULT;

	return put_user(k->a, p);
}
