// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what the first of two segments has no room for goes to the second, in the window of the first
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_second_segment {
	u8 __user *base;
	size_t length;
};

int uw05_second_segment(const struct uw05_second_segment *part, const u8 *from, size_t length)
{
	u8 __user *to = part[0].base;
	size_t i;

	if (length > part[0].length + part[1].length || !user_write_access_begin(to, part[0].length))
		return -EFAULT;
	for (i = 0; i < length; i++) {
		if (i == part[0].length)
			to = part[1].base - i;
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_second_segment_clean(const struct uw05_second_segment *part, const u8 *from, size_t length)
{
	u8 __user *to = part[0].base;
	size_t i;

	if (!user_write_access_begin(to, part[0].length))
		return -EFAULT;
	for (i = 0; i < length && i < part[0].length; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	if (i == length)
		return 0;
	to = part[1].base - i;
	if (!user_write_access_begin(part[1].base, part[1].length))
		return -EFAULT;
	for (; i < length && i - part[0].length < part[1].length; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
