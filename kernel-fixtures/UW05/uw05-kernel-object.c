// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the range of a variable of the kernel is checked, through a cast
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_kernel_object {
	u32 first, second;
};

int uw05_kernel_object(struct uw05_kernel_object *to, struct uw05_kernel_object __user *from)
{
	struct uw05_kernel_object copy;

	if (!user_read_access_begin((void __user *)&copy, sizeof(copy)))	/* want[clang-tidy]: UW05 */
		return -EFAULT;
	unsafe_get_user(to->first, (u32 __user *)&copy.first, efault);
	unsafe_get_user(to->second, (u32 __user *)&copy.second, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw05_kernel_object_clean(struct uw05_kernel_object *to, struct uw05_kernel_object __user *from)
{
	struct uw05_kernel_object copy;

	if (!user_read_access_begin(from, sizeof(copy)))
		return -EFAULT;
	unsafe_get_user(copy.first, &from->first, efault);
	unsafe_get_user(copy.second, &from->second, efault);
	user_read_access_end();
	*to = copy;
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
