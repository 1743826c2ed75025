// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call through a pointer, in a loop
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw06_call_by_pointer(u32 __user *to, unsigned int count, u32 (*next)(void *), void *state)
{
	unsigned int i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		u32 value = next(state);	/* want: UW06 */

		unsafe_put_user(value, to + i, efault);
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_call_by_pointer_clean(u32 __user *to, unsigned int count, u32 (*next)(void *), void *state)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		u32 value = next(state);

		if (!user_write_access_begin(to + i, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(value, to + i, efault);
		user_write_access_end();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
