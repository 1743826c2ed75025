// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the masked and the classic begin open different flavours, and one end serves both
 * Rule: UW03
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw03_masked_or_classic(const u64 __user *from, u64 *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_access_end();	/* want: UW03 */
	return 0;
efault:
	user_access_end();	/* want: UW03 */
	return -EFAULT;
}

int uw03_masked_or_classic_clean(const u64 __user *from, u64 *to)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*to, from, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
