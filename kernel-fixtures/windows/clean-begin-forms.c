// SPDX-License-Identifier: GPL-2.0
/*
 * Title: every way to test a begin
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_begin_forms_assigned(u32 __user *to, u32 value)
{
	bool open;

	open = user_write_access_begin(to, sizeof(*to));
	if (!open)
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_and(u32 __user *to, u32 value, bool allowed)
{
	if (allowed && user_write_access_begin(to, sizeof(*to))) {
		unsafe_put_user(value, to, efault);
		user_write_access_end();
		return 0;
	}
	return -EPERM;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_or(u32 __user *to, u32 value, bool denied)
{
	if (denied || !user_write_access_begin(to, sizeof(*to)))
		return -EPERM;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_in_loop(u32 __user *to, const u32 *from, unsigned int count)
{
	while (count && user_write_access_begin(to, sizeof(*to))) {
		unsafe_put_user(*from, to, efault);
		user_write_access_end();
		from++;
		to++;
		count--;
	}
	return count ? -EFAULT : 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_return_code(u32 __user *to, u32 value)
{
	int ret = user_write_access_begin(to, sizeof(*to)) ? 0 : -EFAULT;

	if (ret)
		return ret;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_compared(u32 __user *to, u32 value)
{
	if (user_write_access_begin(to, sizeof(*to)) != true)
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int clean_begin_forms_dead_branch(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	if (0) {
efault:
		user_write_access_end();
		return -EFAULT;
	}
	return 0;
}
