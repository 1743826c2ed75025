// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a guard in a scope takes a mutex
 * Rule: UW09
 * Tree: scoped
 */
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

struct uw09_guard_queue {
	struct mutex lock;
	u32 length;
};

int uw09_guard(u32 __user *to, struct uw09_guard_queue *queue)
{
	u32 length;

	scoped_user_write_access(to, efault) {
		scoped_guard(mutex, &queue->lock)	/* want: UW09 */	/* want[objects]: UW06 */
			length = queue->length;
		unsafe_put_user(length, to, efault);
	}
	return 0;
efault:
	return -EFAULT;
}

int uw09_guard_clean(u32 __user *to, struct uw09_guard_queue *queue)
{
	u32 length;

	scoped_guard(mutex, &queue->lock)
		length = queue->length;
	scoped_user_write_access(to, efault)
		unsafe_put_user(length, to, efault);
	return 0;
efault:
	return -EFAULT;
}
