// SPDX-License-Identifier: GPL-2.0
/*
 * Title: an element of the caller's pointer chosen before the scope
 * Rule: UW14
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_indexed_before {
	u32 count;
	u32 slots[16];
};

int uw14_indexed_before(struct uw14_indexed_before __user *ring, unsigned int i, u32 value)
{
	u32 __user *slot = ring->slots + (i & 15);

	scoped_user_write_access(ring, efault) {
		unsafe_put_user(i, &ring->count, efault);
		unsafe_put_user(value, slot, efault);	/* want: UW14 */
	}
	return 0;
efault:
	return -EFAULT;
}

int uw14_indexed_before_clean(struct uw14_indexed_before __user *ring, unsigned int i, u32 value)
{
	scoped_user_write_access(ring, efault) {
		u32 __user *slot = ring->slots + (i & 15);

		unsafe_put_user(i, &ring->count, efault);
		unsafe_put_user(value, slot, efault);
	}
	return 0;
efault:
	return -EFAULT;
}
