// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a break in a scope in a case of a switch
 * Rule: UW17
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw17_switch(u32 __user *word, int command, u32 value)
{
	switch (command) {
	case 1:
		scoped_user_write_access(word, efault) {
			if (!value)
				break;	/* want: UW17 */
			unsafe_put_user(value, word, efault);
		}
		return 1;
	default:
		return -EINVAL;
	}
efault:
	return -EFAULT;
}

int uw17_switch_clean(u32 __user *word, int command, u32 value)
{
	switch (command) {
	case 1:
		scoped_user_write_access(word, efault) {
			int i;

			for (i = 0; i < 4; i++) {
				if (!value)
					break;
				unsafe_put_user(value, word, efault);
			}
		}
		break;
	default:
		return -EINVAL;
	}
	return 1;
efault:
	return -EFAULT;
}
