// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() covers part of a range of variable length
 * Verdict: not proven
 * Says: bytes were checked
 * Unproven: no run has as many elements as it takes
 */
#include <fixture/arguments.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *words = u->words;
	unsigned int i, n = k->count;

	if (!access_ok(words, n * sizeof(*words)))
		return -EFAULT;
	for (i = 0; i < n; i++) {
		if (__put_user(k->words[i], words++))
			return -EFAULT;
	}

	return 0;
}
