// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a signed index that is only tested for being too large
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_negative_index {
	u32 count;
	u32 slots[8];
};

int uw05_negative_index(struct uw05_negative_index __user *to, int slot, u32 value)
{
	if (slot > 7)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->slots[slot], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_negative_index_clean(struct uw05_negative_index __user *to, int slot, u32 value)
{
	if (slot < 0 || slot > 7)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->slots[slot], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_negative_index_unsigned_clean(struct uw05_negative_index __user *to, unsigned int slot, u32 value)
{
	if (slot > 7)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->slots[slot], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_negative_index_cast_clean(struct uw05_negative_index __user *to, int slot, u32 value)
{
	if ((unsigned int)slot > 7)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->slots[slot], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_negative_index_size_clean(void __user *to, const void *from, int size)
{
	if (size > 64)
		return -EINVAL;
	check_object_size(from, size, true);
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_copy_to_user(to, from, size, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
