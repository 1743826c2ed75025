// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a call through a pointer in the arguments of a small memcpy()
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

int uw06_copy_from_pointer_call(u32 __user *from, u32 *to, const u32 *(*next)(u32 *))
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	memcpy(to, next(to), sizeof(*to));	/* want: UW06 */
	unsafe_get_user(to[1], from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw06_copy_from_pointer_call_clean(u32 __user *from, u32 *to, const u32 *(*next)(u32 *))
{
	const u32 *state = next(to);

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	memcpy(to, state, sizeof(*to));
	unsafe_get_user(to[1], from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
