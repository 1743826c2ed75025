// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a begin is compared with true, and the function goes on if it failed
 * Rule: UW01, UW02, UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw01_compared {
	int id;
	int flags;
};

int uw01_compared(struct uw01_compared __user *to, int id)
{
	if (user_write_access_begin(to, sizeof(*to)) == true)	/* want: UW01 */
		return -EFAULT;	/* want[spatch, smatch, objects]: UW02 */
	unsafe_put_user(id, &to->id, efault);	/* want: UW21 */
	user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}

int uw01_compared_clean(struct uw01_compared __user *to, int id)
{
	if (user_write_access_begin(to, sizeof(*to)) == true) {
		unsafe_put_user(id, &to->id, efault);
		user_write_access_end();
		return 0;
efault:
		user_write_access_end();
	}
	return -EFAULT;
}
