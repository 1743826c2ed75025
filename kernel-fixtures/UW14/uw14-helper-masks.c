// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper opens the window and returns or stores the masked pointer, and one access uses the other
 * Rule: UW14
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw14_helper_masks {
	u32 head;
	u32 tail;
};

static __always_inline struct uw14_helper_masks __user *
uw14_helper_masks_open(struct uw14_helper_masks __user *from)
{
	return masked_user_access_begin(from);
}

int uw14_helper_masks(struct uw14_helper_masks __user *from, u32 *to)
{
	struct uw14_helper_masks __user *safe = uw14_helper_masks_open(from);

	unsafe_get_user(to[0], &safe->head, efault);
	unsafe_get_user(to[1], &from->tail, efault);	/* want: UW14 */
	unsafe_put_user(0, &safe->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw14_helper_masks_clean(struct uw14_helper_masks __user *from, u32 *to)
{
	struct uw14_helper_masks __user *safe = uw14_helper_masks_open(from);

	unsafe_get_user(to[0], &safe->head, efault);
	unsafe_get_user(to[1], &safe->tail, efault);
	unsafe_put_user(0, &safe->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

static __always_inline void uw14_helper_masks_it(struct uw14_helper_masks __user **from)
{
	*from = masked_user_access_begin(*from);
}

int uw14_helper_masks_stored(struct uw14_helper_masks __user *from, u32 *to)
{
	struct uw14_helper_masks __user *safe = from;

	uw14_helper_masks_it(&safe);
	unsafe_get_user(to[0], &safe->head, efault);
	unsafe_get_user(to[1], &from->tail, efault);	/* want: UW14 */
	unsafe_put_user(0, &safe->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}

int uw14_helper_masks_stored_clean(struct uw14_helper_masks __user *from, u32 *to)
{
	uw14_helper_masks_it(&from);
	unsafe_get_user(to[0], &from->head, efault);
	unsafe_get_user(to[1], &from->tail, efault);
	unsafe_put_user(0, &from->head, efault);
	user_access_end();
	return 0;
efault:
	user_access_end();
	return -EFAULT;
}
