// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper with the access itself, called in a scope
 * Rule: UW07
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw07_scoped {
	u32 head;
	u32 tail;
};

static inline int uw07_scoped_put(struct uw07_scoped __user *to, u32 value)
{
	unsafe_put_user(value, &to->tail, efault);
	return 0;
efault:
	return -EFAULT;
}

static __always_inline int uw07_scoped_put_always(struct uw07_scoped __user *to, u32 value)
{
	unsafe_put_user(value, &to->tail, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw07_scoped(struct uw07_scoped __user *to, u32 value)
{
	scoped_user_write_access(to, efault) {
		unsafe_put_user(0U, &to->head, efault);
		return uw07_scoped_put(to, value);	/* want: UW07 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw07_scoped_clean(struct uw07_scoped __user *to, u32 value)
{
	scoped_user_write_access(to, efault) {
		unsafe_put_user(0U, &to->head, efault);
		return uw07_scoped_put_always(to, value);
	}
	return 0;
efault:
	return -EFAULT;
}
