// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a scope on an element of an array, in a loop
 * Rule: UW13
 * Tree: scoped
 * Build: never, the scope would have to declare &rings[i]
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw13_element {
	u32 head;
	u32 tail;
};

int uw13_element(struct uw13_element __user *rings, u32 count)
{
	u32 i, head;

	for (i = 0; i < count; i++) {
		scoped_user_rw_access(&rings[i], efault) {	/* want: UW13 */
			unsafe_get_user(head, &rings[i].head, efault);
			unsafe_put_user(head, &rings[i].tail, efault);
		}
	}
	return 0;
efault:
	return -EFAULT;
}

int uw13_element_clean(struct uw13_element __user *rings, u32 count)
{
	u32 i, head;

	for (i = 0; i < count; i++) {
		struct uw13_element __user *ring = &rings[i];

		scoped_user_rw_access(ring, efault) {
			unsafe_get_user(head, &ring->head, efault);
			unsafe_put_user(head, &ring->tail, efault);
		}
	}
	return 0;
efault:
	return -EFAULT;
}
