// SPDX-License-Identifier: GPL-2.0
/*
 * Title: one condition opens, uses and ends a window around a loop, and a fault skips the end
 * Rule: UW02
 * Unseen: spatch UW02: it does not follow the condition through the loop, and says so
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_condition_around_loop(u32 __user *to, const u32 *from, int n, bool wanted)
{
	int i, ret = -EFAULT;

	if (wanted) {
		if (!user_write_access_begin(to, n * sizeof(*to)))
			return -EFAULT;
	}
	for (i = 0; i < n; i++) {
		if (wanted)
			unsafe_put_user(from[i], to + i, out);
	}
	ret = 0;
	if (wanted)
		user_write_access_end();	/* want[objects]: UW02 */
out:
	return ret;	/* want: UW02 */
}

/* This is right, and objtool does not know that the condition is the same. */
int uw02_condition_around_loop_ended(u32 __user *to, const u32 *from, int n, bool wanted)
{
	int i, ret = -EFAULT;

	if (wanted) {
		if (!user_write_access_begin(to, n * sizeof(*to)))
			return -EFAULT;
	}
	for (i = 0; i < n; i++) {
		if (wanted)
			unsafe_put_user(from[i], to + i, out);
	}
	ret = 0;
out:
	if (wanted)
		user_write_access_end();	/* want[objects]: UW02 */
	return ret;	/* want[objtool, objects]: UW02 */
}

int uw02_condition_around_loop_clean(u32 __user *to, const u32 *from, int n, bool wanted)
{
	int i, ret = -EFAULT;

	if (!wanted)
		return 0;
	if (!user_write_access_begin(to, n * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i], to + i, out);
	ret = 0;
out:
	user_write_access_end();
	return ret;
}
