// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a size only known at run time, in a scope
 * Rule: UW23
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw23_scope {
	size_t length;
	u8 data[64];
};

int uw23_scope(u8 __user *to, const struct uw23_scope *from)
{
	scoped_user_write_access_size(to, from->length, efault)
		unsafe_copy_to_user(to, from->data, from->length, efault);	/* want: UW23 */
	return 0;
efault:
	return -EFAULT;
}

int uw23_scope_clean(u8 __user *to, const struct uw23_scope *from)
{
	scoped_user_write_access_size(to, sizeof(from->data), efault)
		unsafe_copy_to_user(to, from->data, sizeof(from->data), efault);
	return 0;
efault:
	return -EFAULT;
}
