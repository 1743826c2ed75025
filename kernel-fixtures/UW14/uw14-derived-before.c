// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a pointer derived before the scope, used in it
 * Rule: UW14
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_derived_before {
	unsigned int head;
	unsigned int tail;
};

int uw14_derived_before(struct uw14_derived_before __user *ring, unsigned int tail)
{
	unsigned int __user *slot = &ring->tail;

	scoped_user_write_access(ring, efault) {
		unsafe_put_user(0U, &ring->head, efault);
		unsafe_put_user(tail, slot, efault);	/* want: UW14 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw14_derived_before_clean(struct uw14_derived_before __user *ring, unsigned int tail)
{
	scoped_user_write_access(ring, efault) {
		unsigned int __user *slot = &ring->tail;

		unsafe_put_user(0U, &ring->head, efault);
		unsafe_put_user(tail, slot, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
