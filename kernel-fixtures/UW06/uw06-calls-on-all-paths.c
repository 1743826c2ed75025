// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper calls a function whichever way it takes, and an allocation
 * Rule: UW06
 */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

u32 uw06_calls_on_all_paths_large(u32 value);
u32 uw06_calls_on_all_paths_small(u32 value);

static __always_inline u32 uw06_calls_on_all_paths_next(u32 value)
{
	if (value > 100) {
		value -= 100;
		return uw06_calls_on_all_paths_large(value);
	}
	return uw06_calls_on_all_paths_small(value);
}

static __always_inline u32 uw06_calls_on_all_paths_near(u32 value)
{
	if (unlikely(value > 100))
		return value - 100;
	return value + 1;
}

int uw06_calls_on_all_paths_allocate(u32 __user *to, u32 value, void **kept)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	*kept = kmalloc(value, GFP_ATOMIC);	/* want: UW06 */
	unsafe_put_user(value, to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_calls_on_all_paths(u32 __user *to, u32 value)
{
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_calls_on_all_paths_next(value), to, efault);	/* want: UW06 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw06_calls_on_all_paths_clean(u32 __user *to, u32 value, void **kept)
{
	*kept = kmalloc(value, GFP_ATOMIC);
	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	unsafe_put_user(uw06_calls_on_all_paths_near(value), to, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
