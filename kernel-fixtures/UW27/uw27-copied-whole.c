// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a length is tested, and copied again with the structure that has it
 * Rule: UW27
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw27_copied_whole {
	u32 flags;
	u32 length;
	u32 words[8];
};

int uw27_copied_whole(struct uw27_copied_whole __user *from, struct uw27_copied_whole *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (copy_from_user(to, from, sizeof(*to)))	/* want: UW27 */
		return -EFAULT;
	return to->words[to->length - 1];
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_copied_whole_clean(struct uw27_copied_whole __user *from, struct uw27_copied_whole *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (copy_from_user(to, from, sizeof(*to)))
		return -EFAULT;
	to->length = length;
	return to->words[to->length - 1];
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw27_copied_whole_compared(struct uw27_copied_whole __user *from, struct uw27_copied_whole *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (copy_from_user(to, from, sizeof(*to)))
		return -EFAULT;
	return to->length == length ? to->words[to->length - 1] : -EINVAL;
efault:
	user_read_access_end();
	return -EFAULT;
}

/* The member is not in what is copied. */
int uw27_copied_whole_after_clean(struct uw27_copied_whole __user *from, struct uw27_copied_whole *to)
{
	u32 length;

	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(length, &from->length, efault);
	user_read_access_end();
	if (length > 8)
		return -EINVAL;
	if (copy_from_user(to->words, from->words, sizeof(to->words)))
		return -EFAULT;
	return to->words[to->length - 1];
efault:
	user_read_access_end();
	return -EFAULT;
}
