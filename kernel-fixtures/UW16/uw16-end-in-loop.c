// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a label after a loop of scopes ends the window again
 * Rule: UW16, UW02
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw16_end_in_loop(u32 __user *to, const u32 *values, int count)
{
	int ret = -EFAULT;
	int i;

	for (i = 0; i < count; i++) {
		u32 __user *slot = to + i;

		scoped_user_write_access(slot, out) {
			unsafe_put_user(values[i], slot, out);
		}
	}
	return count;
out:
	user_write_access_end();	/* want: UW16 */ /* want[smatch, objtool, objects]: UW02 */
	return ret;
}

int uw16_end_in_loop_clean(u32 __user *to, const u32 *values, int count)
{
	int ret = -EFAULT;
	int i;

	for (i = 0; i < count; i++) {
		u32 __user *slot = to + i;

		scoped_user_write_access(slot, out) {
			unsafe_put_user(values[i], slot, out);
		}
	}
	return count;
out:
	return ret;
}
