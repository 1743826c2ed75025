// SPDX-License-Identifier: GPL-2.0
/*
 * Title: only one size passes the check, and the access is beyond it
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_only_size {
	u64 base;
	u32 length;
	u32 flags;
};

int uw05_only_size(void __user *to, size_t size, u32 value)
{
	if (size != sizeof(struct uw05_only_size))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(value, (u32 __user *)(to + sizeof(struct uw05_only_size)), efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* With nothing to store the window has no bytes, and its first element is not reached. */
int uw05_only_size_clean(u32 __user *to, size_t count, u32 value, bool any)
{
	if (any != (count > 0))
		return -EINVAL;
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	if (any)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
