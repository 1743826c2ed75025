// SPDX-License-Identifier: GPL-2.0
/* Clean: a helper uses and ends the window of a caller two levels above */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline void used_and_ended_rest(u32 __user *to, u32 value, int *err)
{
	unsafe_put_user(value, to, efault);
	*err = 0;
efault:
	user_write_access_end();
}

static __always_inline void used_and_ended_more(u32 __user *to, u32 value, int *err)
{
	used_and_ended_rest(to, value + 1, err);
}

int used_and_ended(u32 __user *to, u32 value)
{
	int err = -EFAULT;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	used_and_ended_more(to, value, &err);	/* not followed */
	return err;
}
