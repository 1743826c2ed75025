// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope on a field of a structure
 * Rule: UW13
 * Tree: scoped
 * Build: never, the scope would have to declare queue->ring
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw13_member {
	u32 head;
	u32 tail;
};

struct uw13_member_queue {
	struct uw13_member __user *ring;
};

int uw13_member(struct uw13_member_queue *queue, u32 tail)
{
	scoped_user_write_access(queue->ring, efault)	/* want: UW13 */
		unsafe_put_user(tail, &queue->ring->tail, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw13_member_clean(struct uw13_member_queue *queue, u32 tail)
{
	struct uw13_member __user *ring = queue->ring;

	scoped_user_write_access(ring, efault)
		unsafe_put_user(tail, &ring->tail, efault);
	return 0;
efault:
	return -EFAULT;
}
