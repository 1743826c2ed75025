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
