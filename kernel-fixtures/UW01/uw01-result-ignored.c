// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the result of a begin is ignored
 * Rule: UW01
 * Known: 96ca579a1ecc, waitid(), CVE-2017-5123
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw01_result_ignored {
	int id;
	int flags;
};

int uw01_result_ignored(struct uw01_result_ignored __user *to, int id, int flags)
{
	user_write_access_begin(to, sizeof(*to));	/* want: UW01 */
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();	/* want[objects]: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want[objtool, objects]: UW02 */
	return -EFAULT;
}

int uw01_result_ignored_clean(struct uw01_result_ignored __user *to, int id, int flags)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(id, &to->id, efault);
	unsafe_put_user(flags, &to->flags, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
