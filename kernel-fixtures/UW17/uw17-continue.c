// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a continue in a switch in a scope in a loop
 * Rule: UW17
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw17_continue(u32 __user *from, int count)
{
	int found = 0;
	u32 value;

	while (count--) {
		scoped_user_read_access(from, efault) {
			unsafe_get_user(value, from, efault);
			switch (value) {
			case 0:
				continue;	/* want: UW17 */
			case 1:
				break;
			default:
				found++;
			}
		}
		found++;
	}
	return found;
efault:
	return -EFAULT;
}

int uw17_continue_clean(u32 __user *from, int count)
{
	int found = 0;
	u32 value;

	while (count--) {
		scoped_user_read_access(from, efault) {
			unsafe_get_user(value, from, efault);
			switch (value) {
			case 1:
				break;
			default:
				found++;
			}
		}
		if (!value)
			continue;
		found++;
	}
	return found;
efault:
	return -EFAULT;
}
