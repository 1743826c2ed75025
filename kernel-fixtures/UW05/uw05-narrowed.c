// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a store narrower than the member and the value
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_narrowed {
	u64 base;
	u32 events;
	u32 data;
};

int uw05_narrowed(struct uw05_narrowed __user *to, u32 events, u64 base)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(events, &to->events, efault);
	unsafe_put_user(base, (u32 __user *)&to->base, efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_narrowed_clean(struct uw05_narrowed __user *to, u32 events, u64 base)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(events, &to->events, efault);
	unsafe_put_user((u32)base, (u32 __user *)&to->base, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
