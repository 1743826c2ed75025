// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size of the pointer, not of what it points to
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_sizeof_pointer {
	u32 id;
	u32 flags;
	u32 first;
	u32 last;
};

int uw05_sizeof_pointer(struct uw05_sizeof_pointer __user *to, u32 id, u32 last)
{
	if (!user_write_access_begin(to, sizeof(to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(last, &to->last, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_sizeof_pointer_clean(struct uw05_sizeof_pointer __user *to, u32 id, u32 last)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(last, &to->last, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
