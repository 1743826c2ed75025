// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a read-write window is ended as a read window
 * Rule: UW03
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw03_both_ended_as_read(u32 __user *word, u32 add)
{
	int ret = -EFAULT;
	u32 value;

	if (user_access_begin(word, sizeof(*word))) {
		unsafe_get_user(value, word, out);
		unsafe_put_user(value + add, word, out);
		ret = 0;
out:
		user_read_access_end();	/* want: UW03 */
	}
	return ret;
}

int uw03_both_ended_as_read_clean(u32 __user *word, u32 add)
{
	int ret = -EFAULT;
	u32 value;

	if (user_access_begin(word, sizeof(*word))) {
		unsafe_get_user(value, word, out);
		unsafe_put_user(value + add, word, out);
		ret = 0;
out:
		user_access_end();
	}
	return ret;
}
