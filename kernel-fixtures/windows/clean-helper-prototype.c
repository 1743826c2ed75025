// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper of the caller's window with a prototype of two lines, named in comments as well
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int
clean_helper_prototype_store(u32 __user *to, u32 value);

/* What clean_helper_prototype_store() wants: a window, opened by its caller */
int clean_helper_prototype(u32 __user *to, u32 value)
{
	int ret;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = clean_helper_prototype_store(to, value);
	user_write_access_end();
	return ret;
}

static __always_inline int
clean_helper_prototype_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int clean_helper_prototype_limit(int limit)
{
	return limit / 2;	/* half of what clean_helper_prototype_store() takes */
}
