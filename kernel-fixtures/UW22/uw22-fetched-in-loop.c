// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a list of user memory is walked in the window of its first element
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw22_fetched_in_loop {
	struct uw22_fetched_in_loop __user *next;
	u32 value;
};

int uw22_fetched_in_loop(struct uw22_fetched_in_loop __user *from, u32 *value, int hops)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	while (hops--) {
		unsafe_get_user(*value, &from->value, efault);	/* want: UW05, UW22 */
		unsafe_get_user(from, &from->next, efault);	/* want: UW05, UW22 */
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw22_fetched_in_loop_clean(struct uw22_fetched_in_loop __user *from, u32 *value, int hops)
{
	while (hops--) {
		if (!user_read_access_begin(from, sizeof(*from)))
			return -EFAULT;
		unsafe_get_user(*value, &from->value, efault);
		unsafe_get_user(from, &from->next, efault);
		user_read_access_end();
	}
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
