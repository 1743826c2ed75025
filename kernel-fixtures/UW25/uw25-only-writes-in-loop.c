// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop of stores in a window for both directions
 * Rule: UW25
 * Known: i915's eb_copy_relocations()
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

int uw25_only_writes_in_loop(u64 __user *offsets, unsigned int count)
{
	unsigned int i;
	int err = -EFAULT;

	if (!user_access_begin(offsets, count * sizeof(*offsets)))	/* want: UW25 */
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(-1, &offsets[i], out);
	err = 0;
out:
	user_access_end();
	return err;
}

int uw25_only_writes_in_loop_clean(u64 __user *offsets, unsigned int count)
{
	unsigned int i;
	int err = -EFAULT;

	if (!user_write_access_begin(offsets, count * sizeof(*offsets)))
		return -EFAULT;
	for (i = 0; i < count; i++)
		unsafe_put_user(-1, &offsets[i], out);
	err = 0;
out:
	user_write_access_end();
	return err;
}
