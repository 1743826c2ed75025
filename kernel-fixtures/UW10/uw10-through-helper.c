// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper in a window reads with get_user()
 * Rule: UW10
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw10_through_helper {
	u32 state;
	u32 wanted;
};

static __always_inline u32 uw10_through_helper_wanted(struct uw10_through_helper __user *u)
{
	u32 wanted;

	if (get_user(wanted, &u->wanted))
		wanted = 0;
	return wanted;
}

int uw10_through_helper(struct uw10_through_helper __user *u, u32 state)
{
	u32 wanted;

	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(state, &u->state, efault);
	wanted = uw10_through_helper_wanted(u);	/* want: UW10 */
	user_write_access_end();
	return wanted;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw10_through_helper_clean(struct uw10_through_helper __user *u, u32 state)
{
	if (!user_write_access_begin(u, sizeof(*u)))
		return -EFAULT;
	unsafe_put_user(state, &u->state, efault);
	user_write_access_end();
	return uw10_through_helper_wanted(u);
efault:
	user_write_access_end();
	return -EFAULT;
}
