// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a helper that is only static inline, in a condition of a loop
 * Rule: UW07
 * Known: B14: arch/x86 before 1fe4002cf7f2
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static inline bool uw07_condition_done(u32 value)
{
	return value == ~0U;
}

int uw07_condition(const u32 __user *from, unsigned int count, u32 *last)
{
	unsigned int i;
	u32 value;

	if (!user_read_access_begin(from, count * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(value, &from[i], efault);
		if (uw07_condition_done(value))	/* want: UW07 */
			break;
		*last = value;
	}
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

int uw07_condition_clean(const u32 __user *from, unsigned int count, u32 *last)
{
	unsigned int i;
	u32 value;

	if (!user_read_access_begin(from, count * sizeof(*from)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_get_user(value, &from[i], efault);
		if (value == ~0U)
			break;
		*last = value;
	}
	user_read_access_end();
	return uw07_condition_done(*last);
efault:
	user_read_access_end();
	return -EFAULT;
}
