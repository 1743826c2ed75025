// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a break in a scope in a loop
 * Rule: UW17
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw17_break(u32 __user *from, int count)
{
	u32 value;
	int i;

	for (i = 0; i < count; i++) {
		u32 __user *slot = from + i;

		scoped_user_read_access(slot, efault) {
			unsafe_get_user(value, slot, efault);
			if (!value)
				break;	/* want: UW17 */
		}
	}
	return i;
efault:
	return -EFAULT;
}

int uw17_break_clean(u32 __user *from, int count)
{
	u32 value;
	int i;

	for (i = 0; i < count; i++) {
		u32 __user *slot = from + i;

		scoped_user_read_access(slot, efault) {
			unsafe_get_user(value, slot, efault);
		}
		if (!value)
			break;
	}
	return i;
efault:
	return -EFAULT;
}
