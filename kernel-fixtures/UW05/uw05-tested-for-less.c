// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a member is accessed if the size is as large as what comes before it
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

struct uw05_tested_for_less {
	u32 first;
	u32 second;
	u64 third;
};

int uw05_tested_for_less(struct uw05_tested_for_less __user *to, u32 size, u64 value)
{
	if (size < offsetofend(struct uw05_tested_for_less, first))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(1U, &to->first, efault);
	if (size >= offsetof(struct uw05_tested_for_less, second))
		unsafe_put_user(2U, &to->second, efault);	/* want: UW05 */
	if (size >= offsetof(struct uw05_tested_for_less, third))
		unsafe_put_user(value, &to->third, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_tested_for_less_clean(struct uw05_tested_for_less __user *to, u32 size, u64 value)
{
	if (size < offsetofend(struct uw05_tested_for_less, first))
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(1U, &to->first, efault);
	if (size >= offsetofend(struct uw05_tested_for_less, second))
		unsafe_put_user(2U, &to->second, efault);
	if (size >= sizeof(*to))
		unsafe_put_user(value, &to->third, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_tested_for_less_any_clean(u64 __user *to, u32 size, u64 value)
{
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	if (size > 0)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_tested_for_less_words_clean(u64 __user *to, u32 size, u64 value)
{
	if (size & 7)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	if (size > 4)
		unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

/* The size of the first version passes, and a member of the second is stored. */
int uw05_tested_for_less_before(struct uw05_tested_for_less __user *to, u32 size)
{
	if (size < offsetofend(struct uw05_tested_for_less, first) || size > PAGE_SIZE)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(1U, &to->first, efault);
	unsafe_put_user(2U, &to->second, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_tested_for_less_before_clean(struct uw05_tested_for_less __user *to, u32 size, u64 value)
{
	if (size < 4 || size % 8)
		return -EINVAL;
	if (!user_write_access_begin(to, size))
		return -EFAULT;
	unsafe_put_user(1U, &to->first, efault);
	unsafe_put_user(2U, &to->second, efault);
	if (size > 8)
		unsafe_put_user(value, &to->third, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
