// SPDX-License-Identifier: GPL-2.0
/*
 * Title: a long loop calls cond_resched() inside its window
 * Rule: UW09
 * Known: 788aa64c01f1, SUM lost over a switch on riscv
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

int uw09_resched_in_loop(u32 __user *to, unsigned int count, u32 value)
{
	unsigned int i;

	if (!user_write_access_begin(to, count * sizeof(*to)))
		return -EFAULT;
	for (i = 0; i < count; i++) {
		unsafe_put_user(value, to + i, efault);
		if (need_resched())
			schedule();	/* want: UW09 */
	}
	user_write_access_end();
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}

int uw09_resched_in_loop_clean(u32 __user *to, unsigned int count, u32 value)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		if (!user_write_access_begin(to + i, sizeof(*to)))
			return -EFAULT;
		unsafe_put_user(value, to + i, efault);
		user_write_access_end();
		if (need_resched())
			schedule();
	}
	return 0;
efault:
	user_write_access_end();
	return -EFAULT;
}
