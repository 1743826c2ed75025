// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the success path falls through into the label that ends the window
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw02_ended_twice {
	int id;
	int flags;
};

int uw02_ended_twice(struct uw02_ended_twice __user *from, int *id, int *flags)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		return ret;
	unsafe_get_user(*id, &from->id, out);
	unsafe_get_user(*flags, &from->flags, out);
	user_read_access_end();
	ret = 0;
out:
	user_read_access_end();	/* want: UW02 */
	return ret;
}

int uw02_ended_twice_clean(struct uw02_ended_twice __user *from, int *id, int *flags)
{
	int ret = -EFAULT;

	if (!user_read_access_begin(from, sizeof(*from)))
		return ret;
	unsafe_get_user(*id, &from->id, out);
	unsafe_get_user(*flags, &from->flags, out);
	ret = 0;
out:
	user_read_access_end();
	return ret;
}
