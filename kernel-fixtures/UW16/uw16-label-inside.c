// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a fault label in the scope of the access
 * Rule: UW16
 * Tree: scoped
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw16_label_inside {
	u32 head;
	u32 tail;
};

int uw16_label_inside(struct uw16_label_inside __user *from, u32 *head, u32 *tail)
{
	int ret = 0;

	scoped_user_read_access(from, efault) {
		unsafe_get_user(*head, &from->head, inside);	/* want: UW16 */
		unsafe_get_user(*tail, &from->tail, efault);
		if (0) {
inside:
			ret = -EFAULT;
		}
	}
	return ret;
efault:
	return -EFAULT;
}

int uw16_label_inside_clean(struct uw16_label_inside __user *from, u32 *head, u32 *tail)
{
	int ret = 0;

	scoped_user_read_access(from, efault) {
		unsafe_get_user(*head, &from->head, outside);
		unsafe_get_user(*tail, &from->tail, efault);
	}
	return ret;
outside:
	*head = 0;
efault:
	return -EFAULT;
}
