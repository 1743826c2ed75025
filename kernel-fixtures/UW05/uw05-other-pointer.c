// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the window is opened on one pointer, the access uses another
 * Rule: UW05, UW22
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_other_pointer {
	u32 state;
	u32 error;
};

int uw05_other_pointer(struct uw05_other_pointer __user *old, struct uw05_other_pointer __user *new, u32 state)
{
	if (!user_write_access_begin(old, sizeof(*old)))
		return -EFAULT;
	unsafe_put_user(0U, &old->error, efault);
	unsafe_put_user(state, &new->state, efault);	/* want: UW05, UW22 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_other_pointer_clean(struct uw05_other_pointer __user *old, struct uw05_other_pointer __user *new, u32 state)
{
	if (!access_ok(new, sizeof(*new)))
		return -EFAULT;
	if (!user_write_access_begin(old, sizeof(*old)))
		return -EFAULT;
	unsafe_put_user(0U, &old->error, efault);
	unsafe_put_user(state, &new->state, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

struct uw05_other_pointer_pair {
	struct uw05_other_pointer __user *old;
	struct uw05_other_pointer __user *new;
};

int uw05_other_pointer_pair_clean(struct uw05_other_pointer_pair *pair, u32 *state)
{
	if (!access_ok(pair->new, sizeof(*pair->new)))
		return -EFAULT;
	if (!user_read_access_begin(pair->old, sizeof(*pair->old)))
		return -EFAULT;
	unsafe_get_user(state[0], &pair->old->state, efault);
	unsafe_get_user(state[1], &pair->new->state, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}
