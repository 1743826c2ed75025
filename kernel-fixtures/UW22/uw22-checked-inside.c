// SPDX-License-Identifier: GPL-2.0
/*
 * Title: access_ok() of a second pointer inside the window
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_checked_inside {
	u32 head;
	u32 tail;
};

int uw22_checked_inside(const struct uw22_checked_inside __user *from, u32 __user *to)
{
	u32 head;

	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(head, &from->head, efault);
	if (!access_ok(to, sizeof(*to)))	/* want: UW22 */
		goto efault;
	unsafe_put_user(head, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw22_checked_inside_clean(const struct uw22_checked_inside __user *from, u32 __user *to)
{
	u32 head;

	if (!access_ok(to, sizeof(*to)))
		return -EFAULT;
	if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(head, &from->head, efault);
	unsafe_put_user(head, to, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
