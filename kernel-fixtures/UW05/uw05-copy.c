// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a copy longer than the range
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_copy {
	u32 used;
	char name[24];
};

int uw05_copy(struct uw05_copy __user *to, u32 used, const char *name)
{
	if (!user_write_access_begin(to, 24))
		return -EFAULT;
	unsafe_put_user(used, &to->used, efault);
	unsafe_copy_to_user(to->name, name, 24, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_copy_clean(struct uw05_copy __user *to, u32 used, const char *name)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(used, &to->used, efault);
	unsafe_copy_to_user(to->name, name, 24, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

struct uw05_copy_record {
	u32 used;
	u32 length;
	char data[];
};

/* The length is signed, and the range ends where the data begins. */
int uw05_copy_data(struct uw05_copy_record __user *to, const char *data, int length)
{
	check_object_size(data, length, true);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(length, &to->length, efault);
	unsafe_copy_to_user(to->data, data, length, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_copy_data_clean(struct uw05_copy_record __user *to, const char *data, int length)
{
	if (length < 0)
		return -EINVAL;
	check_object_size(data, length, true);
	if (!user_write_access_begin(to, sizeof(*to) + length))
		return -EFAULT;
	unsafe_put_user(length, &to->length, efault);
	unsafe_copy_to_user(to->data, data, length, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
