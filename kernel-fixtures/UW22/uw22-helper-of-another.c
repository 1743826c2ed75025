// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper is given a pointer that nothing has checked
 * Rule: UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_helper_of_another {
	u32 head;
	u32 tail;
};

static __always_inline int uw22_helper_of_another_get(const struct uw22_helper_of_another __user *from, u32 *to)
{
	unsafe_get_user(*to, &from->tail, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw22_helper_of_another(const struct uw22_helper_of_another __user *from, const struct uw22_helper_of_another __user *next, u32 *to)
{
	int err;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	err = uw22_helper_of_another_get(from, &to[0]);
	if (!err)
		err = uw22_helper_of_another_get(next, &to[1]);	/* want: UW22 */
	user_read_access_end();
	return err;
}

int uw22_helper_of_another_clean(const struct uw22_helper_of_another __user *from, const struct uw22_helper_of_another __user *next, u32 *to)
{
	int err;

	if (!access_ok(next, sizeof(*next)))
		return -EFAULT;
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	err = uw22_helper_of_another_get(from, &to[0]);
	if (!err)
		err = uw22_helper_of_another_get(next, &to[1]);
	user_read_access_end();
	return err;
}
