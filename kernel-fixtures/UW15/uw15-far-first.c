// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the first access of a scope is pages after its start
 * Rule: UW15
 * Known: B27: the guard page behind user addresses, 86e6b1547b3d
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw15_far_first {
	u32 head;
	char ring[16384];
	u32 tail;
};

int uw15_far_first(struct uw15_far_first __user *to, u32 tail)
{
	scoped_user_write_access(to, efault) {
		unsafe_put_user(tail, &to->tail, efault);	/* want: UW15 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw15_far_first_clean(struct uw15_far_first __user *to, u32 tail)
{
	u32 __user *last = &to->tail;

	scoped_user_write_access(last, efault) {
		unsafe_put_user(tail, last, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
