// SPDX-License-Identifier: GPL-2.0
/*
 * Title: helpers that run in their caller's window
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct clean_helper {
	int id;
	int flags;
};

static __always_inline int clean_helper_put(struct clean_helper __user *to, int id, int flags)
{
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(flags, &to->flags, efault);
	return 0;
efault:
	return -EFAULT;
}

#define clean_helper_put_or(to, id, flags, label)	\
do {	\
	if (clean_helper_put(to, id, flags))	\
		goto label;	\
} while (0)

int clean_helper(struct clean_helper __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	clean_helper_put_or(to, id, flags, efault);
	clean_helper_put_or(to + 1, id, flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
