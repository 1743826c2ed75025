// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a return between begin and end
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw02_return_inside {
	int id;
	int flags;
};

int uw02_return_inside(struct uw02_return_inside __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	if (flags < 0)
		return -EINVAL;	/* want: UW02 */
	unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_return_inside_clean(struct uw02_return_inside __user *to, int id, int flags)
{
	int ret = -EFAULT;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, out);
	if (flags < 0) {
		ret = -EINVAL;
		goto out;
	}
	unsafe_put_user(flags, &to->flags, out);
	ret = 0;
out:
	user_write_access_end();
	return ret;
}
