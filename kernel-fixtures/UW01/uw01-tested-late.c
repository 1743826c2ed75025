// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a begin is only tested after the accesses
 * Rule: UW01
 * Known: 594cc251fdd0, i915 execbuffer, CVE-2018-20669
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw01_tested_late {
	int id;
	int flags;
};

int uw01_tested_late(struct uw01_tested_late __user *from, int *id, int *flags)
{
	bool open = user_read_access_begin(from, sizeof(*from));	/* want: UW01 */

	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();	/* want[objects]: UW02 */
	return open ? 0 : -EFAULT;
efault:
	user_read_access_end();	/* want[objtool, objects]: UW02 */
	return -EFAULT;
}

int uw01_tested_late_clean(struct uw01_tested_late __user *from, int *id, int *flags)
{
	bool open = user_read_access_begin(from, sizeof(*from));

	if (!open)
		return -EFAULT;
	unsafe_get_user(*id, &from->id, efault);
	unsafe_get_user(*flags, &from->flags, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
