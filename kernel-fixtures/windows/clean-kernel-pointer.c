// SPDX-License-Identifier: GPL-2.0
/*
 * Title: no window for a kernel address, and the same accesses for both
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_kernel_pointer(u32 *at, u32 *value)
{
	u32 __user *from = (u32 __user *)at;

	if ((unsigned long)at >= TASK_SIZE_MAX) {
		unsafe_get_user(*value, from, fault);
		return 0;
	}
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*value, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
fault:
	return -EFAULT;
}

static __always_inline int clean_kernel_pointer_load(const u32 *at, u32 *value)
{
	unsafe_get_user(*value, (const u32 __user *)at, fault);
	return 0;
fault:
	return -EFAULT;
}

int clean_kernel_pointer_helper(bool user, const u32 *at, u32 *value)
{
	int ret;

	if ((unsigned long)at >= TASK_SIZE_MAX)
		return clean_kernel_pointer_load(at, value);
	if (!user_read_access_begin((const u32 __user *)at, sizeof(*at)))
		return -EFAULT;
	ret = clean_kernel_pointer_load(at, value);
	user_read_access_end();
	return ret;
}
