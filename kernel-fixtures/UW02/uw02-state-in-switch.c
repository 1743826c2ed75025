// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a number tells in a loop whether the window is open, and one of its values is forgotten
 * Rule: UW02
 * Unseen: smatch UW02: it does not follow what a switch in a loop tells, and is silent
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

#define UW02_STATE_IN_SWITCH_IDLE	0
#define UW02_STATE_IN_SWITCH_OPEN	1
#define UW02_STATE_IN_SWITCH_FULL	2

int uw02_state_in_switch(u32 __user *to, const u32 *from, int n)
{
	int i, state = UW02_STATE_IN_SWITCH_IDLE;

	for (i = 0; i < n; i++) {
		switch (state) {
		case UW02_STATE_IN_SWITCH_IDLE:
			if (!user_write_access_begin(to, n * sizeof(*to)))
				return -EFAULT;
			state = UW02_STATE_IN_SWITCH_OPEN;
			fallthrough;
		case UW02_STATE_IN_SWITCH_OPEN:
			unsafe_put_user(from[i], to + i, efault);
			if (!from[i])
				state = UW02_STATE_IN_SWITCH_FULL;
			break;
		}
	}
	if (state == UW02_STATE_IN_SWITCH_OPEN)
		user_write_access_end();
	return 0;	/* want: UW02 */
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw02_state_in_switch_clean(u32 __user *to, const u32 *from, int n)
{
	int i, state = UW02_STATE_IN_SWITCH_IDLE;

	for (i = 0; i < n; i++) {
		switch (state) {
		case UW02_STATE_IN_SWITCH_IDLE:
			if (!user_write_access_begin(to, n * sizeof(*to)))
				return -EFAULT;
			state = UW02_STATE_IN_SWITCH_OPEN;
			fallthrough;
		case UW02_STATE_IN_SWITCH_OPEN:
			unsafe_put_user(from[i], to + i, efault);
			break;
		}
	}
	if (state == UW02_STATE_IN_SWITCH_OPEN)
		user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
