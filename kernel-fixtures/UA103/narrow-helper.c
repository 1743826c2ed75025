// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper in the window reads, which counts, too
 * Row: wide window, twin
 */
#include <fixture/arguments.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

static __always_inline int fetched(struct uarg __user *u, u32 *value)
{
	unsafe_get_user(*value, &u->a, efault);
	return 0;
efault:
	return -EFAULT;
}

int subject(struct karg *k, struct uarg __user *u)
{
	int ret;

	if (!user_access_begin(u, sizeof(*u)))	/* want scoped: UA103 rewrite manual 1 u rw */
		return -EFAULT;
	ret = fetched(u, &k->a);
	if (ret)
		goto end;
	unsafe_put_user(k->b, &u->b, efault);
end:
	user_access_end();
	return ret;

efault:
	user_access_end();
	return -EFAULT;
}
