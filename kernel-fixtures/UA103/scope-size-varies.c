// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a range of run-time size, and a loop
 * Row: size-varies
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

int subject(struct karg *k, struct uarg __user *u)
{
	u32 __user *from = u->words;
	int ret = -EFAULT;
	unsigned int i;

	if (!user_read_access_begin(from, k->count * sizeof(*from)))	/* want scoped: UA103 report size-varies 1 from read */
		return -EFAULT;
	for (i = 0; i < k->count; i++) {
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
