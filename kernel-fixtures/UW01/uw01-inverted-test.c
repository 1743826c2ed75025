// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the test of a begin is inverted
 * Rule: UW01, UW02, UW21
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw01_inverted_test {
	int id;
	int flags;
};

int uw01_inverted_test(struct uw01_inverted_test __user *to, int id, int flags)
{
	if (user_write_access_begin(to, sizeof(*to)))	/* want: UW01 */
		return -EFAULT;	/* want[spatch, smatch, objects]: UW02 */
	unsafe_put_user(id, &to->id, efault);	/* want: UW21 */
	unsafe_put_user(flags, &to->flags, efault);	/* want: UW21 */
	user_write_access_end();	/* want[spatch, smatch, objects]: UW02 */
	return 0;
efault:
	user_write_access_end();	/* want: UW02 */
	return -EFAULT;
}

int uw01_inverted_test_clean(struct uw01_inverted_test __user *to, int id, int flags)
{
	if (user_write_access_begin(to, sizeof(*to))) {
		unsafe_put_user(id, &to->id, efault);
		unsafe_put_user(flags, &to->flags, efault);
		user_write_access_end();
		return 0;
efault:
		user_write_access_end();
	}
	return -EFAULT;
}
