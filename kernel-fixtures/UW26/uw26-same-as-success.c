// SPDX-License-Identifier: GPL-2.0
/*
 * Title: what is returned on a fault was set before the last access, as on success
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

bool uw26_same_as_success(u64 __user *to, u64 start, u64 end)
{
	bool stored = false;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return false;
	unsafe_put_user(start, to, out);
	stored = true;
	unsafe_put_user(end, to + 1, out);	/* want: UW26 */
out:
	user_write_access_end();
	return stored;
}

bool uw26_same_as_success_clean(u64 __user *to, u64 start, u64 end)
{
	bool stored = false;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return false;
	unsafe_put_user(start, to, out);
	unsafe_put_user(end, to + 1, out);
	stored = true;
out:
	user_write_access_end();
	return stored;
}

int uw26_same_as_success_number(u32 __user *to, u32 value, int number)
{
	int ret;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	ret = number;
	unsafe_put_user(value, to, out);	/* want: UW26 */
out:
	user_write_access_end();
	return ret;
}

/* As read() does: what was stored before the fault counts. */
int uw26_same_as_success_partial_clean(u32 __user *to, const u32 *value, int number)
{
	int i;

	if (number <= 0)
		return -EINVAL;
	if (!user_write_access_begin(to, number * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < number; i++)
		unsafe_put_user(value[i], to + i, out);
out:
	user_write_access_end();
	return i ? i : -EFAULT;
}

/* The result is that of another call, whether or not it can be stored. */
int uw26_same_as_success_result_clean(u32 __user *to, u32 value, int result)
{
	int ret = result;

	if (!user_write_access_begin(to, sizeof(*to)))
		return ret;
	unsafe_put_user(value, to, out);
out:
	user_write_access_end();
	return ret;
}
