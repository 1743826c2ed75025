// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a switch opens the window, and a condition on the same number ends it
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define CLEAN_SWITCH_AND_CONDITION_LOAD		1

int clean_switch_and_condition(u32 __user *at, u32 *value, int mode)
{
	int ret = -EFAULT;

	switch (mode) {
	case CLEAN_SWITCH_AND_CONDITION_LOAD:
		if (!user_read_access_begin(at, sizeof(*at)))
			return ret;
		break;
	default:
		return -EINVAL;
	}
	unsafe_get_user(*value, at, out);
	ret = 0;
out:
	if (mode == CLEAN_SWITCH_AND_CONDITION_LOAD)
		user_read_access_end();
	return ret;
}
