// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper opens the window for the size that it is given, which is too small
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

struct uw05_helper_begins {
	u32 low;
	u32 high;
};

static __always_inline bool uw05_helper_begins_open(void __user *to, size_t size)
{
	return access_ok(to, size) && user_write_access_begin(to, size);
}

int uw05_helper_begins(struct uw05_helper_begins __user *to, u32 value)
{
	if (!uw05_helper_begins_open(to, sizeof(to->low)))
		return -EFAULT;
	unsafe_put_user(value, &to->high, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

static __always_inline bool uw05_helper_begins_all(u32 __user *to, u32 n)
{
	return user_write_access_begin(to, array_size(n, sizeof(*to)));
}

int uw05_helper_begins_array(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!uw05_helper_begins_all(to, n))
		return -EFAULT;
	for (i = 0; i <= n; i++)
		unsafe_put_user(from[i], to + i, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_clean(struct uw05_helper_begins __user *to, u32 value)
{
	if (!uw05_helper_begins_open(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, &to->high, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_helper_begins_array_clean(u32 __user *to, const u32 *from, u32 n)
{
	u32 i;

	if (!uw05_helper_begins_all(to, n))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
