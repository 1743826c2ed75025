// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first access of a masked window is pages after its start
 * Rule: UW15
 * Arch: x86
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw15_masked_far {
	u32 head;
	char ring[8192];
	u32 tail;
};

int uw15_masked_far(struct uw15_masked_far __user *from, u32 *tail)
{
	if (can_do_masked_user_access())
		from = masked_user_access_begin(from);
	else if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*tail, &from->tail, efault);	/* want: UW15 */
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw15_masked_far_clean(struct uw15_masked_far __user *from, u32 *tail)
{
	u32 __user *last = &from->tail;

	if (can_do_masked_user_access())
		last = masked_user_access_begin(last);
	else if (!user_read_access_begin(last, sizeof(*last)))
		return -EFAULT;
	unsafe_get_user(*tail, last, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
