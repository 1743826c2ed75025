// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range of run-time size, and a loop that may leave before its end
 * Row: decision: size
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *from = u->words;
	int ret = -EFAULT;
	unsigned int i, count = k->count / 2 + 1;

	if (!user_read_access_begin(from, count * sizeof(*from)))	/* want scoped: UA103 rewrite manual 1 from read */
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(k->words[i], &from[i], out);
		if (!k->words[i]) {
			ret = -EINVAL;
			goto out;
		}
	}
	ret = 0;
out:
	user_read_access_end();
	return ret;
}
