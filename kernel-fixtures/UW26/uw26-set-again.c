// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what a helper tells of a fault is overwritten by what the next one tells
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int uw26_set_again_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw26_set_again(u32 __user *to, u32 first, u32 second)
{
	int err;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	err = uw26_set_again_store(to, first);	/* want: UW26 */
	err = uw26_set_again_store(to + 1, second);
	user_write_access_end();
	return err;
}

int uw26_set_again_in_loop(u32 __user *to, const u32 *value)
{
	int i, err = 0;

	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < 4; i++)
		err = uw26_set_again_store(to + i, value[i]);	/* want: UW26 */
	user_write_access_end();
	return err;
}

int uw26_set_again_clean(u32 __user *to, u32 first, u32 second)
{
	int err;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	err = uw26_set_again_store(to, first);
	err |= uw26_set_again_store(to + 1, second);
	user_write_access_end();
	return err;
}

int uw26_set_again_in_loop_clean(u32 __user *to, const u32 *value)
{
	int i, err = 0;

	if (!user_write_access_begin(to, 4 * sizeof(*to)))
		return -EFAULT;
	for (i = 0; !err && i < 4; i++)
		err = uw26_set_again_store(to + i, value[i]);
	user_write_access_end();
	return err;
}
