// SPDX-License-Identifier: GPL-2.0
/*
 * Title: nothing takes what a helper returns on a fault
 * Rule: UW26
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

static int uw26_dropped_load(const u32 __user *from, u32 *value)
{
	if (!user_read_access_begin(from, sizeof(*from)))
		return -EFAULT;
	unsafe_get_user(*value, from, efault);
	user_read_access_end();
	return 0;
efault:
	user_read_access_end();
	return -EFAULT;
}

long uw26_dropped(const u32 __user *from, unsigned int count)
{
	unsigned int i;
	u32 value = 0;
	long sum = 0;

	for (i = 0; i < count; i++) {
		uw26_dropped_load(from + i, &value);	/* want: UW26 */
		sum += value;
	}
	return sum;
}

long uw26_dropped_clean(const u32 __user *from, unsigned int count)
{
	unsigned int i;
	long sum = 0;
	u32 value;

	for (i = 0; i < count; i++) {
		if (uw26_dropped_load(from + i, &value))
			return -EFAULT;
		sum += value;
	}
	return sum;
}

void uw26_dropped_meant_clean(const u32 __user *from, u32 *hint)
{
	(void)uw26_dropped_load(from, hint);
}

static __always_inline int uw26_dropped_store(u32 __user *to, u32 value)
{
	unsafe_put_user(value, to, efault);
	return 0;
efault:
	return -EFAULT;
}

int uw26_dropped_inside(u32 __user *to, u32 first, u32 second)
{
	int err;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	uw26_dropped_store(to, first);	/* want: UW26 */
	err = uw26_dropped_store(to + 1, second);
	user_write_access_end();
	return err;
}

int uw26_dropped_inside_clean(u32 __user *to, u32 first, u32 second)
{
	int err;

	if (!user_write_access_begin(to, 2 * sizeof(*to)))
		return -EFAULT;
	err = uw26_dropped_store(to, first);
	if (!err)
		err = ({ uw26_dropped_store(to + 1, second); });
	user_write_access_end();
	return err;
}

unsigned long uw26_dropped_routine(void *to, const void *from, unsigned long bytes);

int uw26_dropped_of_routine(void *to, const void __user *from, unsigned long bytes)
{
	if (!user_read_access_begin(from, bytes))
		return -EFAULT;
	uw26_dropped_routine(to, (__force const void *)from, bytes);	/* want: UW06, UW26 */
	user_read_access_end();
	return 0;
}

int uw26_dropped_of_routine_taken(void *to, const void __user *from, unsigned long bytes)
{
	unsigned long left;

	if (!user_read_access_begin(from, bytes))
		return -EFAULT;
	left = uw26_dropped_routine(to, (__force const void *)from, bytes);	/* want: UW06 */
	user_read_access_end();
	return left ? -EFAULT : 0;
}
