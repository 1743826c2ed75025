// SPDX-License-Identifier: GPL-2.0
/*
 * Title: the fault label is after the end
 * Rule: UW02
 * Known: 0b2c8f8b6b0c, i915 execbuffer
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw02_fault_label_without_end(u64 __user *slot, u64 value, unsigned int count)
{
	unsigned int i;

	if (!user_write_access_begin(slot, count * sizeof(*slot)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(value, slot + i, efault);
	user_write_access_end();
	return 0;
efault:
	return -EFAULT;	/* want: UW02 */
}

int uw02_fault_label_without_end_clean(u64 __user *slot, u64 value, unsigned int count)
{
	unsigned int i;

	if (!user_write_access_begin(slot, count * sizeof(*slot)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(value, slot + i, efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
