// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an eight-byte read that 32-bit ARM does not support
 * Rule: UW19
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw19_member {
	u64 address;
	u32 length;
};

int uw19_member(struct uw19_member __user *from, u64 *address, u32 *length)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*address, &from->address, efault);	/* want: UW19 */
	unsafe_get_user(*length, &from->length, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw19_member_clean(struct uw19_member __user *from, u64 *address, u32 *length)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
#ifdef CONFIG_64BIT
	unsafe_get_user(*address, &from->address, efault);
#endif
	unsafe_get_user(*length, &from->length, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
