// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a load in a write window, in a loop
 * Rule: UW04
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw04_get_in_write(u32 __user *words, unsigned int count, u32 mask)
{
	unsigned int i;
	u32 word;

	if (!user_write_access_begin(words, count * sizeof(*words)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(word, words + i, efault);	/* want: UW04 */
		unsafe_put_user(word & mask, words + i, efault);
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw04_get_in_write_clean(u32 __user *words, unsigned int count, u32 mask)
{
	unsigned int i;
	u32 word;

	if (!user_access_begin(words, count * sizeof(*words)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(word, words + i, efault);
		unsafe_put_user(word & mask, words + i, efault);
	}
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
