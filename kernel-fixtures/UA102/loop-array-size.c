// SPDX-License-Identifier: GPL-2.0
/*
 * Title: ARRAY_SIZE() of the kernel's array is the trip count
 * Row: loop with a bounded trip count
 * Shape: F
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *p = u->words;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(k->words); i++) {
		if (get_user(k->words[i], p + i))	/* want: UA102 rewrite prepared - p read */
			return -EFAULT;
	}

	return 0;
}
