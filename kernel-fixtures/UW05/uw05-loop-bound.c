// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a loop with one iteration too many
 * Rule: UW05
 */
#include <linux/errno.h>
#include <linux/uaccess.h>

struct uw05_loop_bound {
	u64 count;
	u32 sums[8];
};

int uw05_loop_bound(struct uw05_loop_bound __user *to, const u32 *sums)
{
	int i;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	for (i = 0; i <= 8; i++)
		unsafe_put_user(sums[i], &to->sums[i], efault);	/* want: UW05 */
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw05_loop_bound_clean(struct uw05_loop_bound __user *to, const u32 *sums)
{
	int i;

	if (!user_write_access_begin(to, sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < 8; i++)
		unsafe_put_user(sums[i], &to->sums[i], efault);
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
