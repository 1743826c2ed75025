// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a function is called with numbers that its window has no room for
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_called_with {
	u32 words[8];
};

static int uw05_called_with_part(struct uw05_called_with __user *to, const u32 *from, int first, int end)
{
	int i;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	for (i = first; i < end; i++)
		unsafe_put_user(from[i], &to->words[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_called_with(struct uw05_called_with __user *to, const u32 *from)
{
	return uw05_called_with_part(to, from, 4, 12);	/* want: UW05 */
}

int uw05_called_with_before(struct uw05_called_with __user *to, const u32 *from)
{
	return uw05_called_with_part(to, from, -1, 2);	/* want: UW05 */
}

int uw05_called_with_clean(struct uw05_called_with __user *to, const u32 *from)
{
	return uw05_called_with_part(to, from, 0, 4) ?: uw05_called_with_part(to, from, 4, 8);
}

/* This function limits the number less than its callers do. */
static int uw05_called_with_width(u32 __user *to, const u32 *from, u32 number, u32 width)
{
	u32 i;

	if (number > 16)
		return -EINVAL;
	if (!user_write_access_begin(to, 8 * width))
		return -EFAULT;
	for (i = 0; i < number; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_called_with_less(u32 __user *to, const u32 *from, u32 number)
{
	if (number > 8)
		number = 8;
	return uw05_called_with_width(to, from, number, 4);
}
