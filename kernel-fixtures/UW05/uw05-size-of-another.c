// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the size is that of an object at an offset from the begin
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_size_of_another {
	u32 type;
	u32 length;
};

int uw05_size_of_another(void __user *to, size_t offset, u32 length)
{
	struct uw05_size_of_another __user *head = to;

	if (!user_write_access_begin(to + offset, sizeof(*head)))
		return -EFAULT;
	unsafe_put_user(length, &head->length, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_size_of_another_behind(u8 __user *to, u32 offset, u32 length)
{
	struct uw05_size_of_another __user *head = (void __user *)(to + offset);

	if (!user_write_access_begin(to, sizeof(*head)))
		return -EFAULT;
	unsafe_put_user(length, &head->length, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_size_of_another_clean(u8 __user *to, u32 offset, u32 length)
{
	struct uw05_size_of_another __user *head = (void __user *)(to + offset);

	if (!user_write_access_begin(to + offset, sizeof(*head)))
		return -EFAULT;
	unsafe_put_user(length, &head->length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_size_of_another_element_clean(struct uw05_size_of_another __user *to, u32 index, u32 length)
{
	if (!user_write_access_begin(to + index, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(length, &to[index].length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_size_of_another_none_clean(u8 __user *to, u32 offset, u32 length)
{
	struct uw05_size_of_another __user *head = (void __user *)(to + offset);

	if (offset > 0)
		return -EINVAL;
	if (!user_write_access_begin(to, sizeof(*head)))
		return -EFAULT;
	unsafe_put_user(length, &head->length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
