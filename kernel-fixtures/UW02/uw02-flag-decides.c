// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the end depends on a condition that the begin does not
 * Rule: UW02
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_flag_decides(u32 __user *to, u32 value, bool locked, bool quiet)
{
	int ret = -EFAULT;

	if (locked && !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (locked)
		unsafe_put_user(value, to, out);
	ret = 0;
out:
	if (!quiet)
		user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return ret;	/* want[spatch, smatch, objtool, objects]: UW02 */
}

int uw02_flag_decides_clean(u32 __user *to, u32 value, bool locked, bool quiet)
{
	int ret = -EFAULT;

	if (locked && !user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	if (locked)
		unsafe_put_user(value, to, out);
	ret = quiet;
out:
	if (locked)
		user_write_access_end();
	return ret;
}
