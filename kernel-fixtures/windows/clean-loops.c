// SPDX-License-Identifier: GPL-2.0
/*
 * Title: loops in windows, and windows in loops
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_loops_inside(u32 __user *to, const u32 *from, unsigned int count)
{
	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	do {
		if (!*from)
			break;
		if (*from == 1)
			continue;
		unsafe_put_user(*from, to, efault);
		to++;
	} while (from++, --count);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_loops_around(u32 __user *to, const u32 *from, unsigned int count)
{
	for (;;) {
		if (!count--)
			return 0;
		if (!*from) {
			from++;
			continue;
		}
		if (!user_write_access_begin(to, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(*from, to, efault);
		user_write_access_end();
		from++;
		to++;
	}
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_loops_again(u32 __user *to, u32 value, int (*fault_in)(u32 __user *))
{
	int ret;

again:
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	ret = fault_in(to);
	if (ret)
		return ret;
	goto again;
}
