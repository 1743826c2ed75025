// SPDX-License-Identifier: GPL-2.0
/*
 * Title: masked where the machine can, classic elsewhere
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int clean_masked_or_classic(unsigned long __user *from, unsigned long *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	unsafe_put_user(0, from, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

/* Two tests, of which only one opens the window. */
int clean_masked_or_classic_apart(unsigned long __user *from, unsigned long *to)
{
	int err = -EFAULT;

	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	if (!can_do_masked_user_access() && !user_access_begin(from, sizeof(*from)))
		return err;
	unsafe_get_user(*to, from, out);
	unsafe_put_user(0, from, out);
	err = 0;
out:
	user_access_end();
	return err;
}

int clean_masked_or_classic_nested(unsigned long __user *from, unsigned long *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	if (!can_do_masked_user_access()) {
		if (!user_access_begin(from, sizeof(*from)))
			return -EFAULT;
	}
	unsafe_get_user(*to, from, efault);
	unsafe_put_user(0, from, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int clean_masked_or_classic_twice(unsigned long __user *from, unsigned long *to)
{
	bool open = true;

	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else
		open = user_access_begin(from, sizeof(*from));
	if (!can_do_masked_user_access() && !open)
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	unsafe_put_user(0, from, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
