// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the head of the loop moves the pointer, no word is fetched twice
 * Row: loop with a bounded trip count
 * Shape: F
 * Twin: loop-count
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *end = u->words + 4;
	u32 __user *p = u->words;
	u32 word;

	for (; p < end; p += 2) {
		if (get_user(word, p))	/* want: UA102 report loop-form - p read */
			return -EFAULT;
		k->total += word;
	}

	return 0;
}
