// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope with a size of its own that is too small
 * Rule: UW05
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_scoped_size {
	u64 level;
	u64 type;
};

int uw05_scoped_size(struct uw05_scoped_size __user *to, u64 level, u64 type)
{
	scoped_user_write_access_size(to, sizeof(to->level), efault) {
		unsafe_put_user(level, &to->level, efault);
		unsafe_put_user(type, &to->type, efault);	/* want: UW05 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw05_scoped_size_clean(struct uw05_scoped_size __user *to, u64 level, u64 type)
{
	scoped_user_write_access_size(to, sizeof(*to), efault) {
		unsafe_put_user(level, &to->level, efault);
		unsafe_put_user(type, &to->type, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
